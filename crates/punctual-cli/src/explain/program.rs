//! Traces other programs: their timers show what they waited for.
//! A process that runs already is only watched.

use super::capture::{After, Before, Extras, Known};
use super::live::{Ended, Live};
use super::{ExplainArgs, check_files};
use crate::os::{is_alive, program_of, threads_of};
use indicatif::{ProgressBar, ProgressStyle};
use punctual_command::failure::Failure;
use punctual_command::progress;
use punctual_command::stop::{SignalGuard, Stop};
use punctual_data::quantity;
use punctual_lab::Native;
use std::thread;
use std::time::{Duration, Instant};

/// How often to drain the trace and to check for the end.
pub(super) const LOOK: Duration = Duration::from_millis(100);

/// A running trace of everything.
pub(super) struct Look {
    machine: Native,
    live: Live,
}

impl Look {
    /// Begins. The system calls of the callers, and of all that they start, are recorded, too.
    pub(super) fn begin(
        args: &ExplainArgs,
        machine: Native,
        known: Known,
        stop: &Stop,
    ) -> Result<Self, Failure> {
        let before = Before::read(&machine);
        let live = Live::prepare(args, known, before, stop).map_err(Failure::run)?;
        live.trace.starter().start(None).map_err(Failure::run)?;
        Ok(Self { machine, live })
    }

    /// From now on this thread is explained, and all that it starts.
    pub(super) fn follow(&mut self, thread: u32) {
        self.live.trace.follow(thread, "");
    }

    /// Traces until it is over or the time is up; `true` if it is over. `is_over` is asked ten times
    /// a second, and told why the trace has stopped, if it has: it stays as it is then.
    pub(super) fn watch(
        &mut self,
        duration: Option<Duration>,
        mut is_over: impl FnMut(Option<Stopped>) -> Result<bool, Failure>,
    ) -> Result<bool, Failure> {
        let (start, bar) = (Instant::now(), progress_bar(duration));
        let mut stopped = None;
        while duration.is_none_or(|duration| start.elapsed() < duration) {
            thread::sleep(LOOK.min(duration.unwrap_or(LOOK)));
            if stopped.is_none() {
                self.live.look(&[])?;
                stopped = self.stopped();
                if stopped.is_some() {
                    self.live.pause()?;
                }
            }
            bar.set_position(millis(start.elapsed()));
            bar.tick();
            if is_over(stopped)? {
                bar.finish_and_clear();
                return Ok(true);
            }
        }
        bar.finish_and_clear();
        Ok(false)
    }

    fn stopped(&self) -> Option<Stopped> {
        match (self.live.trace.has_happened(), self.live.trace.is_full()) {
            (true, _) => Some(Stopped::Happened),
            (false, true) => Some(Stopped::Full),
            (false, false) => None,
        }
    }

    /// Traces no more, but keeps what was traced.
    pub(super) fn pause(&self) -> Result<(), Failure> {
        self.live.pause()
    }

    /// What was traced.
    pub(super) fn finish(self, guard: SignalGuard) -> Result<Ended, Failure> {
        let after = After::read(&self.machine);
        self.live.finish(&[], &after, guard)
    }
}

/// Why a trace has stopped before what it is about ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stopped {
    /// Its memory is full.
    Full,
    /// What it was to last until has happened.
    Happened,
}

/// Shown only on a terminal, on standard error.
fn progress_bar(duration: Option<Duration>) -> ProgressBar {
    if let Some(duration) = duration {
        return progress::bar("tracing", millis(duration));
    }
    let style = ProgressStyle::with_template("tracing {spinner} {elapsed}");
    ProgressBar::new_spinner().with_style(style.expect("the template is a constant"))
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// How long to watch a process by default.
const DEFAULT_DURATION: Duration = Duration::from_secs(10);

/// Watches until the process ends, the time is up, the trace stops, or a signal comes.
pub(super) fn of_process(args: &ExplainArgs, process: u32, stop: &Stop) -> Result<Ended, Failure> {
    let threads = threads_of(process);
    if threads.is_empty() {
        let problem = format!("there is no process {process}, or it is hidden from you");
        return Err(Failure::flag("--pid", problem));
    }
    let extras = Extras::of(args, || Ok(program_of(process)))?;
    let machine = Native::detect().map_err(Failure::run)?;
    check_files(args, stop)?;
    let usual = (!args.is_open_ended()).then_some(DEFAULT_DURATION);
    let duration = args.duration.or(usual);
    let length = duration.map(|duration| format!(", {}", quantity::show(duration)));
    let known = Known {
        subject: format!("process {process}{}", length.unwrap_or_default()),
        callers: threads.iter().map(|&(thread, _)| thread).collect(),
        threads,
        extras,
        ..Known::default()
    };
    let guard = stop.guard();
    let mut look = Look::begin(args, machine, known, stop)?;
    look.watch(duration, |stopped| {
        Ok(stopped.is_some() || stop.is_asked_for() || !is_alive(process))
    })?;
    look.finish(guard)
}
