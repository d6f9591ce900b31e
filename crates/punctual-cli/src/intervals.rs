//! `--interval`: one interval, or a range of them.

use crate::quantity::parse_duration;
use std::time::Duration;

/// More than a table for people wants.
pub const MOST: usize = 60;

const STEP: Duration = Duration::from_millis(1);

/// Windows takes requests in units of 100 ns.
const UNIT_NS: u32 = 100;

/// What one `--interval` names, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intervals(pub Vec<Duration>);

impl Intervals {
    /// What the article looks at.
    pub fn of_the_article() -> Self {
        Self((1..=15).map(Duration::from_millis).collect())
    }
}

/// Parses `2ms` or `1ms..15ms`.
pub fn parse(text: &str) -> Result<Intervals, String> {
    let Some((first, last)) = text.split_once("..") else {
        return Ok(Intervals(vec![parse_one(text)?]));
    };
    let (first, last) = (parse_one(first)?, parse_one(last)?);
    if last < first {
        return Err(format!("'{text}' goes downwards; write 1ms..15ms"));
    }
    if (last - first).as_nanos() / STEP.as_nanos() >= MOST as u128 {
        return Err(format!("'{text}' has more than {MOST} steps of 1ms"));
    }
    let from_first = std::iter::successors(Some(first), |interval| Some(*interval + STEP));
    Ok(Intervals(
        from_first
            .take_while(|interval| *interval <= last)
            .collect(),
    ))
}

fn parse_one(text: &str) -> Result<Duration, String> {
    let interval = parse_duration(text)?;
    let in_units = interval.subsec_nanos() % UNIT_NS == 0;
    if interval.is_zero() || !in_units {
        return Err(format!(
            "'{text}' cannot be asked for; write whole units of 100 ns above zero, such as 1ms"
        ));
    }
    Ok(interval)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_goes_in_milliseconds_and_has_both_ends() {
        assert_eq!(parse("1ms..15ms"), Ok(Intervals::of_the_article()));
        assert_eq!(parse("500us").unwrap().0, [Duration::from_micros(500)]);
        let halves = [500, 1_500].map(Duration::from_micros);
        assert_eq!(parse("0.5ms..2ms").unwrap().0, halves);
        assert_eq!(parse("2ms..2ms").unwrap().0.len(), 1);
    }

    #[test]
    fn what_nobody_can_ask_for_is_refused() {
        for (wrong, hint) in [
            ("0ms", "such as 1ms"),
            ("50ns", "100 ns"),
            ("5", "a unit"),
            ("..5ms", "a unit"),
            ("5ms..1ms", "downwards"),
            ("1ms..61ms", "more than 60"),
            ("1ms..9h", "more than 60"),
        ] {
            assert!(parse(wrong).unwrap_err().contains(hint), "{wrong}");
        }
    }
}
