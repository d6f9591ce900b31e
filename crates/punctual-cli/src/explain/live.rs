//! A trace that is explained while it is recorded.

use super::ExplainArgs;
use super::capture::{After, Before, Known};
use super::late::Late;
use super::quotas::{self, Quotas};
use super::saver::Saver;
use crate::os::own_thread;
use punctual::Native;
use punctual_command::failure::Failure;
use punctual_command::output;
use punctual_command::stop::{Heeding, Stop};
use punctual_data::quantity;
use punctual_trace::outcome::Outcome;
use punctual_trace::recorder::Kept;
use punctual_trace::recording::{Head, RecordedWait};
use punctual_trace::report::Tally;
use punctual_trace::tracefs::{Portion, Raw};
use punctual_trace::{Capture, Explainer, KernelFunctions, Starter, ThreadId, Wait, WakeUp};
use std::path::PathBuf;
use std::time::Duration;

/// How many of the worst wake-ups a report lists, unless `--keep` says so: ten seconds of a loop of
/// 1 ms.
pub(super) const MOST_ROWS: usize = 10_000;

/// How much of a trace is kept in memory, so as not to take a machine's.
const MOST_BYTES: usize = 512 << 20;

/// A running trace.
pub(super) struct Live {
    clock: Native,
    capture: Capture,
    raw: Raw,
    before: Before,
    quotas: Quotas,
    head: Head,
    explainer: Explainer,
    tally: Tally,
    kept: Option<Kept>,
    save: Option<PathBuf>,
    saver: Option<Saver>,
    late: Option<Late>,
    until: Option<Duration>,
    has_happened: bool,
    /// Whether the report is about what was kept.
    is_about_kept: bool,
    /// Where the kernel's functions are, if stacks are recorded.
    functions: Option<KernelFunctions>,
    /// How many addresses the stacks so far have.
    addresses: usize,
    stop: Stop,
}

/// What came of a trace.
pub(super) struct Ended {
    pub(super) told: Outcome,
    /// Why it is not saved as was asked for.
    pub(super) unsaved: Option<Failure>,
}

impl Live {
    /// Prepares a trace; nothing is recorded yet. The system calls of the callers, and of all that they
    /// start, will be recorded, too.
    pub(super) fn prepare(
        args: &ExplainArgs,
        known: Known,
        before: Before,
        stop: &Stop,
    ) -> Result<Self, punctual::Error> {
        let mut capture = Capture::prepare()?;
        let callers: Vec<_> = known.callers.iter().copied().map(ThreadId).collect();
        if !callers.is_empty() {
            let own = ThreadId(own_thread().unwrap_or_default());
            capture.record_calls(&callers, own)?;
        }
        known.extras.record(&mut capture)?;
        if args.stacks {
            capture.record_stacks(&callers)?;
        }
        let raw = capture.raw().clone();
        let mut head = before.head(known)?;
        if head.waits.is_none() {
            head.scope = args.scope();
        }
        let keep = args.on_late.map_or(MOST_ROWS, |_| args.keep());
        let is_about_kept = args.ring.is_some() || args.perfetto.is_some();
        let explainer = Explainer::new(&raw, &head)?;
        let save = args.save.clone();
        let late = args
            .on_late
            .map(|threshold| Late::new(threshold, keep, save.as_deref()));
        let late = late.transpose();
        Ok(Self {
            clock: Native::detect()?,
            capture,
            raw,
            before,
            quotas: Quotas::default(),
            head,
            explainer,
            tally: Tally::new(keep),
            kept: match args.ring {
                Some(reach) => Some(Kept::the_last(reach, MOST_BYTES)),
                None => args.perfetto.as_ref().map(|_| Kept::all(MOST_BYTES)),
            },
            save: save.filter(|_| args.on_late.is_none()),
            saver: None,
            late: late.map_err(|error| punctual::Error::system(error.to_string()))?,
            until: args.until,
            has_happened: false,
            is_about_kept,
            functions: args.stacks.then(KernelFunctions::read),
            addresses: 0,
            stop: stop.clone(),
        })
    }

    /// What begins the trace, on whichever thread.
    pub(super) fn starter(&self) -> Starter {
        self.capture.starter()
    }

    /// From now on this thread is explained.
    pub(super) fn follow(&mut self, thread: u32, name: &str) {
        self.head.threads.push((thread, name.to_owned()));
        self.explainer.follow(ThreadId(thread), name);
    }

    /// Takes what was recorded since the last time, and the waits of our own loop. Call it ten times a
    /// second.
    pub(super) fn look(&mut self, waits: &[RecordedWait]) -> Result<(), Failure> {
        if let Some(&(thread, _)) = self.head.threads.first() {
            self.quotas.look(thread);
        }
        // Until it is known whom to follow, nothing is taken in.
        if self.head.was_full || self.head.threads.is_empty() {
            return Ok(());
        }
        let portion = self.capture.take().map_err(Failure::run)?;
        self.take(portion, waits)?;
        if self.kept.as_ref().is_some_and(Kept::is_full) {
            self.head.was_full = true;
            self.pause()?;
        }
        Ok(())
    }

