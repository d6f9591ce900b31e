//! Recordings of a loaded machine: what waits met under several fixed policies, in turns of one run.
//!
//! A policy is a slice of the scheduler and a margin. Each line is a block of waits under one of
//! them: `default` or the slice in microseconds, the margin in microseconds, and what each wait met,
//! in tenths of a microsecond. `173` is a wake-up latency. `173+52` is one whose spin ended so long
//! after the deadline, because the thread lost its processor. `-` is a wait that was spun whole.

use super::Outcome;
use super::hindsight::Hindsight;
use super::trace::{Malformed, Met, Recorded};
use std::collections::BTreeMap;
use std::path::Path;

/// All blocks of a file.
#[derive(Debug, Clone)]
pub struct Policies {
    pub name: String,
    pub period_ns: u64,
    /// Of each slice, `default` among them.
    slices: BTreeMap<String, Slice>,
}

/// What waits met with one slice, by the margin in nanoseconds.
type Slice = BTreeMap<u64, Vec<Met>>;

/// One slice of a recording: what is replayed.
#[derive(Debug)]
pub struct Sliced<'a> {
    name: String,
    period_ns: u64,
    margins: &'a Slice,
}

/// The slice that a thread has if nobody set one.
pub const DEFAULT: &str = "default";

/// The unit of what waits met.
pub const UNIT_NANOS: u64 = 100;

const NANOS_PER_MICRO: u64 = 1_000;

impl Policies {
    pub fn parse(path: &Path, name: String, period_ns: u64, text: &str) -> Result<Self, Malformed> {
        let mut slices: BTreeMap<String, Slice> = BTreeMap::new();
        let lines = text.lines().enumerate();
        for (index, line) in lines.filter(|(_, line)| !line.starts_with('#')) {
            let malformed = || {
                let beginning = line.chars().take(40).collect();
                Malformed::Block(path.to_owned(), index + 1, beginning)
            };
            let (slice, margin, met) = block(line).ok_or_else(malformed)?;
            let margins = slices.entry(slice).or_default();
            margins.entry(margin).or_default().extend(met);
        }
        if slices.is_empty() {
            return Err(Malformed::Empty(path.to_owned()));
        }
        Ok(Self {
            name,
            period_ns,
            slices,
        })
    }

    /// Each slice, and what a program that may have it can choose from.
    pub fn slices(&self) -> Vec<(Sliced<'_>, Fixed)> {
        let sliced = |(slice, margins)| Sliced {
            name: match slice {
                DEFAULT => format!("{}, default slice", self.name),
                _ => format!("{}, slice {slice} µs", self.name),
            },
            period_ns: self.period_ns,
            margins,
        };
        let all: Vec<(&str, &Slice)> = self.slices.iter().map(|(s, m)| (s.as_str(), m)).collect();
        let fixed = |slice: &str| {
            let may_have = all
                .iter()
                .filter(|(other, _)| *other == DEFAULT || *other == slice);
            Fixed(
                may_have
                    .flat_map(|&(s, m)| outcomes(&sliced((s, m))))
                    .collect(),
            )
        };
        all.iter()
            .map(|&(s, m)| (sliced((s, m)), fixed(s)))
            .collect()
    }
}

fn block(line: &str) -> Option<(String, u64, Vec<Met>)> {
    let mut words = line.split(' ');
    let slice = words.next()?;
    if slice != DEFAULT {
        slice.parse::<u64>().ok()?;
    }
    let margin = words
        .next()?
        .parse::<u64>()
        .ok()?
        .checked_mul(NANOS_PER_MICRO)?;
    let met = words.map(met).collect::<Option<Vec<_>>>()?;
    (!met.is_empty()).then(|| (slice.to_owned(), margin, met))
}

fn met(word: &str) -> Option<Met> {
    let nanos = |number: &str| number.parse::<u64>().ok()?.checked_mul(UNIT_NANOS);
    let (latency, overrun) = word.split_once('+').unwrap_or((word, "0"));
    Some(Met {
        latency_ns: if latency == "-" { 0 } else { nanos(latency)? },
        overrun_ns: nanos(overrun)?,
    })
}

