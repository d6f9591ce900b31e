//! A capture, and the recording that is made from it.

use super::show::stolen;
use crate::interrupt::Heeding;
use crate::os::steal_ns;
use punctual_lab::measure::Question;
use punctual_lab::{Environment, Machine, Native};
use punctual_trace::recording::{Head, RecordedWait};
use punctual_trace::{Capture, Recording};

/// What is known about a recording when its capture ends.
pub(super) struct Known {
    /// The question, if a loop of our own ran.
    pub(super) question: Option<Question>,
    pub(super) subject: String,
    pub(super) before: Before,
    pub(super) after: Environment,
    /// The threads to explain, with their names.
    pub(super) threads: Vec<(u32, String)>,
    pub(super) waits: Option<Vec<RecordedWait>>,
    /// Ends with the capture. A signal until then ended the capture early.
    pub(super) interrupted: Heeding,
}

/// The machine before the capture.
pub(super) struct Before {
    pub(super) environment: Environment,
    steal_ns: Option<u64>,
}

impl Before {
    pub(super) fn read(machine: &Native) -> Self {
        Self {
            environment: machine.environment(),
            steal_ns: steal_ns(),
        }
    }

    /// The changes of the machine, a sentence each.
    fn changes(&self, after: &Environment) -> Vec<String> {
        let mut changes = self.environment.differences(after);
        let lost = steal_ns().zip(self.steal_ns);
        let lost = lost.map_or(0, |(now, before)| now.saturating_sub(before));
        if lost > 0 {
            changes.push(stolen(lost));
        }
        changes
    }
}

/// Ends a capture and makes a recording from it.
pub(super) fn recording(capture: Capture, known: Known) -> Result<Recording, punctual::Error> {
    let was_full = capture.is_full();
    let raw = capture.finish()?;
    let unwritten = |error: serde_json::Error| punctual::Error::system(error.to_string());
    let head = Head {
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        question: serde_json::to_value(&known.question).map_err(unwritten)?,
        subject: known.subject,
        environment: serde_json::to_value(&known.before.environment).map_err(unwritten)?,
        environment_changes: known.before.changes(&known.after),
        threads: known.threads,
        waits: known.waits,
        was_full,
        interrupted: known.interrupted.end(),
        realtime_ahead_ns: None,
        throttled: Vec::new(),
    };
    Ok(Recording { head, raw })
}
