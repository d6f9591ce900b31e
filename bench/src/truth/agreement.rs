//! How far Punctual and the reference agree about each wake-up of a program.

use super::condition::{Condition, Method};
use super::log::Entry;
use super::ours::Found;
use super::parts::{Parts, TOLERANCE};
use super::reference::{Truth, Verdict};
use serde::Serialize;

/// One condition, compared.
#[derive(Debug, Default, Serialize)]
pub struct Agreement {
    pub condition: String,
    /// The wake-ups of the program's own log that were compared.
    pub wake_ups: usize,
    /// Those that were not, because perf has not recorded all of them.
    pub unseen: usize,
    /// In how many all parts are equally long, to within 5 µs.
    pub agreed: usize,
    /// In how many the greatest part is the same.
    pub same_cause: usize,
    /// In how many the lateness is the same, to within 5 µs.
    pub same_length: usize,
    /// How many Punctual did not explain, or did not find.
    pub unexplained: usize,
    /// How many have another name than the thread had.
    pub misnamed: usize,
    /// What passed in all, by the reference.
    pub parts: Parts,
    pub disagreements: Vec<Disagreement>,
    /// Why nothing was compared.
    pub skipped: Option<String>,
}

/// A wake-up about which they do not agree.
#[derive(Debug, Serialize)]
pub struct Disagreement {
    pub thread: u32,
    pub deadline_ns: u64,
    /// By the program's own log.
    pub lateness_ns: u64,
    pub reference: Option<Parts>,
    /// Punctual's verdict, and its parts.
    pub verdict: String,
    pub ours: Parts,
}

impl Agreement {
    /// The share that was agreed upon, in percent; none if nothing was compared.
    pub fn percent(&self) -> Option<f64> {
        let percent = 100.0 * self.agreed as f64 / self.wake_ups as f64;
        self.skipped.is_none().then_some(percent)
    }

    /// Compares what was logged.
    pub fn of(condition: Condition, log: &[(Entry, Verdict)], found: &[Found]) -> Self {
        let mut agreement = Self {
            condition: condition.to_string(),
            ..Self::default()
        };
        for (entry, verdict) in log {
            let truth = match verdict {
                Verdict::Timer(truth) => Some(truth),
                Verdict::NoTimer => None,
                Verdict::Unseen => {
                    agreement.unseen += 1;
                    continue;
                }
            };
            agreement.note(entry, truth, ours(entry, found));
        }
        if agreement.wake_ups == 0 {
            agreement.skipped = Some("perf saw no wake-up of the program".to_owned());
        } else if condition.method != Method::Socket && agreement.parts.total() == 0 {
            agreement.skipped = Some("perf saw no timer of the program".to_owned());
        }
        agreement
    }

    fn note(&mut self, entry: &Entry, truth: Option<&Truth>, found: Option<&Found>) {
        self.wake_ups += 1;
        let is_agreed = match (truth, found) {
            // No timer that is seen ended it, and Punctual does not say that one did.
            (None, None) => {
                self.same_cause += 1;
                self.same_length += 1;
                true
            }
            (Some(truth), Some(found)) => self.compare(entry, truth, found),
            _ => false,
        };
        if let Some(truth) = truth {
            for (part, ns) in truth.parts.iter() {
                self.parts.add(part.clone(), ns);
            }
        }
        if is_agreed {
            self.agreed += 1;
            return;
        }
        if found.is_none_or(|found| found.parts.total() == 0) {
            self.unexplained += 1;
        }
        self.disagreements.push(Disagreement {
            thread: entry.thread,
            deadline_ns: entry.deadline,
            lateness_ns: entry.woke.saturating_sub(entry.deadline),
            reference: truth.map(|truth| truth.parts.clone()),
            verdict: found.map_or("not found".to_owned(), |found| found.verdict.clone()),
            ours: found.map(|found| found.parts.clone()).unwrap_or_default(),
        });
    }

    fn compare(&mut self, entry: &Entry, truth: &Truth, found: &Found) -> bool {
        self.misnamed += usize::from(found.name != entry.name);
        let (theirs, ours) = (&truth.parts, &found.parts);
        let is_as_long = theirs.total().abs_diff(ours.total()) <= TOLERANCE;
        let is_near = |deadline: u64| truth.deadline.abs_diff(deadline) <= TOLERANCE;
        let begins_together = found.deadline.is_some_and(is_near);
        self.same_length += usize::from(is_as_long && begins_together);
        self.same_cause += usize::from(theirs.greatest() == ours.greatest());
        is_as_long && begins_together && theirs.agrees(ours)
    }
}

/// The last wake-up that ended within the wait. A wait that a signal has interrupted may be several.
fn ours<'a>(entry: &Entry, found: &'a [Found]) -> Option<&'a Found> {
    let is_it = |found: &&Found| {
        let is_within = entry.asked <= found.end && found.end <= entry.woke + TOLERANCE;
        found.thread == entry.thread && is_within
    };
    found.iter().filter(is_it).max_by_key(|found| found.end)
}
