//! The timer interval as text, at most 80 columns wide.

use punctual_data::quantity::{self, nanos};
use punctual_data::text::{HEADING, Text, WIDTH, heading, note, styled_line, wrapped};
use punctual_lab::Environment;
use punctual_lab::resolution::{Asked, Now, Origin};
use punctual_windows::confidence::text as confidence;
use punctual_windows::requesters::{Requesters, Who};
use punctual_windows::resolution::{InForce, Observed};
use std::io;
use std::time::Duration;

/// The effect of a held request. With a command, these lines stand above the command's output.
pub fn held(out: &mut Text, in_force: &InForce, with_command: bool) -> io::Result<()> {
    writeln!(
        out,
        "requested {}, in force {}; Sleep(1) takes {:.2} ms here",
        ms(in_force.requested_ns),
        ms(in_force.interval_ns),
        in_force.sleep_1_mean_ns as f64 / 1e6,
    )?;
    if !in_force.honoured {
        note(out, &refusal(in_force))?;
    }
    if with_command {
        let reach = "since Windows 10 version 2004, a request shortens only the waits of the process \
                     that made it: this one, and not the command (Windows 11: unless \
                     GlobalTimerResolutionRequests is set)";
        return note(out, reach);
    }
    writeln!(out, "held until Ctrl-C")
}

fn refusal(in_force: &InForce) -> String {
    if in_force.requested_ns < in_force.minimum_ns {
        let least = ms(in_force.minimum_ns);
        return format!("not honoured: {least} is the shortest possible interval (try {least})");
    }
    "not honoured: the interval is longer than requested. Windows 11 does that to processes without a \
     visible window, and Wine to all"
        .to_owned()
}

/// An interval in the format of `clockres`, with a fourth digit if it needs one: `0.500 ms`.
fn ms(nanos: u64) -> String {
    let digits = format!("{:.4}", nanos as f64 / 1e6);
    let digits = digits.strip_suffix('0').unwrap_or(&digits);
    format!("{digits} ms")
}

/// The simulated machine and its companions, for the end of a title.
fn place(origin: &Origin) -> String {
    let with = &origin.with;
    let on = origin
        .on
        .as_ref()
        .into_iter()
        .map(|simulated| format!(" on {}", simulated.machine));
    let with = with.iter().map(|who| format!(", with {who}"));
    on.chain(with).collect()
}

/// A title of any length.
fn title(out: &mut Text, text: &str) -> io::Result<()> {
    // A machine's settings have commas without spaces. Lines may break there.
    let text = text.replace(',', ", ").replace(",  ", ", ");
    let mut lines = wrapped(&text, WIDTH);
    heading(out, &lines.next().unwrap_or_default())?;
    lines.try_for_each(|line| styled_line(out, HEADING, &line))
}

// The requesters of a timer interval.

/// Writes a list as the whole output.
pub(super) fn asked(out: &mut Text, asked: &Asked) -> io::Result<()> {
    let of = asked.report.as_ref().map(|report| format!(" ({report})"));
    let place = place(&asked.origin);
    if let Some(what) = of.or((!place.is_empty()).then_some(place)) {
        title(out, &format!("Requests{what}"))?;
    }
    write_requesters(out, &asked.requesters)
}

/// Writes a list below other output.
fn write_requesters(out: &mut Text, requesters: &Requesters) -> io::Result<()> {
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
            for (index, line) in wrapped(meaning, WIDTH - 14).enumerate() {
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

// The interval, its changes, and its requesters; or the facts that matter on a system without one.

/// The width of the longest bar.
const BAR: f64 = 40.0;

/// Writes everything.
pub(super) fn now(out: &mut Text, now: &Now) -> io::Result<()> {
    match &now.interval {
        Some(observed) => interval(out, now, observed)?,
        None => timers(out, &now.environment)?,
    }
    if let Some(confidence) = &now.confidence {
        confidence::write(out, &[("the interval", confidence)])?;
    }
    match &now.requesters {
        Some(requesters) => write_requesters(out, requesters),
        None if now.interval.is_some() => {
            out.lines("\nto list the requesters: punctual resolution who")
        }
        None => Ok(()),
    }
}

fn interval(out: &mut Text, now: &Now, observed: &Observed) -> io::Result<()> {
    title(out, &format!("Timer interval{}", place(&now.origin)))?;
    for (name, nanos, meaning) in [
        ("maximum", observed.maximum_ns, "without requests"),
        (
            "minimum",
            observed.minimum_ns,
            "the shortest that can be requested",
        ),
        ("current", observed.current_ns, "at the last look"),
    ] {
        writeln!(out, "  {name} {:>10}  {meaning}", ms(nanos))?;
    }
    if let Some(nanos) = now.environment.system_time_increment_ns {
        let told = ms(nanos);
        writeln!(
            out,
            "  GetSystemTimeAdjustment tells {told}, whatever is in force"
        )?;
    }
    let (looks, time) = (observed.looks, nanos(observed.observed_ns));
    title(out, &format!("Read {looks} times in {time}"))?;
    for share in &observed.shares {
        let bar = "█".repeat(bar(share.share));
        let percent = share.share * 100.0;
        let line = format!("  {:>10} {percent:>6.1} %  {bar}", ms(share.interval_ns));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Every share that occurred is visible.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of a bar"
)]
fn bar(share: f64) -> usize {
    (share * BAR).round().max(1.0) as usize
}

/// A system where timers have interrupts of their own.
fn timers(out: &mut Text, environment: &Environment) -> io::Result<()> {
    title(out, "Timers of this machine")?;
    for (name, value) in facts(environment) {
        if let Some(value) = value {
            writeln!(out, "  {name:<15} {value}")?;
        }
    }
    out.lines("\nThere is no timer interval to request.")?;
    if environment.timer_slack_ns.is_some() {
        out.lines(
            "Timer slack is how much later than requested the kernel may end waits, so\n\
             that wake-ups can be shared. Each thread has its own.",
        )?;
    }
    Ok(())
}

fn facts(environment: &Environment) -> [(&'static str, Option<String>); 5] {
    let high_resolution = |high| match high {
        true => "high-resolution: each has an interrupt of its own",
        false => "only at the tick",
    };
    let tick = |hertz: u64| {
        let period = Duration::from_secs(1) / u32::try_from(hertz).unwrap_or(u32::MAX).max(1);
        format!("{hertz} Hz, every {}", quantity::show(period))
    };
    let slack = |ns| match ns {
        0 => "none".to_owned(),
        ns => nanos(ns),
    };
    let sources = environment.clock_sources_available.as_ref();
    [
        (
            "timers",
            environment
                .high_resolution_timers
                .map(high_resolution)
                .map(str::to_owned),
        ),
        ("tick", environment.tick_rate_hertz.map(tick)),
        ("timer slack", environment.timer_slack_ns.map(slack)),
        ("clock source", environment.clock_source.clone()),
        ("available", sources.map(|sources| sources.join(", "))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_have_three_digits_or_four() {
        assert_eq!(ms(500_000), "0.500 ms");
        assert_eq!(ms(15_625_000), "15.625 ms");
        assert_eq!(ms(999_700), "0.9997 ms");
    }
}
