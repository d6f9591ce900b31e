//! The lateness at which a trace ends (`--until`).

use punctual_data::quantity::parse_duration;
use std::time::Duration;

/// A condition: `lateness>2ms`.
pub fn parse_until(text: &str) -> Result<Duration, String> {
    let condition = text
        .split_once('>')
        .map(|(what, limit)| (what.trim(), limit.trim()));
    match condition {
        Some(("lateness", limit)) => parse_duration(limit),
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
        let limit = Duration::from_millis(2);
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
