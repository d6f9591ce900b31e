//! A condition that is varied: the measurement is made once under each of its values.

use crate::machine::Machine;
use punctual::Error;
use punctual_data::quantity::{parse_duration, write_duration};
use punctual_data::written;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What can be varied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// The timer slack of the waiting thread, on Linux.
    Slack,
    /// The interval that the waiting process requests, on Windows.
    Request,
    /// The interval that another process requests, which does nothing else.
    Requester,
}

impl Condition {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Slack, Self::Request, Self::Requester];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Slack => "slack",
            Self::Request => "request",
            Self::Requester => "requester",
        }
    }

    fn named(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == text)
    }

    /// The unit of its values.
    fn unit(self) -> Duration {
        match self {
            Self::Slack => Duration::from_nanos(1),
            // Windows takes requests in these.
            Self::Request | Self::Requester => Duration::from_nanos(100),
        }
    }

    pub(crate) fn is_offered<M: Machine>(self) -> bool {
        match self {
            Self::Slack => M::HAS_SLACK,
            Self::Request | Self::Requester => M::HAS_INTERVAL,
        }
    }
}

/// As in "a request of 2 ms".
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Slack => "a timer slack",
            Self::Request => "a request",
            Self::Requester => "another process's request",
        })
    }
}

/// A condition and its values. Written as `slack=1ns,50us`; a range such as `1ns..1ms` has a few values between its ends, and
/// `0.5ms..0.51ms/2us` one every 2 µs.
///
/// ```
/// use punctual_lab::vary::Vary;
///
/// let vary: Vary = "request=1ms..15ms".parse()?;
/// assert_eq!(vary.values.len(), 15);
/// let vary: Vary = "slack=1ns,10us..50us".parse()?;
/// assert_eq!(vary.to_string(), "slack=1ns,10us,20us,50us");
/// # Ok::<(), punctual::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vary {
    /// What is varied.
    pub condition: Condition,
    /// Its values, ascending, each once.
    #[serde(rename = "values_ns", with = "written::many_nanos")]
    pub values: Vec<Duration>,
}

/// More values than a person reads.
const MOST: usize = 1_001;

/// The most values that a range has by itself: one for each millisecond of the longest usual interval.
const FEW: usize = 16;

/// Longer than any interval, and more slack than any program has.
const LONGEST: Duration = Duration::from_secs(1);

impl Vary {
    fn value(condition: Condition, text: &str) -> Result<Duration, Error> {
        let value = parse_duration(text).map_err(Error::invalid_input)?;
        let unit = condition.unit();
        let is_whole = value.as_nanos().is_multiple_of(unit.as_nanos());
        if value < unit || value > LONGEST || !is_whole {
            let unit = write_duration(unit);
            return Err(Error::invalid_input(format!(
                "'{text}' is no {}; write whole units of {unit} up to 1s, such as 1ms",
                condition.name()
            )));
        }
        Ok(value)
    }

    /// The values of `1ns`, of `1ns..1ms`, or of `0.5ms..0.51ms/2us`.
    fn values(condition: Condition, text: &str) -> Result<Vec<Duration>, Error> {
        let value = |text| Self::value(condition, text);
        let (range, step) = match text.split_once('/') {
            Some((range, step)) => (range, Some(value(step)?)),
            None => (text, None),
        };
        let Some((first, last)) = range.split_once("..") else {
            return match step {
                None => Ok(vec![value(range)?]),
                Some(_) => Err(Error::invalid_input(format!(
                    "'{text}' has a step and no range; write 1ms..2ms/100us"
                ))),
            };
        };
        let ends = (value(first)?, value(last)?);
        if ends.1 < ends.0 {
            return Err(Error::invalid_input(format!(
                "'{range}' goes downwards; write the smaller first, as in 1us..1ms"
            )));
        }
        match (step, condition) {
            (Some(step), _) => in_steps(ends, step).ok_or_else(too_many),
            (None, Condition::Slack) => Ok(in_decades(ends)),
            (None, _) => Ok(in_round_steps(ends, condition.unit())),
        }
    }
}

fn too_many() -> Error {
    Error::invalid_input(format!("more than {MOST} values; write a longer step"))
}

