//! `--with`: who else is on the machine, as people type it.

use crate::quantity::parse_duration;
use punctual_lab::Companion;
use std::num::NonZeroUsize;
use std::time::Duration;

/// More than any program has, and few enough to simulate.
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
        .filter(|threads: &NonZeroUsize| threads.get() <= MOST_SLEEPERS);
    let threads = threads
        .ok_or_else(|| format!("'{text}' is no number of threads; write 1 to {MOST_SLEEPERS}"))?;
    Ok(Companion::Sleepers { threads })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn companions_are_shown_as_they_are_typed() {
        for text in [
            "requester=2ms",
            "requester=15.6ms",
            "driver=500µs",
            "sleepers=20",
        ] {
            let shown = parse(text).map(|companion| companion.to_string());
            assert_eq!(shown.as_deref(), Ok(text));
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
