//! The lateness at which something is done (`--until`, `--on-late`).

use punctual_data::quantity::parse_duration;
use punctual_trace::WakeUp;
use std::time::Duration;

/// A limit. A wake-up that is later exceeds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lateness(Duration);

impl Lateness {
    /// Whether a wake-up is later. One whose lateness is not known is not.
    pub fn is_exceeded_by(self, wake_up: &WakeUp) -> bool {
        let late = wake_up.lateness_ns().map(Duration::from_nanos);
        late.is_some_and(|late| late > self.0)
    }
}

/// A time: `2ms`.
pub fn parse_limit(text: &str) -> Result<Lateness, String> {
    parse_duration(text).map(Lateness)
}

/// A condition: `lateness>2ms`.
pub fn parse_until(text: &str) -> Result<Lateness, String> {
    let condition = text
        .split_once('>')
        .map(|(what, limit)| (what.trim(), limit.trim()));
    match condition {
        Some(("lateness", limit)) => parse_limit(limit),
        _ => Err(format!(
            "'{text}' is not a condition to end on; write one such as 'lateness>2ms'"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_names_lateness_and_a_time() {
        let limit = Lateness(Duration::from_millis(2));
        for text in ["lateness>2ms", " lateness > 2ms", "lateness>2000us"] {
            assert_eq!(parse_until(text), Ok(limit), "{text}");
        }
        for text in [
            "",
            "2ms",
            "lateness",
            "lateness>",
            "lateness<2ms",
            "p99>2ms",
            "lateness>2",
        ] {
            assert!(parse_until(text).is_err(), "{text}");
        }
    }
}
