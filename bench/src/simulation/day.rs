//! A loop of 1 kHz for a simulated day.

use super::model::{SLEEPS_OF_AN_HOUR, VERSION, loop_on_the_plain_machine, loop_on_windows};
use crate::failure::Failure;
use serde::Serialize;
use std::time::Duration;

/// 86.4 million sleeps.
pub const HOURS_OF_A_DAY: u64 = 24;

/// The plain machine's name.
const PLAIN: &str = "plain machine";

/// How long a day takes on one machine.
#[derive(Debug, Serialize)]
pub struct Day {
    pub machine: &'static str,
    /// How much of it was simulated: 24, or less and the rest is computed from that.
    pub simulated_hours: u64,
    /// Of processor time.
    pub day_seconds: f64,
}

impl Day {
    pub fn on_windows(hours: u64) -> Result<Self, Failure> {
        let took = loop_on_windows(hours * SLEEPS_OF_AN_HOUR)?;
        Ok(Self::of(VERSION, hours, took))
    }

    pub fn on_the_plain_machine(hours: u64) -> Result<Self, Failure> {
        let took = loop_on_the_plain_machine(hours * SLEEPS_OF_AN_HOUR)?;
        Ok(Self::of(PLAIN, hours, took))
    }

    fn of(machine: &'static str, simulated_hours: u64, took: Duration) -> Self {
        let part = simulated_hours as f64 / HOURS_OF_A_DAY as f64;
        Self {
            machine,
            simulated_hours,
            day_seconds: took.as_secs_f64() / part,
        }
    }

    /// Whether all of it was simulated.
    pub fn is_whole(&self) -> bool {
        self.simulated_hours >= HOURS_OF_A_DAY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_is_a_24th_of_a_day() {
        let hour = Day::of(PLAIN, 1, Duration::from_millis(500));
        assert!((hour.day_seconds - 12.0).abs() < 1e-9);
        assert!(!hour.is_whole());
        let day = Day::of(PLAIN, 24, Duration::from_secs(9));
        assert_eq!(day.day_seconds, 9.0);
        assert!(day.is_whole());
    }
}
