//! `--with`: who else is on the machine, as people type it.

use crate::quantity::{self, parse_duration};
use punctual_lab::simulated::Companion;
use std::time::Duration;

/// Other programs' threads sleep for this long, in milliseconds, and then work for up to
/// [`SLEEPERS_WORK`]: what accounts best for how often an interval of 8 ms is cut short on Windows
/// 10 2004.
const SLEEPERS_MS: (u32, u32) = (1, 40);
const SLEEPERS_WORK: Duration = Duration::from_millis(1);

/// More than any machine has, and few enough to simulate.
const MOST_SLEEPERS: usize = 1_000;

/// Parses `requester=2ms`, `driver=1ms` or `sleepers=20`.
pub fn parse(text: &str) -> Result<Companion, String> {
    match text.split_once('=') {
        Some(("requester", interval)) => Ok(Companion::Requester {
            interval: parse_interval(interval)?,
        }),
        Some(("driver", interval)) => Ok(Companion::Driver {
            interval: parse_interval(interval)?,
        }),
        Some(("sleepers", threads)) => parse_sleepers(threads),
        _ => Err(format!(
            "'{text}' is no companion; write requester=2ms, driver=1ms or sleepers=20"
        )),
    }
}

/// Parses a timer interval that can be asked for.
pub fn parse_interval(text: &str) -> Result<Duration, String> {
    let interval = parse_duration(text)?;
    if interval.is_zero() {
        return Err("nobody can ask for an interval of zero; write one such as 1ms".to_owned());
    }
    Ok(interval)
}

fn parse_sleepers(text: &str) -> Result<Companion, String> {
    let threads = text
        .parse()
        .ok()
        .filter(|threads| (1..=MOST_SLEEPERS).contains(threads));
    let threads = threads
        .ok_or_else(|| format!("'{text}' is no number of threads; write 1 to {MOST_SLEEPERS}"))?;
    let (from, to) = SLEEPERS_MS;
    Ok(Companion::Sleepers {
        threads,
        from,
        to,
        most_work: SLEEPERS_WORK,
    })
}

/// A companion as it is typed.
pub fn show(companion: &Companion) -> String {
    let interval =
        |interval: Duration| quantity::show(interval).replace(".00", "").replace(' ', "");
    match *companion {
        Companion::Requester { interval: asked } => format!("requester={}", interval(asked)),
        Companion::Driver { interval: asked } => format!("driver={}", interval(asked)),
        Companion::Sleepers { threads, .. } => format!("sleepers={threads}"),
        Companion::Toggler {
            interval: asked, ..
        } => format!("toggler={}", interval(asked)),
        Companion::Load => "load".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn companions_are_shown_as_they_are_typed() {
        for text in ["requester=2ms", "driver=1ms", "sleepers=20"] {
            assert_eq!(
                parse(text).map(|companion| show(&companion)).as_deref(),
                Ok(text)
            );
        }
    }

    #[test]
    fn what_is_no_companion_is_refused_with_what_is() {
        for wrong in [
            "requester",
            "requester=0ms",
            "requester=2",
            "sleepers=0",
            "cat=1",
        ] {
            assert!(parse(wrong).unwrap_err().contains("write"), "{wrong}");
        }
    }
}