/// From the first on, and never more than can be read.
fn in_steps((first, last): (Duration, Duration), step: Duration) -> Option<Vec<Duration>> {
    let steps = usize::try_from((last - first).as_nanos() / step.as_nanos()).ok()?;
    let values =
        |steps| std::iter::successors(Some(first), |before| Some(*before + step)).take(steps + 1);
    (steps < MOST).then(|| values(steps).collect())
}

/// One, two and five of every decade, or one, between the ends.
fn in_decades((first, last): (Duration, Duration)) -> Vec<Duration> {
    let decades = || std::iter::successors(Some(Duration::from_nanos(1)), |one| Some(*one * 10));
    let with = |digits: &[u32]| {
        let inside = |value: &Duration| first < *value && *value < last;
        let all = decades().take_while(|decade| *decade <= last);
        let all = all.flat_map(|decade| digits.iter().map(move |digit| decade * *digit));
        let mut values: Vec<_> = [first].into_iter().chain(all.filter(inside)).collect();
        values.push(last);
        values.dedup();
        values
    };
    let values = with(&[1, 2, 5]);
    if values.len() < FEW {
        values
    } else {
        with(&[1])
    }
}

/// In the shortest round step that gives few values.
fn in_round_steps(ends: (Duration, Duration), unit: Duration) -> Vec<Duration> {
    let decades = std::iter::successors(Some(unit), |one| Some(*one * 10));
    let mut steps = decades.flat_map(|decade| [1, 2, 5].map(|digit| decade * digit));
    let values = steps.find_map(|step| in_steps(ends, step).filter(|values| values.len() <= FEW));
    values.unwrap_or_default()
}

impl FromStr for Vary {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let split = text.split_once('=');
        let known = split.and_then(|(name, values)| Some((Condition::named(name)?, values)));
        let (condition, values) = known.ok_or_else(|| {
            let names = Condition::ALL.map(Condition::name).join(", ");
            Error::invalid_input(format!(
                "'{text}' varies nothing; write values of one of {names}, as in slack=1ns..1ms"
            ))
        })?;
        let parts = values.split(',').map(|part| Self::values(condition, part));
        let mut values = parts.collect::<Result<Vec<_>, _>>()?.concat();
        values.sort_unstable();
        values.dedup();
        if values.len() > MOST {
            return Err(too_many());
        }
        Ok(Self { condition, values })
    }
}

impl fmt::Display for Vary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<_> = self.values.iter().copied().map(write_duration).collect();
        write!(f, "{}={}", self.condition.name(), values.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        text.parse::<Vary>().unwrap().to_string()
    }

    #[test]
    fn a_range_has_few_values_and_both_ends() {
        for (range, values) in [
            ("slack=30us..300us", "slack=30us,50us,100us,200us,300us"),
            ("slack=1ns..1ms", "slack=1ns,10ns,100ns,1us,10us,100us,1ms"),
            ("slack=7us..7us", "slack=7us"),
            (
                "request=0.5ms..0.8ms",
                "request=500us,520us,540us,560us,580us,600us,620us,640us,660us,680us,700us,720us,740us,760us,780us,800us",
            ),
            (
                "requester=1ms..9ms/4ms,15ms,5ms",
                "requester=1ms,5ms,9ms,15ms",
            ),
            ("request=1ms..1.11ms/50us", "request=1ms,1.05ms,1.1ms"),
        ] {
            assert_eq!(written(range), values, "{range}");
            assert_eq!(written(values), values);
        }
    }

    #[test]
    fn what_cannot_be_varied_is_refused_with_what_would_be_right() {
        for (wrong, hint) in [
            ("slack", "as in slack=1ns..1ms"),
            ("", "one of slack, request, requester"),
            ("load=1..2", "one of slack"),
            ("slack=", "such as"),
            ("slack=0ns", "units of 1ns"),
            ("slack=2s", "up to 1s"),
            ("slack=5", "a unit"),
            ("slack=1ms..1us", "smaller first"),
            ("slack=1us,,2us", "such as"),
            ("request=150ns", "units of 100ns"),
            ("request=1ms/1us", "no range"),
            ("request=1ms..2ms/0us", "units of 100ns"),
            ("request=1ms..1s/100us", "longer step"),
            ("request=..5ms", "such as"),
        ] {
            let problem = wrong.parse::<Vary>().unwrap_err().to_string();
            assert!(problem.contains(hint), "{wrong}: {problem}");
        }
    }
}
