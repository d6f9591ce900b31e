//! A flight recorder: what the kernel did in the last moments, held in memory, and the late wake-ups that were saved with it.
//!
//! Portions of a trace come in, and wake-ups: such as the trace shows, and such as their own threads tell of. A folder comes
//! out, with a list of the late ones and a recording of each.
//!
//! | to change | open |
//! |---|---|
//! | how much of a trace is held, and what is cut out of it | `kept.rs` |
//! | which wake-ups are saved, and which go when there is no place | `rules.rs` |
//! | what is known of a saved one, and what it is called | `list.rs` |
//! | when files are written and removed | `saved.rs` |
//! | what is in the folder | `folder.rs` |
//! | a trace that is explained, saved and told of while it is recorded | `live.rs`, `saver.rs`, `late.rs` |

mod folder;
mod kept;
mod late;
mod list;
mod live;
mod rules;
mod saved;
mod saver;

pub use kept::Kept;
pub use list::{LateWakeUp, Part, SCHEMA};
pub use live::{Live, Options};
pub use rules::{FirstToGo, Rules};
pub use saved::{Files, Saved};
pub use saver::Unsaved;

use crate::chronicle::Chronicle;
use crate::explain::explain;
use crate::explainer::Explainer;
use crate::names::Names;
use crate::perfetto;
use crate::recording::{Head, RecordedWait, Recording};
use crate::segment::{Wait, WakeUp};
use crate::trace::Trace;
use crate::tracefs::Raw;
use punctual::{Error, Instant};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// How far back events are held: longer than almost any wake-up is late.
pub const REACH: Duration = Duration::from_secs(20);

/// How many bytes of them are held at most: 20 s of a machine with 40,000 events a second, at 40 bytes each.
pub const MOST_BYTES: usize = 32 << 20;

/// How much is saved from before the wait began, so that it is known what each processor did.
const BEFORE: Duration = Duration::from_millis(50);

/// How much is saved from after the thread woke, so that it is seen what came next.
const AFTER: Duration = Duration::from_millis(10);

/// A flight recorder.
#[derive(Debug)]
pub struct Recorder {
    /// What the kernel did in the last moments.
    pub kept: Kept,
    saved: Arc<Saved>,
}

impl Recorder {
    /// Holds nothing yet.
    pub fn new(saved: Arc<Saved>) -> Self {
        Self {
            kept: Kept::the_last(REACH, MOST_BYTES),
            saved,
        }
    }

    /// What was saved.
    pub fn saved(&self) -> &Saved {
        &self.saved
    }

    /// Saves the late ones of wake-ups that the trace has shown together. They are one late moment: it has one recording, and
    /// the most late of them is on the list. `head` describes the trace, and `raw` its pages.
    ///
    /// Returns the one that is on the list, and whether its files were written; nothing if none is late, or if there is no
    /// place for it.
    pub fn save_shown(
        &self,
        shown: &[WakeUp],
        names: &Names,
        head: impl FnOnce() -> Head,
        raw: &Raw,
    ) -> Option<(LateWakeUp, io::Result<()>)> {
        let rules = self.saved.rules();
        let late = || shown.iter().filter(|up| up.is_later_than(rules.threshold));
        let most = late().max_by_key(|up| up.wait.lateness_ns())?;
        if !self.saved.has_place_for(most.wait.lateness_ns()) {
            return None;
        }
        let began = late().map(|up| up.wait.began.min(up.wait.deadline)).min()?;
        let woke = late().map(|up| up.wait.woke).max()?;
        let head = head();
        let subject = names.thread(most.wait.thread, most.wait.woke);
        let processor = most.processor.map(|processor| processor.0);
        let mut listed = LateWakeUp::of(&most.wait, processor, subject, &head);
        listed.explain(most, names);
        if !self.saved.has_folder() {
            return Some(self.saved.save((listed, None)));
        }
        let recording = self.cut(began, woke, &head, raw);
        let files = recording
            .explain()
            .and_then(|it| Files::of(&recording, &it.trace, &it.wake_ups));
        Some(self.saved.save(listed.with(files)))
    }

    /// Explains and saves a wake-up of which its own thread has told, as it is on the list so far: its wait cannot have begun
    /// before `wait.began`. `trace` has the descriptions of the pages, or why there is no trace.
    ///
    /// # Errors
    /// Those of writing files. The wake-up is on the list anyway.
    pub fn save_told(
        &self,
        mut listed: LateWakeUp,
        wait: Wait,
        head: &Head,
        trace: Result<&Raw, &str>,
    ) -> io::Result<()> {
        let explained = match trace {
            Ok(raw) => self.explain_told(&mut listed, wait, head, raw),
            Err(why) => {
                listed.note = Some(format!("no trace: {why}"));
                return self.saved.save((listed, None)).1;
            }
        };
        self.saved.save(listed.with(explained)).1
    }

    fn explain_told(
        &self,
        listed: &mut LateWakeUp,
        told: Wait,
        head: &Head,
        raw: &Raw,
    ) -> Result<Files, Error> {
        let mut recording = self.cut(told.began, told.woke, head, raw);
        let trace = recording.trace()?;
        let mut chronicle = Chronicle::new(&trace, &[told.thread]);
        chronicle.begins(recording.head.complete_from());
        let last = chronicle.history(told.thread).last_wait(told.deadline);
        let wait = Wait {
            began: last.map_or(told.began, |last| last.max(told.began)),
            ..told
        };
        recording.head.waits = Some(vec![RecordedWait::from(wait)]);
        let wake_up = explain(&chronicle, &wait);
        listed.explain(&wake_up, &trace.names);
        Files::of(&recording, &trace, std::slice::from_ref(&wake_up))
    }

    /// A recording of what happened around a wait.
    fn cut(&self, began: Instant, woke: Instant, head: &Head, raw: &Raw) -> Recording {
        self.kept.between(began - BEFORE, woke + AFTER, head, raw)
    }
}

impl Files {
    fn of(recording: &Recording, trace: &Trace, wake_ups: &[WakeUp]) -> Result<Self, Error> {
        let mut files = Self::default();
        // Memory takes whatever is written.
        let unwritten = |error: io::Error| Error::system(error.to_string());
        recording.write(&mut files.recording).map_err(unwritten)?;
        perfetto::write(&mut files.perfetto, trace, wake_ups).map_err(unwritten)?;
        Ok(files)
    }
}

/// What is kept of a trace may have no more which process started which.
fn with_threads(head: &Head, explainer: &Explainer) -> Head {
    let mut head = head.clone();
    for (thread, name) in explainer.threads() {
        if head.threads.iter().all(|&(known, _)| known != thread) {
            head.threads.push((thread, name));
        }
    }
    head
}

#[cfg(test)]
mod tests;
