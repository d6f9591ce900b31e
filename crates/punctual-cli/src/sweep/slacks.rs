//! `--slack`: one timer slack, or a range of them.

use punctual_data::quantity::parse_duration;
use std::time::Duration;

/// The most slacks whose labels fit the picture.
pub const MOST: usize = 20;

/// More than any program sets: a thread of Linux has 50 µs, and the longest sleep here is a
/// millisecond.
const LONGEST: Duration = Duration::from_secs(1);

/// The slacks of one `--slack`, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slacks(pub Vec<Duration>);

impl Slacks {
    /// Practically none, and then from 10 µs to the length of the sleeps themselves.
    pub fn usual() -> Self {
        let mut slacks = vec![Duration::from_nanos(1)];
        let (first, last) = (Duration::from_micros(10), Duration::from_millis(1));
        slacks.extend(steps_between(first, last));
        Self(slacks)
    }
}

/// Parses `50us` or `1us..1ms`.
pub fn parse(text: &str) -> Result<Slacks, String> {
    let Some((first, last)) = text.split_once("..") else {
        return Ok(Slacks(vec![parse_one(text)?]));
    };
    let (first, last) = (parse_one(first)?, parse_one(last)?);
    if last < first {
        return Err(format!(
            "'{text}' goes downwards; write the smaller first, as in 1us..1ms"
        ));
    }
    let mut slacks = vec![first];
    slacks.extend(steps_between(first, last));
    slacks.push(last);
    slacks.dedup();
    Ok(Slacks(slacks))
}

fn parse_one(text: &str) -> Result<Duration, String> {
    let slack = parse_duration(text)?;
    if slack.is_zero() || slack > LONGEST {
        return Err(format!(
            "'{text}' is not a timer slack; the least is 1ns, the most 1s"
        ));
    }
    Ok(slack)
}

/// One, two and five of every decade, from the first to the last.
fn steps_between(first: Duration, last: Duration) -> impl Iterator<Item = Duration> {
    let decades = std::iter::successors(Some(Duration::from_nanos(1)), |decade| {
        Some(*decade * 10).filter(|next| *next <= LONGEST)
    });
    let steps = decades.flat_map(|decade| [1, 2, 5].map(|digit| decade * digit));
    steps.filter(move |step| (first..=last).contains(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micros(slacks: &Slacks) -> Vec<f64> {
        let slacks = slacks.0.iter();
        slacks.map(|slack| slack.as_nanos() as f64 / 1e3).collect()
    }

    #[test]
    fn ranges_step_by_one_two_and_five_and_hold_both_ends() {
        assert_eq!(
            micros(&parse("30us..300us").unwrap()),
            [30.0, 50.0, 100.0, 200.0, 300.0]
        );
        assert_eq!(micros(&parse("1us..2us").unwrap()), [1.0, 2.0]);
        assert_eq!(micros(&parse("7us..7us").unwrap()), [7.0]);
        assert_eq!(micros(&parse("50us").unwrap()), [50.0]);
        assert_eq!(
            micros(&Slacks::usual()),
            [0.001, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0]
        );
    }

    #[test]
    fn what_is_no_slack_is_refused() {
        for (wrong, hint) in [
            ("0ns", "least is 1ns"),
            ("2s", "most 1s"),
            ("5", "a unit"),
            ("1ms..1us", "smaller first"),
        ] {
            let problem = parse(wrong).unwrap_err();
            assert!(problem.contains(hint), "{wrong}: {problem}");
        }
    }
}
