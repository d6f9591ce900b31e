//! What a lateness consists of, in words that both interpretations share.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// How far two interpretations of one wake-up may be apart, in nanoseconds: each tracer takes time between the readings
/// of the other.
pub const TOLERANCE: u64 = 5_000;

/// How far the parts may be apart beyond that, as one of so many of the lateness: they are sums of many readings.
const PER_LATENESS: u64 = 1_000;

/// What a lateness consists of: nanoseconds by part, none of them zero. Both interpretations name the parts so:
///
/// | part | what passed |
/// |---|---|
/// | `own` | the program itself was not ready to wait |
/// | `slack` | the timer was free to expire later |
/// | `interrupt-late` | the timer was due, and its interrupt had not come |
/// | `irq-handler` | the interrupt had come, and the thread was not ready |
/// | `thread-N` | the thread was ready, and this other one had its processor |
/// | `interrupts` | an interrupt or its deferred work had the processor |
/// | `idle` | the thread was ready, and its processor idle; or it was on its way to another |
/// | `after` | the thread ran, and its call had not returned |
/// | `ambiguous` | `idle` and `after`: the switch between them was not recorded |
/// | `throttled`, `stopped`, `blocked`, `lock`, `sleeping` | as they say |
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Parts(BTreeMap<String, u64>);

impl Parts {
    pub fn add(&mut self, part: &str, ns: u64) {
        if ns > 0 {
            *self.0.entry(part.to_owned()).or_default() += ns;
        }
    }

    pub fn add_all(&mut self, other: &Self) {
        other.0.iter().for_each(|(part, ns)| self.add(part, *ns));
    }

    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    pub fn greatest(&self) -> Option<&str> {
        let greatest = self.0.iter().max_by_key(|(_, ns)| **ns);
        greatest.map(|(part, _)| part.as_str())
    }

    /// By how much the part differs that differs most. What one could not tell apart is compared as one.
    pub fn differs(&self, other: &Self) -> Option<(u64, String)> {
        let is_ambiguous = [self, other]
            .iter()
            .any(|parts| parts.0.contains_key("ambiguous"));
        let [mine, theirs] = [self, other].map(|parts| {
            let mut compared = Self::default();
            for (part, ns) in &parts.0 {
                let merges = is_ambiguous && ["idle", "after"].contains(&part.as_str());
                compared.add(if merges { "ambiguous" } else { part }, *ns);
            }
            compared.0
        });
        let of = |parts: &BTreeMap<_, u64>, part| parts.get(part).copied().unwrap_or_default();
        let all = mine.keys().chain(theirs.keys());
        let apart = all.map(|part| (of(&mine, part).abs_diff(of(&theirs, part)), part.clone()));
        apart.max()
    }

    pub fn agrees(&self, other: &Self) -> bool {
        let apart = self.differs(other).map_or(0, |(apart, _)| apart);
        apart <= TOLERANCE + self.total() / PER_LATENESS
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<_> = self
            .0
            .iter()
            .map(|(part, ns)| format!("{ns} {part}"))
            .collect();
        f.write_str(&parts.join(" + "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts<const N: usize>(parts: [(&str, u64); N]) -> Parts {
        Parts(parts.map(|(part, ns)| (part.to_owned(), ns)).into())
    }

    #[test]
    fn readings_may_differ_and_parts_not() {
        let slack = parts([("slack", 50_000), ("after", 3_000)]);
        assert!(slack.agrees(&parts([("slack", 46_000)])));
        assert!(!slack.agrees(&parts([("slack", 44_000), ("after", 9_000)])));
        assert!(!slack.agrees(&parts([("throttled", 50_000), ("after", 3_000)])));
    }

    #[test]
    fn ambiguous_is_the_sum_of_two() {
        let apart = parts([("idle", 50_000), ("after", 8_000)]);
        assert!(apart.agrees(&parts([("ambiguous", 58_000)])));
        assert!(!apart.agrees(&parts([("ambiguous", 50_000)])));
    }
}
