//! The requesters of a timer interval.

use super::{ms, place, title};
use punctual_data::text::Text;
use punctual_lab::resolution::recording::Asked;
use punctual_lab::resolution::{Requesters, Who};
use std::io;

/// Writes a list as the whole output.
pub fn asked(out: &mut Text, asked: &Asked) -> io::Result<()> {
    let of = asked.report.as_ref().map(|report| format!(" ({report})"));
    let place = place(&asked.origin);
    if let Some(what) = of.or((!place.is_empty()).then_some(place)) {
        title(out, &format!("Requests{what}"))?;
    }
    requesters(out, &asked.requesters)
}

/// Writes a list below other output.
pub(super) fn requesters(out: &mut Text, requesters: &Requesters) -> io::Result<()> {
    title(out, "Requests for a timer interval, as in powercfg /energy")?;
    for request in &requesters.requests {
        let (who, path) = named(&request.who);
        writeln!(out, "  {:>10}  {who}", ms(request.interval_ns))?;
        // In one line, however long, so that it can be copied.
        if let Some(path) = path {
            writeln!(out, "{:14}{path}", "")?;
        }
    }
    if requesters.requests.is_empty() {
        writeln!(out, "  none")?;
    }
    for (nanos, meaning) in [
        (
            requesters.platform_interval_ns,
            "the platform's resolution; since Windows 10 2004 only drivers count in it",
        ),
        (requesters.maximum_ns, "the longest, without requests"),
    ] {
        if let Some(nanos) = nanos {
            for (index, line) in super::wrapped(meaning, super::WIDTH - 14).enumerate() {
                let value = if index == 0 { ms(nanos) } else { String::new() };
                writeln!(out, "  {value:>10}  {line}")?;
            }
        }
    }
    Ok(())
}

/// A name for the requester, and the program's path if it has one.
fn named(who: &Who) -> (String, Option<&str>) {
    let (process_id, program) = match who {
        Who::Kernel => return ("a driver, or the kernel itself".to_owned(), None),
        Who::Process {
            process_id,
            program,
        } => (process_id, program.as_deref()),
    };
    let path = program.filter(|program| program.contains('\\'));
    let name = program.and_then(|program| program.rsplit('\\').next());
    let name = name.unwrap_or("a program without a name");
    let id = process_id.map(|id| format!(" (process {id})"));
    (format!("{name}{}", id.unwrap_or_default()), path)
}
