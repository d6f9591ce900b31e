//! Late wake-ups that are told of, and saved, while the trace goes on (`--on-late`).

use super::saver::Unsaved;
use super::{FirstToGo, LateWakeUp, Recorder, Rules, Saved};
use crate::recording::{Head, RecordedWait};
use crate::tracefs::{Portion, Raw};
use crate::{Names, WakeUp};
use punctual::Instant;
use punctual_data::escape;
use punctual_data::quantity::nanos;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How many causes are told: a line of text.
const MOST_CAUSES: usize = 3;

/// The flight recorder, and what it could not do.
#[derive(Debug)]
pub(super) struct Late {
    recorder: Recorder,
    failure: Option<io::Error>,
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

    /// Takes in the wake-ups of a portion. Those that are late are one late moment, with one file. Returns what is
    /// to be told of it, a sentence each.
    pub(super) fn take(
        &mut self,
        found: &[WakeUp],
        names: &Names,
        head: impl FnOnce() -> Head,
        raw: &Raw,
    ) -> Vec<String> {
        let Some((late, written)) = self.recorder.save_shown(found, names, head, raw) else {
            return Vec::new();
        };
        let file = self.recorder.saved().recording_path(&late.id);
        let at = file.map(|file| format!("; saved in {}", escape::path(&file)));
        let mut told = vec![format!(
            "late by {}: {}{}",
            nanos(late.lateness_ns),
            causes(&late),
            at.unwrap_or_default()
        )];
        if let Err(error) = written
            && self.failure.is_none()
        {
            told.push("it cannot be saved; the trace goes on".to_owned());
            self.failure = Some(error);
        }
        told
    }

    /// Why not all was saved.
    pub(super) fn unsaved(self) -> Option<Unsaved> {
        let error = self.failure?;
        Some(Unsaved { file: None, error })
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
