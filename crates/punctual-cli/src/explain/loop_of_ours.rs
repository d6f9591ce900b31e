//! The periodic loop of `measure`, explained.

use super::capture::{self, Before, Known};
use super::unprivileged::{Books, Run};
use super::{Traced, check_files};
use crate::args::{ExplainArgs, MeasureArgs};
use crate::failure::Failure;
use crate::measure::check;
use crate::run::{self, Witness};
use punctual::margin::{Budget, LateRate};
use punctual::{Instant, Os};
use punctual_lab::Native;
use punctual_lab::recording::SeriesRecord;
use punctual_lab::{Experiment, Load, Machine};
use punctual_trace::recording::RecordedWait;
use punctual_trace::{Capture, Starter, ThreadId};
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

/// The name of the thread that measures, as the kernel has it.
const THREAD_NAME: &str = "measure";

pub(super) fn run(args: &ExplainArgs) -> Result<Traced, Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    let asked = as_measured(args);
    let experiment: Experiment<Native> = check::experiment(&asked)?;
    asked.conditions().ensure_scheduling(&machine)?;
    check_files(args)?;
    let warm_up = experiment.plan.warm_up();
    let before = Before::read(&machine);
    let stop = run::cancel_on_ctrl_c(&machine)?;
    let running = asked.conditions().start()?;
    let capture = Capture::prepare();
    let mut books = Books::open(&before.environment);
    let (waits, inbox) = mpsc::channel();
    let watcher = Watcher {
        machine: machine.clone(),
        starter: capture.as_ref().ok().map(Capture::starter),
        left_of_warm_up: warm_up,
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
    let collected = run::before(&machine, experiment, stop, watcher, &mut meanwhile)?;
    waited.extend(inbox.try_iter());
    for running in running {
        running.check().map_err(Failure::run)?;
    }
    if let Some(missing) = collected.unavailable.first() {
        return Err(Failure::flag("--method", &missing.reason));
    }
    let after = machine.environment();
    let Some(capture) = capture else {
        let run = Run {
            subject: subject(args),
            refused: refused.map_or_else(String::new, |error| error.to_string()),
            waited,
            series: collected
                .series
                .first()
                .and_then(Option::as_ref)
                .map(SeriesRecord::from),
        };
        let accounts = Box::new(books.close(run, &after));
        return Ok(Traced::OwnAccounts(accounts, collected.interrupted));
    };
    let thread = waited.first().map(|(wait, _)| wait.thread);
    let recording = capture::recording(
        capture,
        Known {
            subject: subject(args),
            before,
            after,
            threads: thread
                .map(|thread| (thread, THREAD_NAME.to_owned()))
                .into_iter()
                .collect(),
            waits: Some(waited.into_iter().map(|(wait, _)| wait).collect()),
        },
    );
    let recording = Box::new(recording.map_err(Failure::run)?);
    Ok(Traced::Kernel(recording, collected.interrupted))
}

/// The same, as `measure` would be asked for it.
pub(super) fn as_measured(args: &ExplainArgs) -> MeasureArgs {
    MeasureArgs {
        period: args.loop_period(),
        count: args.count,
        duration: args.duration,
        quick: false,
        method: vec![args.loop_method().to_owned()],
        load: args.load.clone(),
        priority: args.priority,
        pin: args.pin,
        late_rate: None::<LateRate>,
        budget: None::<Budget>,
        on: args.on.clone(),
        with: args.with.clone(),
        request: args.request,
        tuned: false,
        seed: args.seed,
        format: args.format,
        hdr: None,
        fail_if: Vec::new(),
    }
}

/// What was asked, as a title.
pub(super) fn subject(args: &ExplainArgs) -> String {
    let period = crate::quantity::show(args.loop_period().to_duration());
    let mut subject = format!("a loop of {period} with {}", args.loop_method());
    if args.load != Load::None {
        subject += &format!(", load {}", args.load);
    }
    if args.priority.raised().is_some() {
        subject += &format!(", priority {}", args.priority.name());
    }
    if let Some(processor) = args.pin {
        subject += &format!(", pinned to processor {processor}");
    }
    if let Some(interval) = args.request {
        subject += &format!(", asking for {}", crate::quantity::show(interval));
    }
    for companion in &args.with {
        subject += &format!(", with {companion}");
    }
    if let Some(machine) = &args.on {
        subject += &format!(", on {machine}, simulated");
    }
    subject
}

/// On the measuring thread: begins the trace, and keeps what only that thread knows.
struct Watcher {
    machine: Native,
    starter: Option<Starter>,
    left_of_warm_up: u64,
    wait: RecordedWait,
    waits: Sender<(RecordedWait, Option<Duration>)>,
}

impl Witness for Watcher {
    fn begins(&mut self) -> Result<(), punctual::Error> {
        let thread = capture::own_thread().unwrap_or(0);
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
        // Nobody listens any more only when the command is already ending.
        let _ = self.waits.send((self.wait, queued));
    }
}
