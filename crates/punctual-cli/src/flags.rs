//! Flags that several commands have, and how their values are read.

mod conditions;
mod format;
pub mod intervals;
mod learning;
mod simulated;

pub use conditions::ConditionArgs;
pub use format::FormatArgs;
pub use learning::LearningArgs;
pub use simulated::{MachineName, OnArgs};

use punctual::Period;
use punctual_lab::quantity;
use std::time::Duration;

/// The shortest period that can be measured: reading the clock and counting take up to a
/// microsecond.
const SHORTEST_PERIOD: Duration = Duration::from_micros(1);

/// Reads a period that can be measured.
pub fn parse_period(text: &str) -> Result<Period, String> {
    let period = quantity::parse_period(text)?;
    if period.to_duration() < SHORTEST_PERIOD {
        return Err(format!(
            "'{text}' is too short to measure; the least is 1us"
        ));
    }
    Ok(period)
}

/// Reads a number of times.
pub fn parse_count(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(format!(
            "'{text}' is not a number of times; write 1 or more"
        )),
    }
}

/// Reads a timer interval that can be requested.
pub fn parse_interval(text: &str) -> Result<Duration, String> {
    let interval = quantity::parse_duration(text)?;
    if interval.is_zero() {
        return Err("an interval of zero cannot be requested; write one such as 1ms".to_owned());
    }
    Ok(interval)
}

/// Names with their descriptions, a line each, for the help.
pub fn listed<'a>(offers: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    /// The width of the longest name, `clock-nanosleep`, and some space.
    const NAME: usize = 17;
    offers
        .map(|(name, summary)| format!("  {name:NAME$}{summary}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual_lab::{Machine, Native};

    #[test]
    fn a_period_that_cannot_be_measured_is_refused() {
        assert!(parse_period("999ns").unwrap_err().contains("least is 1us"));
        assert!(parse_period("1us").is_ok());
    }

    #[test]
    fn the_lines_of_a_listing_fit_the_help() {
        /// 80 columns without the help's indentation.
        const ROOM: usize = 70;
        let (methods, ways) = (Native::methods(), Native::ways());
        let methods = methods.iter().map(|offer| (offer.name, offer.summary));
        let ways = ways.iter().map(|way| (way.name, way.summary));
        let text = listed(methods.chain(ways));
        for line in text.lines() {
            assert!(line.chars().count() <= ROOM, "{line}");
        }
    }
}
