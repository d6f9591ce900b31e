//! How far Punctual and the reference agree about each wake-up of a program.

use super::condition::{Condition, SOCKET};
use super::parts::{Parts, TOLERANCE};
use super::reference::{Truth, Verdict};
use super::subject::Entry;
use crate::failure::Failure;
use crate::report::{Cell, micros};
use crate::row;
use serde::Deserialize;

/// What `punctual explain --json` says.
#[derive(Debug, Deserialize)]
pub struct Explanation {
    wakeups: Vec<Found>,
}

/// A wake-up that Punctual found.
#[derive(Debug, Deserialize)]
struct Found {
    /// `name-number`, as the thread was named then.
    thread: String,
    /// None if it is not known.
    deadline_ns: Option<u64>,
    woke_ns: u64,
    /// `exact`, `ambiguous`, or why it is not explained.
    verdict: String,
    segments: Vec<Segment>,
}

#[derive(Debug, Deserialize)]
struct Segment {
    cause: String,
    occupant: String,
    ns: u64,
}

impl Found {
    /// In the words of both.
    fn parts(&self) -> Parts {
        let mut parts = Parts::default();
        for Segment {
            cause,
            occupant,
            ns,
        } in &self.segments
        {
            let part = match cause.as_str() {
                "armed-late" => "own",
                "asked-late" => "slack",
                "run-queue-wait"
                | "preempted"
                | "slice-expired"
                | "picked-another"
                | "wake-up-preemption-delay" => {
                    let number = occupant.rsplit('-').next().unwrap_or_default();
                    parts.add(&format!("thread-{number}"), *ns);
                    continue;
                }
                "interrupt" | "softirq" => "interrupts",
                "idle-exit" | "migration" => "idle",
                "after-switch" => "after",
                same => same,
            };
            parts.add(part, *ns);
        }
        parts
    }
}

/// One condition, compared.
#[derive(Debug, Default)]
pub struct Agreement {
    /// The wake-ups of the program's own log that were compared.
    pub wake_ups: u64,
    /// Those that were not, because perf has not recorded all of them.
    pub unseen: u64,
    /// In how many all parts are equally long, to within 5 µs.
    pub agreed: u64,
    /// In how many the greatest part is the same.
    pub same_cause: u64,
    /// In how many the lateness is the same, to within 5 µs.
    pub same_length: u64,
    /// How many Punctual did not explain, or did not find.
    pub unexplained: u64,
    /// How many have another name than the thread had.
    pub misnamed: u64,
    /// What passed in all, by the reference.
    pub parts: Parts,
    /// Where they do not agree: rows of a table.
    pub disagreements: Vec<Vec<Cell>>,
}

impl Agreement {
    /// Compares what was logged.
    pub fn of(
        condition: Condition,
        log: &[(Entry, Verdict)],
        explanation: &Explanation,
    ) -> Result<Self, Failure> {
        let mut agreement = Self::default();
        for (entry, verdict) in log {
            let found = explanation.found(entry);
            match verdict {
                Verdict::Timer(truth) => agreement.note(entry, Some(truth), found),
                Verdict::NoTimer => agreement.note(entry, None, found),
                Verdict::Unseen => agreement.unseen += 1,
            }
        }
        if agreement.wake_ups == 0 {
            return Err("perf saw no wake-up of the program".into());
        }
        if condition.way != SOCKET && agreement.parts.total() == 0 {
            return Err("perf saw no timer of the program".into());
        }
        Ok(agreement)
    }

    fn note(&mut self, entry: &Entry, truth: Option<&Truth>, found: Option<&Found>) {
        let none = Parts::default();
        let reference = truth.map_or(&none, |truth| &truth.parts);
        let ours = found.map(Found::parts).unwrap_or_default();
        let same = match (truth, found) {
            // No timer that is seen ended it, and Punctual does not say that one did.
            (None, None) => [true; 3],
            (Some(truth), Some(found)) => {
                let name = format!("{}-{}", entry.name, entry.thread);
                self.misnamed += u64::from(found.thread != name);
                let is_near = |deadline: u64| truth.deadline.abs_diff(deadline) <= TOLERANCE;
                let is_as_long = reference.total().abs_diff(ours.total()) <= TOLERANCE
                    && found.deadline_ns.is_some_and(is_near);
                let has_the_same_cause = reference.greatest() == ours.greatest();
                [
                    is_as_long && reference.agrees(&ours),
                    has_the_same_cause,
                    is_as_long,
                ]
            }
            _ => [false; 3],
        };
        self.wake_ups += 1;
        let counts = [
            &mut self.agreed,
            &mut self.same_cause,
            &mut self.same_length,
        ];
        counts
            .into_iter()
            .zip(same)
            .for_each(|(count, is_so)| *count += u64::from(is_so));
        self.parts.add_all(reference);
        if !same[0] {
            self.unexplained += u64::from(ours.total() == 0);
            let (apart, part) = reference.differs(&ours).unwrap_or_default();
            self.disagreements.push(row![
                format!("{part} {} µs", micros(apart as f64)),
                entry.thread,
                entry.woke.saturating_sub(entry.deadline),
                reference.total(),
                ours.total(),
                found.map_or("not found", |found| found.verdict.as_str()),
                reference.to_string(),
                ours.to_string(),
            ]);
        }
    }
}

impl Explanation {
    /// The last wake-up that ended within the wait. A wait that a signal has interrupted may be several.
    fn found(&self, entry: &Entry) -> Option<&Found> {
        let end = format!("-{}", entry.thread);
        let within = entry.asked..=entry.woke + TOLERANCE;
        let is_it =
            |found: &&Found| found.thread.ends_with(&end) && within.contains(&found.woke_ns);
        self.wakeups
            .iter()
            .filter(is_it)
            .max_by_key(|found| found.woke_ns)
    }
}
