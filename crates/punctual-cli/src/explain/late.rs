//! Late wake-ups that are told of, and saved, while the trace goes on (`--on-late`).

use punctual::Instant;
use punctual_command::failure::{Failure, complain};
use punctual_data::escape;
use punctual_data::quantity::nanos;
use punctual_trace::recorder::{FirstToGo, LateWakeUp, Recorder, Rules, Saved};
use punctual_trace::recording::{Head, RecordedWait};
use punctual_trace::tracefs::{Portion, Raw};
use punctual_trace::{Names, WakeUp};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How many causes are told: a line of text.
const MOST_CAUSES: usize = 3;

/// The flight recorder, and what it could not do.
pub(super) struct Late {
    recorder: Recorder,
    failure: Option<Failure>,
}

impl Late {
    /// Keeps so many of those that are later than a limit, in this folder if there is one.
    pub(super) fn new(threshold: Duration, most: usize, folder: Option<&Path>) -> io::Result<Self> {
        let rules = Rules {
            threshold,
            most,
            most_bytes: u64::MAX,
            first_to_go: FirstToGo::LeastLate,
        };
        let saved = match folder {
            Some(folder) => Saved::open(folder, rules)?,
            None => Saved::without_files(rules),
        };
        Ok(Self {
            recorder: Recorder::new(Arc::new(saved)),
            failure: None,
        })
    }

    /// Takes in a portion of the trace, which had been taken by `ended`.
    pub(super) fn push(&mut self, portion: Portion, waits: &[RecordedWait], ended: Instant) {
        self.recorder.kept.push(portion, waits, ended);
    }

    /// Takes in the wake-ups of a portion. Those that are late are one late moment, with one file.
    pub(super) fn take(
        &mut self,
        found: &[WakeUp],
        names: &Names,
        head: impl FnOnce() -> Head,
        raw: &Raw,
    ) {
        let Some((late, written)) = self.recorder.save_shown(found, names, head, raw) else {
            return;
        };
        let file = self.recorder.saved().recording_path(&late.id);
        let at = file.map(|file| format!("; saved in {}", escape::path(&file)));
        complain(format_args!(
            "late by {}: {}{}",
            nanos(late.lateness_ns),
            causes(&late),
            at.unwrap_or_default()
        ));
        if let Err(error) = written
            && self.failure.is_none()
        {
            complain(format_args!("it cannot be saved; the trace goes on"));
            self.failure = Some(Failure::run(error));
        }
    }

    /// Why not all was saved.
    pub(super) fn failure(self) -> Option<Failure> {
        self.failure
    }
}

/// The causes that took most of a lateness.
fn causes(late: &LateWakeUp) -> String {
    let causes = late.causes.iter().take(MOST_CAUSES);
    let causes: Vec<_> = causes
        .map(|part| format!("{} {part}", nanos(part.lateness_ns)))
        .collect();
    match causes.is_empty() {
        true => "not explained".to_owned(),
        false => causes.join(" + "),
    }
}
