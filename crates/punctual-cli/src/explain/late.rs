//! Late wake-ups that are told of, and saved, while the trace goes on (`--on-late`).

use super::kept::Kept;
use super::until::Lateness;
use crate::failure::{Failure, complain};
use crate::interrupt::Stop;
use crate::output;
use punctual::Instant;
use punctual_data::escape;
use punctual_data::quantity::nanos;
use punctual_trace::recording::Head;
use punctual_trace::tracefs::Raw;
use punctual_trace::{Names, WakeUp};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// How far back the trace is kept to be saved: longer than almost any wake-up is late.
pub(super) const REACH: Duration = Duration::from_secs(10);

/// How many bytes of the trace are kept at most: 10 s of a machine with 20 000 events per second, at 40
/// bytes each, and four times as much.
pub(super) const MOST_BYTES: usize = 32 << 20;

/// How much of the trace is saved before the wait began, so that it is known what each processor did.
const BEFORE: Duration = Duration::from_millis(50);

/// The trace so far, and what makes the head of a recording of it.
type Trace<'a> = (&'a Kept, &'a dyn Fn() -> Head, &'a Raw);

/// The latest wake-ups so far.
pub(super) struct Late {
    over: Lateness,
    keep: usize,
    folder: Option<PathBuf>,
    /// By lateness, the greatest last; of those that are as late, the first last.
    kept: BTreeMap<(u64, Reverse<u64>), Option<PathBuf>>,
    number: u64,
    failure: Option<Failure>,
}

impl Late {
    /// Keeps so many of those that are later than a limit, in this folder if there is one.
    pub(super) fn new(over: Lateness, keep: usize, folder: Option<PathBuf>) -> Self {
        Self {
            over,
            keep,
            folder,
            kept: BTreeMap::new(),
            number: 0,
            failure: None,
        }
    }

    /// Takes in the wake-ups of one portion. Those that are late are one late moment, with one file.
    pub(super) fn take(&mut self, found: &[WakeUp], names: &Names, trace: Trace<'_>, stop: &Stop) {
        let late = || found.iter().filter(|up| self.over.is_exceeded_by(up));
        let Some(latest) = late().max_by_key(|up| up.wait.lateness_ns()) else {
            return;
        };
        let began = late().map(|up| up.wait.began.min(up.wait.deadline)).min();
        let since = began.unwrap_or(Instant::ZERO) - BEFORE;
        let key = (latest.wait.lateness_ns(), Reverse(self.number));
        if self.kept.len() >= self.keep {
            match self.kept.first_key_value() {
                Some((least, _)) if *least < key => {}
                _ => return,
            }
        }
        self.number += 1;
        let file = self.save(since, trace, stop);
        let at = file
            .as_ref()
            .map(|file| format!("; saved in {}", escape::path(file)));
        complain(format_args!(
            "late by {}: {}{}",
            nanos(key.0),
            causes(latest, names),
            at.unwrap_or_default()
        ));
        self.kept.insert(key, file);
        if self.kept.len() > self.keep {
            let least = self.kept.pop_first();
            if let Some((_, Some(file))) = least {
                // If it stays, it is one file too many, and still true.
                let _ = output::remove(&file);
            }
        }
    }

    /// Saves the trace since an instant. After a failure nothing more is saved, and the trace goes on.
    fn save(
        &mut self,
        since: Instant,
        (kept, head, raw): Trace<'_>,
        stop: &Stop,
    ) -> Option<PathBuf> {
        let folder = self.folder.as_ref().filter(|_| self.failure.is_none())?;
        let file = folder.join(format!("late-{:06}.trace", self.number));
        let recording = kept.since(since, &head(), raw);
        match output::file(stop, &file, |out| recording.write(out)) {
            Ok(()) => Some(file),
            // A signal came: it is shown, and no more is saved.
            Err(_) if stop.is_asked_for() => None,
            Err(failure) => {
                complain(format_args!("nothing more can be saved; the trace goes on"));
                self.failure = Some(failure);
                None
            }
        }
    }

    /// Why not all was saved.
    pub(super) fn failure(self) -> Option<Failure> {
        self.failure
    }
}

/// The causes that took most of a lateness.
fn causes(wake_up: &WakeUp, names: &Names) -> String {
    /// A line of text.
    const MOST: usize = 3;
    let mut causes: BTreeMap<_, u64> = BTreeMap::new();
    for segment in &wake_up.segments {
        let key = (segment.cause, segment.who.name(names, wake_up.wait.woke));
        *causes.entry(key).or_default() += segment.ns;
    }
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|&(_, ns)| Reverse(ns));
    let causes = causes.into_iter().take(MOST);
    let causes: Vec<_> = causes
        .map(|((cause, who), ns)| format!("{} {cause} ({who})", nanos(ns)))
        .collect();
    match causes.is_empty() {
        true => "not explained".to_owned(),
        false => causes.join(" + "),
    }
}
