//! Flags that several commands have, and how their values are read.

mod conditions;
pub mod intervals;
mod learning;
mod simulated;
mod standing;

pub use conditions::ConditionArgs;
pub use learning::LearningArgs;
pub use simulated::{MachineName, OnArgs};
pub use standing::StandingArgs;

use punctual::Period;
use punctual_data::quantity;
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

/// What stands below the list of what simulated machines offer.
#[cfg(feature = "sim")]
pub const PERSONAS_TOO: &str = "\nOn simulated machines also the waits of languages, such as \
                                python-3.10: see 'punctual personas'.\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_that_cannot_be_measured_is_refused() {
        assert!(parse_period("999ns").unwrap_err().contains("least is 1us"));
        assert!(parse_period("1us").is_ok());
    }
}
