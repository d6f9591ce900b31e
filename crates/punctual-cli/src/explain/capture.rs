//! The machine before and after a capture, and the head of its recording.

use super::extras::Extras;
use super::show::stolen;
use crate::os::steal_ns;
use punctual_lab::measure::Question;
use punctual_lab::{Environment, Machine, Native};
use punctual_trace::recording::Head;
use punctual_trace::wall_clock;

/// What is known about a recording when its capture begins.
#[derive(Default)]
pub(super) struct Known {
    /// The question, if a loop of our own runs.
    pub(super) question: Option<Question>,
    pub(super) subject: String,
    /// The threads to explain, as far as they are known, with their names.
    pub(super) threads: Vec<(u32, String)>,
    /// The threads whose system calls are recorded, with those of all threads that they start.
    pub(super) callers: Vec<u32>,
    /// What else of it is recorded.
    pub(super) extras: Extras,
}

/// The machine before the capture.
pub(super) struct Before {
    pub(super) environment: Environment,
    steal_ns: Option<u64>,
    realtime_ahead_ns: Option<i64>,
}

impl Before {
    pub(super) fn read(machine: &Native) -> Self {
        Self {
            environment: machine.environment(),
            steal_ns: steal_ns(),
            realtime_ahead_ns: wall_clock::ahead_ns(machine),
        }
    }

    /// The head of a recording that begins.
    pub(super) fn head(&self, known: Known) -> Result<Head, punctual::Error> {
        let unwritten = |error: serde_json::Error| punctual::Error::system(error.to_string());
        Ok(Head {
            punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
            waits: known.question.as_ref().map(|_| Vec::new()),
            question: serde_json::to_value(&known.question).map_err(unwritten)?,
            subject: known.subject,
            environment: serde_json::to_value(&self.environment).map_err(unwritten)?,
            threads: known.threads,
            realtime_ahead_ns: self.realtime_ahead_ns,
            ..Head::default()
        })
    }

    /// The changes of the machine since then, a sentence each.
    pub(super) fn changes(&self, after: &After) -> Vec<String> {
        let mut changes = self.environment.differences(&after.environment);
        changes.extend(wall_clock::change(
            self.realtime_ahead_ns,
            after.realtime_ahead_ns,
        ));
        let lost = steal_ns().zip(self.steal_ns);
        let lost = lost.map_or(0, |(now, before)| now.saturating_sub(before));
        if lost > 0 {
            changes.push(stolen(lost));
        }
        changes
    }
}

/// The machine after the capture.
pub(super) struct After {
    pub(super) environment: Environment,
    realtime_ahead_ns: Option<i64>,
}

impl After {
    pub(super) fn read(machine: &Native) -> Self {
        Self {
            environment: machine.environment(),
            realtime_ahead_ns: wall_clock::ahead_ns(machine),
        }
    }
}
