//! What a lateness consists of, in words that both interpretations share.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Why some of a lateness passed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The program itself was not ready to wait.
    Own,
    /// The timer was free to expire later.
    Slack,
    /// The timer was due, and its interrupt had not come.
    InterruptLate,
    /// The interrupt had come, and the thread was not ready.
    IrqHandler,
    /// The thread was ready, and this other one had its processor.
    Thread(u32),
    /// An interrupt or its deferred work had the processor.
    Interrupts,
    /// The thread was ready, and its processor idle; or it was on its way to another.
    Idle,
    /// The thread ran, and its call had not returned.
    After,
    Throttled,
    Stopped,
    Blocked,
    Lock,
    Sleeping,
    /// The switch between ready and running was not recorded.
    Ambiguous,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Own => "own",
            Self::Slack => "slack",
            Self::InterruptLate => "interrupt-late",
            Self::IrqHandler => "irq-handler",
            Self::Thread(thread) => return write!(f, "thread-{thread}"),
            Self::Interrupts => "interrupts",
            Self::Idle => "idle",
            Self::After => "after",
            Self::Throttled => "throttled",
            Self::Stopped => "stopped",
            Self::Blocked => "blocked",
            Self::Lock => "lock",
            Self::Sleeping => "sleeping",
            Self::Ambiguous => "ambiguous",
        })
    }
}

impl Serialize for Part {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Nanoseconds by part, none of them zero.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Parts(BTreeMap<Part, u64>);

/// How far two interpretations of one wake-up may be apart, in nanoseconds: each tracer takes time
/// between the readings of the other.
pub const TOLERANCE: u64 = 5_000;

/// How far the parts may be apart beyond that, as one of so many of the lateness: they are sums of many
/// readings.
const PER_LATENESS: u64 = 1_000;

impl Parts {
    pub fn add(&mut self, part: Part, ns: u64) {
        if ns > 0 {
            *self.0.entry(part).or_default() += ns;
        }
    }

    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    pub fn greatest(&self) -> Option<&Part> {
        self.0
            .iter()
            .max_by_key(|(_, ns)| **ns)
            .map(|(part, _)| part)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Part, u64)> {
        self.0.iter().map(|(part, ns)| (part, *ns))
    }

    /// Whether all parts are equally long. What one has merged is compared as one.
    pub fn agrees(&self, other: &Self) -> bool {
        let is_ambiguous = [self, other]
            .iter()
            .any(|parts| parts.0.contains_key(&Part::Ambiguous));
        let (mine, theirs) = match is_ambiguous {
            true => (&self.with_ambiguous(), &other.with_ambiguous()),
            false => (self, other),
        };
        let keys = mine.0.keys().chain(theirs.0.keys());
        let of = |parts: &Self, key| parts.0.get(key).copied().unwrap_or_default();
        let mut differences = keys.map(|key| of(mine, key).abs_diff(of(theirs, key)));
        let tolerance = TOLERANCE + self.total() / PER_LATENESS;
        differences.all(|difference| difference <= tolerance)
    }

    fn with_ambiguous(&self) -> Self {
        let mut ambiguous = Self::default();
        for (part, ns) in self.iter() {
            let part = match part {
                Part::Idle | Part::After => Part::Ambiguous,
                other => other.clone(),
            };
            ambiguous.add(part, ns);
        }
        ambiguous
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (part, ns)) in self.iter().enumerate() {
            let plus = if index == 0 { "" } else { " + " };
            write!(f, "{plus}{ns} {part}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts<const N: usize>(of: [(Part, u64); N]) -> Parts {
        let mut parts = Parts::default();
        for (part, ns) in of {
            parts.add(part, ns);
        }
        parts
    }

    #[test]
    fn agreement_is_about_every_part() {
        let slack = parts([(Part::Slack, 50_000), (Part::After, 3_000)]);
        assert!(slack.agrees(&parts([(Part::Slack, 46_000)])));
        assert!(!slack.agrees(&parts([(Part::Slack, 44_000), (Part::After, 9_000)])));
        assert!(!slack.agrees(&parts([(Part::Throttled, 50_000), (Part::After, 3_000)])));
    }

    #[test]
    fn another_culprit_is_no_agreement() {
        let one = parts([(Part::Thread(1), 50_000)]);
        assert!(!one.agrees(&parts([(Part::Thread(2), 50_000)])));
    }

    #[test]
    fn ambiguous_is_the_sum_of_two() {
        let apart = parts([(Part::Idle, 50_000), (Part::After, 8_000)]);
        assert!(apart.agrees(&parts([(Part::Ambiguous, 58_000)])));
        assert!(!apart.agrees(&parts([(Part::Ambiguous, 50_000)])));
    }
}
