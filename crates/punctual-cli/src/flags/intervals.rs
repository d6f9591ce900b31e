//! `--interval`: one interval, or a range of them.

use punctual_data::quantity::parse_duration;
use std::time::Duration;

/// The most rows of a readable table.
pub const MOST: usize = 60;

const STEP: Duration = Duration::from_millis(1);

/// Windows takes requests in units of 100 ns.
const UNIT_NS: u32 = 100;

/// The intervals of one `--interval`, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intervals(pub Vec<Duration>);

impl Intervals {
    /// The intervals of the article.
    pub fn of_the_article() -> Self {
        Self((1..=15).map(Duration::from_millis).collect())
    }

    /// A third of them, which show most of the curve.
    pub fn few() -> Self {
        Self([1, 2, 4, 8, 15].map(Duration::from_millis).to_vec())
    }
}

/// Parses `2ms` or `1ms..15ms`.
pub fn parse(text: &str) -> Result<Intervals, String> {
    let Some((first, last)) = text.split_once("..") else {
        return Ok(Intervals(vec![parse_one(text)?]));
    };
    let range = Range::between(text, first, last)?;
    if range.steps(STEP) > MOST as u128 {
        return Err(format!("'{text}' has more than {MOST} steps of 1ms"));
    }
    Ok(Intervals(range.in_steps_of(STEP)))
}

/// Intervals from one to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The shortest of them.
    pub first: Duration,
    /// The longest of them.
    pub last: Duration,
}

impl Range {
    fn between(text: &str, first: &str, last: &str) -> Result<Self, String> {
        let (first, last) = (parse_one(first)?, parse_one(last)?);
        if last < first {
            return Err(format!(
                "'{text}' goes downwards; write the smaller first, as in 1ms..15ms"
            ));
        }
        Ok(Self { first, last })
    }

    /// The number of intervals in steps of this length.
    pub fn steps(self, step: Duration) -> u128 {
        (self.last - self.first).as_nanos() / step.as_nanos() + 1
    }

    /// Those intervals, ascending.
    pub fn in_steps_of(self, step: Duration) -> Vec<Duration> {
        let from_first = std::iter::successors(Some(self.first), |before| Some(*before + step));
        from_first
            .take_while(|interval| *interval <= self.last)
            .collect()
    }
}

/// Parses `0.5ms..1ms`, or one interval as a range of itself.
pub fn parse_range(text: &str) -> Result<Range, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    Range::between(text, first, last)
}

/// Parses one interval that can be requested.
pub fn parse_one(text: &str) -> Result<Duration, String> {
    let interval = parse_duration(text)?;
    let in_units = interval.subsec_nanos() % UNIT_NS == 0;
    if interval.is_zero() || !in_units {
        return Err(format!(
            "'{text}' cannot be requested; write whole units of 100 ns above zero, such as 1ms"
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
    fn a_range_in_steps_of_ones_own() {
        let range = parse_range("0.5ms..1ms").unwrap();
        let step = Duration::from_micros(2);
        let steps = range.in_steps_of(step);
        assert_eq!((steps.len(), range.steps(step)), (251, 251));
        assert_eq!(steps.last(), Some(&Duration::from_millis(1)));
        assert_eq!(parse_range("2ms").unwrap().in_steps_of(step).len(), 1);
        assert!(parse_range("1ms..0.5ms").is_err());
    }

    #[test]
    fn impossible_requests_are_refused() {
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