    /// Whether it holds as much as it may, and has stopped.
    pub(super) fn is_full(&self) -> bool {
        self.head.was_full
    }

    /// Whether what it was to last until has happened.
    pub(super) fn has_happened(&self) -> bool {
        self.has_happened
    }

    /// Records no more, but keeps what was recorded.
    pub(super) fn pause(&self) -> Result<(), Failure> {
        self.capture.starter().pause().map_err(Failure::run)
    }

    fn take(&mut self, portion: Portion, waits: &[RecordedWait]) -> Result<(), Failure> {
        for &wait in waits {
            self.explainer.wait(Wait::from(wait));
        }
        let found = self.explainer.portion(&portion).map_err(Failure::run)?;
        let addresses = self.explainer.addresses();
        if let Some(functions) = &self.functions
            && addresses.len() > self.addresses
        {
            self.addresses = addresses.len();
            self.head.functions = functions.at(addresses);
        }
        if let Some(file) = self.save.as_ref().filter(|_| !self.is_a_ring()) {
            let begin = || Saver::begin(file, &self.head, &self.raw);
            let saver = self.saver.get_or_insert_with(begin);
            saver.write(&portion, waits);
        }
        let now = self.clock.now();
        if let Some(late) = &mut self.late {
            late.push(portion, waits, now);
        } else if let Some(kept) = &mut self.kept {
            kept.push(portion, waits, now);
        }
        self.note(found);
        Ok(())
    }

    fn is_a_ring(&self) -> bool {
        self.kept.as_ref().is_some_and(Kept::is_a_ring)
    }

    fn note(&mut self, mut found: Vec<WakeUp>) {
        let names = self.explainer.names();
        found.sort_by_key(|up| up.wait.woke);
        for wake_up in &found {
            self.tally.note(wake_up, names);
        }
        let happens = |until: Duration| found.iter().any(|up| up.is_later_than(until));
        self.has_happened |= self.until.is_some_and(happens);
        if let Some(late) = &mut self.late {
            let head = || with_threads(&self.head, &self.explainer);
            late.take(&found, names, head, &self.raw);
        }
    }

    /// Ends the trace, and completes the files. A signal until now has ended it early.
    pub(super) fn finish(
        mut self,
        waits: &[RecordedWait],
        after: &After,
        heeding: Heeding,
    ) -> Result<Ended, Failure> {
        let starter = self.capture.starter();
        starter.pause().map_err(Failure::run)?;
        let last = self.capture.take().map_err(Failure::run)?;
        let last = Portion {
            complete_until: None,
            ..last
        };
        self.take(last, waits)?;
        let rest = self.explainer.finish();
        self.note(rest);
        self.head.environment_changes = self.before.changes(after);
        self.head.throttled = self.quotas.throttled();
        if self.head.waits.is_none() {
            // The machine's changes have the quotas of our own loop.
            let said = self.head.throttled.iter().filter_map(quotas::sentence);
            self.head.environment_changes.extend(said);
        }
        self.head.interrupted = heeding.end();
        self.complete()
    }

    fn complete(self) -> Result<Ended, Failure> {
        let saved = self.saver.map_or(Ok(()), |saver| saver.end(&self.head));
        let mut unsaved = saved.err().or(self.late.and_then(Late::failure));
        let mut notes = Vec::new();
        let whole = match &self.kept {
            Some(kept) if self.is_about_kept => {
                let short = kept.falls_short_of();
                notes.extend(short.map(|reach| {
                    let reach = quantity::show(reach);
                    format!("only the last {reach} are kept: they fill the ring's memory")
                }));
                Some(kept.whole(&with_threads(&self.head, &self.explainer), &self.raw))
            }
            _ => None,
        };
        let mut told = match whole {
            None => Outcome::so_far(self.head, &self.tally, &self.explainer),
            Some(recording) => {
                let ring = self
                    .save
                    .filter(|_| self.kept.as_ref().is_some_and(Kept::is_a_ring));
                if let Some(file) = ring {
                    let saved = output::file(&self.stop, &file, |out| recording.write(out));
                    unsaved = saved.err();
                }
                Outcome::of_recording(recording).map_err(Failure::run)?
            }
        };
        told.notes.extend(notes);
        Ok(Ended { told, unsaved })
    }
}

/// What is kept of a trace may have no more who started whom.
fn with_threads(head: &Head, explainer: &Explainer) -> Head {
    let mut head = head.clone();
    for (thread, name) in explainer.threads() {
        if head.threads.iter().all(|&(known, _)| known != thread) {
            head.threads.push((thread, name));
        }
    }
    head
}
