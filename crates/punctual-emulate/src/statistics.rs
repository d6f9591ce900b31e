//! What a program's waits have been, per process, call and rule.

use crate::call::Call;
use crate::timer_policy::{Over, ProcessId};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The most processes of one name that have rows of their own. Those of a build's thousands of compilers
/// would hide everything else.
const MOST_OF_A_NAME: usize = 8;

/// The most waits of a row whose lengths are kept. Of more, a sample of this many.
const MOST_KEPT: usize = 20_000;

/// One wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// What the program asked for.
    pub asked: Duration,
    /// How long it took.
    pub taken: Duration,
    /// By how much its end was moved beyond what was asked.
    pub longer: Duration,
    /// How it ended.
    pub over: Over,
}

/// What tells rows apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The process's executable.
    pub name: String,
    /// Its number, unless there were too many of that name.
    pub process: Option<ProcessId>,
    /// The call.
    pub call: Call,
    /// The persona or the family that said what it stands for.
    pub rule: &'static str,
}

/// The waits of one process by one call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// How many.
    pub waits: u64,
    /// How many ended because their time had come.
    pub timed_out: u64,
    /// How many ended by what they waited for.
    pub events: u64,
    /// How many a signal or an exit ended.
    pub interrupted: u64,
    /// How many of those that timed out ended later than was asked.
    pub lengthened: u64,
    /// By how much, all together.
    pub longer: Duration,
    /// What was asked for and what it took, of those that timed out: all, or a sample.
    pub kept: Vec<(Duration, Duration)>,
    drawn: u64,
}

/// What a program's waits have been.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    rows: BTreeMap<Key, Row>,
    /// By name: the processes that have rows of their own.
    own: BTreeMap<String, BTreeSet<ProcessId>>,
    runtimes: BTreeMap<String, BTreeSet<String>>,
    not_steered: BTreeMap<(String, String), u64>,
    firings: u64,
}

impl Statistics {
    /// Adds a wait.
    pub fn add(&mut self, whose: (ProcessId, &str), which: (Call, &'static str), sample: Sample) {
        let (process, name) = whose;
        let own = self.own.entry(name.to_owned()).or_default();
        let has_own = own.contains(&process) || own.len() < MOST_OF_A_NAME;
        if has_own {
            own.insert(process);
        }
        let key = Key {
            name: name.to_owned(),
            process: has_own.then_some(process),
            call: which.0,
            rule: which.1,
        };
        self.rows.entry(key).or_default().add(sample);
    }

    /// A process of this name is, in words.
    pub fn runs(&mut self, name: &str, what: &str) {
        let known = self.runtimes.entry(name.to_owned()).or_default();
        known.insert(what.to_owned());
    }

    /// Something that could not be steered.
    pub fn cannot_steer(&mut self, name: &str, what: &str) {
        let key = (name.to_owned(), what.to_owned());
        *self.not_steered.entry(key).or_default() += 1;
    }

    /// A timer that repeats has fired.
    pub fn fires(&mut self) {
        self.firings += 1;
    }

    /// Every row.
    pub fn rows(&self) -> impl Iterator<Item = (&Key, &Row)> {
        self.rows.iter()
    }

    /// What each executable was taken for.
    pub fn runtimes(&self) -> impl Iterator<Item = (&str, &str)> {
        let names = self.runtimes.iter();
        names.flat_map(|(name, all)| all.iter().map(move |what| (name.as_str(), what.as_str())))
    }

    /// What could not be steered, in which executable, and how often.
    pub fn not_steered(&self) -> impl Iterator<Item = (&str, &str, u64)> {
        let all = self.not_steered.iter();
        all.map(|((name, what), times)| (name.as_str(), what.as_str(), *times))
    }

    /// How often timers that repeat have fired.
    pub fn firings(&self) -> u64 {
        self.firings
    }
}

impl Row {
    fn add(&mut self, sample: Sample) {
        self.waits += 1;
        match sample.over {
            Over::TimedOut => self.timed_out += 1,
            Over::Event => self.events += 1,
            Over::Interrupted => self.interrupted += 1,
        }
        if sample.over != Over::TimedOut {
            return;
        }
        if !sample.longer.is_zero() {
            self.lengthened += 1;
            self.longer += sample.longer;
        }
        let pair = (sample.asked, sample.taken);
        if self.kept.len() < MOST_KEPT {
            self.kept.push(pair);
            return;
        }
        // Each of all waits is kept with the same probability.
        self.drawn += 1;
        let mut chance = punctual_sim::random::Random::stream(self.drawn, self.timed_out);
        if let Ok(place) = usize::try_from(chance.between(0, self.timed_out - 1))
            && let Some(kept) = self.kept.get_mut(place)
        {
            *kept = pair;
        }
    }

    /// The value of all kept that this share is not above, if there is any: 0.5 for the median.
    pub fn quantile(
        &self,
        share: f64,
        of: impl Fn(&(Duration, Duration)) -> Duration,
    ) -> Option<Duration> {
        let mut values: Vec<Duration> = self.kept.iter().map(of).collect();
        values.sort_unstable();
        let last = values.len().checked_sub(1)?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a place in a list, between its ends"
        )]
        let place = (share * last as f64).round() as usize;
        values.get(place.min(last)).copied()
    }
}
