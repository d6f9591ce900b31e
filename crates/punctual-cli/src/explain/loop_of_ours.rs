//! Explains the periodic loop of `measure`.

use super::capture::{self, Before, Known};
use super::subject::subject;
use super::unprivileged::{Books, Run};
use super::{ExplainArgs, Traced, check_files};
use crate::failure::Failure;
use crate::interrupt::Stop;
use crate::os::own_thread;
use crate::run::{self, Prepared, Witness};
use punctual::{Instant, Os};
use punctual_lab::measure::SeriesRecord;
use punctual_lab::{Machine, Native};
use punctual_trace::recording::RecordedWait;
use punctual_trace::{Capture, Starter, ThreadId};
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

/// The kernel's name for the measuring thread.
const THREAD_NAME: &str = "measure";

pub(super) fn run(args: &ExplainArgs, stop: &Stop) -> Result<Traced, Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    let question = args.question();
    let prepared = Prepared::of(&question, "--duration")?;
    run::rehearse(&question, &machine)?;
    check_files(args, stop)?;
    let before = Before::read(&machine);
    let heeding = stop.heed();
    let running = run::start(&question.conditions, stop)?;
    let cancel = stop.cancel_on(&machine);
    let capture = Capture::prepare();
    let mut books = Books::open(&before.environment);
    let (waits, inbox) = mpsc::channel();
    let watcher = Watcher {
        machine: machine.clone(),
        starter: capture.as_ref().ok().map(Capture::starter),
        left_of_warm_up: prepared.plan.warm_up(),
        wait: RecordedWait::default(),
        waits,
    };
    let (mut capture, refused) = match capture {
        Ok(capture) => (Some(capture), None),
        Err(error) => (None, Some(error)),
    };
    let mut waited: Vec<(RecordedWait, Option<Duration>)> = Vec::new();
    let mut meanwhile = || {
        waited.extend(inbox.try_iter());
        match (&mut capture, waited.last()) {
            (Some(capture), _) => capture.drain().map_err(Failure::run)?,
            (None, Some((wait, _))) => books.look(wait.thread),
            (None, None) => {}
        }
        Ok(())
    };
    let collected = run::before(
        &machine,
        &question,
        &prepared,
        cancel,
        watcher,
        &mut meanwhile,
    )?;
    waited.extend(inbox.try_iter());
    for running in running {
        running.check().map_err(Failure::run)?;
    }
    if let Some(strayed) = &collected.strayed {
        return Err(Failure::run(strayed));
    }
    if let Some(missing) = collected.unavailable.first() {
        return Err(Failure::flag("--method", &missing.reason));
    }
    let after = machine.environment();
    let Some(capture) = capture else {
        let run = Run {
            question: question.clone(),
            subject: subject(&question),
            refused: refused.map_or_else(String::new, |error| error.to_string()),
            waited,
            series: collected
                .series
                .first()
                .and_then(Option::as_ref)
                .map(SeriesRecord::from),
            interrupted: heeding.end(),
        };
        let accounts = Box::new(books.close(run, &after));
        return Ok(Traced::OwnAccounts(accounts));
    };
    let thread = waited.first().map(|(wait, _)| wait.thread);
    let recording = capture::recording(
        capture,
        Known {
            question: Some(question.clone()),
            subject: subject(&question),
            before,
            after,
            threads: thread
                .map(|thread| (thread, THREAD_NAME.to_owned()))
                .into_iter()
                .collect(),
            waits: Some(waited.into_iter().map(|(wait, _)| wait).collect()),
            interrupted: heeding,
        },
    );
    Ok(Traced::Kernel(Box::new(recording.map_err(Failure::run)?)))
}

/// Runs on the measuring thread. Starts the trace, and keeps what only that thread knows.
struct Watcher {
    machine: Native,
    starter: Option<Starter>,
    left_of_warm_up: u64,
    wait: RecordedWait,
    waits: Sender<(RecordedWait, Option<Duration>)>,
}

impl Witness for Watcher {
    fn begins(&mut self) -> Result<(), punctual::Error> {
        let thread = own_thread().unwrap_or(0);
        self.wait.thread = thread;
        match &self.starter {
            Some(starter) => starter.start(Some(ThreadId(thread))),
            None => Ok(()),
        }
    }

    fn waits(&mut self, deadline: Instant) {
        self.wait.deadline_ns = deadline.as_nanos();
        self.wait.began_ns = Os::now(&self.machine).as_nanos();
    }

    fn woke(&mut self, woke: Instant, queued: Option<Duration>) {
        if self.left_of_warm_up > 0 {
            self.left_of_warm_up -= 1;
            return;
        }
        self.wait.woke_ns = woke.as_nanos();
        // Sending fails only while the command is already ending.
        let _ = self.waits.send((self.wait, queued));
    }
}
