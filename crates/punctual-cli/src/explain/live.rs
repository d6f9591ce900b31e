//! A trace of this machine that is explained while it is recorded.

use super::ExplainArgs;
use super::capture::{After, Before, Known};
use super::quotas::{self, Quotas};
use crate::os::own_thread;
use punctual_command::failure::{Failure, complain};
use punctual_command::output;
use punctual_command::stop::{SignalGuard, Stop};
use punctual_trace::outcome::Outcome;
use punctual_trace::recorder::{self, Options, Unsaved};
use punctual_trace::recording::RecordedWait;
use punctual_trace::{Capture, ThreadId};

/// How many of the worst wake-ups a report lists, unless `--keep` says so: ten seconds of a loop of
/// 1 ms.
pub(super) const MOST_ROWS: usize = 10_000;

/// A running trace, and what else is looked at meanwhile.
pub(super) struct Live {
    pub(super) trace: recorder::Live,
    before: Before,
    quotas: Quotas,
    stop: Stop,
}

/// What came of a trace.
pub(super) struct Ended {
    pub(super) outcome: Outcome,
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
        let mut head = before.head(known)?;
        if head.waits.is_none() {
            head.scope = args.scope();
        }
        let options = Options {
            keep: args.on_late.map_or(MOST_ROWS, |_| args.keep()),
            ring: args.ring,
            is_whole: args.perfetto.is_some(),
            save: args.save.clone(),
            on_late: args.on_late,
            until: args.until,
            stacks: args.stacks,
        };
        Ok(Self {
            trace: recorder::Live::prepare(capture, head, options)?,
            before,
            quotas: Quotas::default(),
            stop: stop.clone(),
        })
    }

    /// Takes what was recorded since the last time, and the waits of our own loop. Call it ten times a
    /// second.
    pub(super) fn look(&mut self, waits: &[RecordedWait]) -> Result<(), Failure> {
        if let Some(&(thread, _)) = self.trace.head.threads.first() {
            self.quotas.look(thread);
        }
        self.trace.look(waits).map_err(Failure::run)?;
        self.tell();
        Ok(())
    }

    fn tell(&mut self) {
        for sentence in self.trace.said() {
            complain(format_args!("{sentence}"));
        }
    }

    /// Records no more, but keeps what was recorded.
    pub(super) fn pause(&self) -> Result<(), Failure> {
        self.trace.starter().pause().map_err(Failure::run)
    }

    /// Ends the trace, and completes the files. A signal until now has ended it early.
    pub(super) fn finish(
        mut self,
        waits: &[RecordedWait],
        after: &After,
        guard: SignalGuard,
    ) -> Result<Ended, Failure> {
        self.trace.end(waits).map_err(Failure::run)?;
        self.tell();
        let head = &mut self.trace.head;
        head.environment_changes = self.before.changes(after);
        head.throttled = self.quotas.throttled();
        if head.waits.is_none() {
            // The machine's changes have the quotas of our own loop.
            let said = head.throttled.iter().filter_map(quotas::sentence);
            head.environment_changes.extend(said);
        }
        head.interrupted = guard.end();
        let mut ring = None;
        let completed = self.trace.complete(|file, recording| {
            ring = output::file(&self.stop, file, |out| recording.write(out)).err();
        });
        let (outcome, unsaved) = completed.map_err(Failure::run)?;
        Ok(Ended {
            outcome,
            unsaved: ring.or(unsaved.map(why)),
        })
    }
}

fn why(Unsaved { file, error }: Unsaved) -> Failure {
    match file {
        Some(file) => output::unwritten(&file, &error),
        None => Failure::run(error),
    }
}