impl Sliced<'_> {
    /// The margins that were recorded, in nanoseconds.
    pub fn margins(&self) -> impl Iterator<Item = u64> {
        self.margins.keys().copied()
    }
}

impl Recorded for Sliced<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn period_ns(&self) -> u64 {
        self.period_ns
    }

    /// As many as there are under every policy.
    fn waits(&self) -> usize {
        self.margins.values().map(Vec::len).min().unwrap_or(0)
    }

    /// What the wait of this turn met under the policy that comes closest.
    fn met(&self, turn: usize, margin: u64) -> Met {
        let closest = self
            .margins
            .iter()
            .min_by_key(|(recorded, _)| recorded.abs_diff(margin));
        closest.map_or(Met::default(), |(_, met)| met[turn])
    }
}

/// What the fixed policies of a recording came to.
#[derive(Debug)]
pub struct Fixed(Vec<Outcome>);

fn outcomes(sliced: &Sliced<'_>) -> Vec<Outcome> {
    let fixed = |margin| super::replay(sliced, &mut super::rules::Fixed(margin));
    sliced.margins().map(fixed).collect()
}

impl Hindsight for Fixed {
    fn spin_ns(&self, late_share: f64) -> Option<f64> {
        let allowed = self
            .0
            .iter()
            .filter(|outcome| outcome.late_share() <= late_share);
        allowed.map(Outcome::spin_ns).min_by(f64::total_cmp)
    }

    fn late_share(&self, spun_share: f64) -> Option<f64> {
        let allowed = self
            .0
            .iter()
            .filter(|outcome| outcome.spun_share() <= spun_share);
        allowed.map(Outcome::late_share).min_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Policies, Malformed> {
        Policies::parse(
            Path::new("busy-1ms.policies"),
            "busy-1ms".to_owned(),
            1_000_000,
            text,
        )
    }

    #[test]
    fn the_closest_policy_says_what_a_wait_meets() {
        let text =
            "# a comment\ndefault 0 170 900\n100 0 160 800\n100 60 150+20 30000\n100 60 140\n";
        let policies = parsed(text).unwrap();
        let slices = policies.slices();
        let names: Vec<&str> = slices.iter().map(|(sliced, _)| sliced.name()).collect();
        assert_eq!(names, ["busy-1ms, slice 100 µs", "busy-1ms, default slice"]);
        let short = &slices[0].0;
        assert_eq!(short.waits(), 2);
        assert_eq!(short.met(0, 20_000).latency_ns, 16_000);
        let met = short.met(0, 45_000);
        assert_eq!((met.latency_ns, met.overrun_ns), (15_000, 2_000));
        assert_eq!(short.met(1, 45_000).latency_ns, 3_000_000);
    }

    #[test]
    fn the_best_policy_is_one_that_the_thread_may_have() {
        // Punctual in one of two waits with the default slice, and in both with the short one.
        let text = "default 0 170 170\ndefault 60 150 900\n100 60 200 200";
        let policies = parsed(text).unwrap();
        let best: Vec<_> = policies
            .slices()
            .iter()
            .map(|(_, fixed)| fixed.late_share(0.05))
            .collect();
        assert_eq!(best, [Some(0.0), Some(0.5)]);
        let spin: Vec<_> = policies
            .slices()
            .iter()
            .map(|(_, fixed)| fixed.spin_ns(0.0))
            .collect();
        assert_eq!(spin, [Some(40_000.0), None]);
    }

    #[test]
    fn a_malformed_block_is_named() {
        for line in [
            "default",
            "default 60",
            "short 60 170",
            "100 x 170",
            "100 60 1.5",
            "100 60 +",
            "100 60 17+",
        ] {
            let refused = parsed(&format!("100 0 170\n{line}\n"))
                .unwrap_err()
                .to_string();
            assert!(refused.starts_with("busy-1ms.policies:2: "), "{refused}");
        }
        assert!(matches!(parsed("# nothing\n"), Err(Malformed::Empty(_))));
    }
}
