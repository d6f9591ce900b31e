//! Traces other programs: their timers show what they waited for.

use super::capture::{self, Before, Known};
use crate::failure::Failure;
use crate::interrupt::Heeding;
use crate::os::own_thread;
use crate::progress;
use indicatif::{ProgressBar, ProgressStyle};
use punctual_lab::{Machine, Native};
use punctual_trace::{Capture, Recording, ThreadId};
use std::thread;
use std::time::{Duration, Instant};

/// How often to drain the trace and to check for the end.
pub(super) const LOOK: Duration = Duration::from_millis(100);

/// A running trace of everything.
pub(super) struct Look {
    machine: Native,
    before: Before,
    capture: Capture,
}

impl Look {
    /// Begins, and also records the system calls of these threads and of all that they start.
    pub(super) fn begin(machine: Native, threads: &[u32]) -> Result<Self, Failure> {
        let before = Before::read(&machine);
        let mut capture = Capture::prepare().map_err(Failure::run)?;
        let threads: Vec<_> = threads.iter().copied().map(ThreadId).collect();
        let own = ThreadId(own_thread().unwrap_or_default());
        capture.record_calls(&threads, own).map_err(Failure::run)?;
        capture.starter().start(None).map_err(Failure::run)?;
        Ok(Self {
            machine,
            before,
            capture,
        })
    }

    /// Traces until it is over or the time is up; `true` if it is over. `is_over` is asked ten times
    /// a second, and told whether the trace is full. A full trace does not grow.
    pub(super) fn watch(
        &mut self,
        duration: Option<Duration>,
        mut is_over: impl FnMut(bool) -> Result<bool, Failure>,
    ) -> Result<bool, Failure> {
        let (start, bar) = (Instant::now(), progress_bar(duration));
        while duration.is_none_or(|duration| start.elapsed() < duration) {
            thread::sleep(LOOK.min(duration.unwrap_or(LOOK)));
            if !self.capture.is_full() {
                self.capture.drain().map_err(Failure::run)?;
            }
            bar.set_position(millis(start.elapsed()));
            bar.tick();
            if is_over(self.capture.is_full())? {
                bar.finish_and_clear();
                return Ok(true);
            }
        }
        bar.finish_and_clear();
        Ok(false)
    }

    /// Traces no more, but keeps what was traced.
    pub(super) fn pause(&self) -> Result<(), Failure> {
        self.capture.starter().pause().map_err(Failure::run)
    }

    /// What was traced.
    pub(super) fn finish(
        self,
        subject: String,
        threads: Vec<(u32, String)>,
        heeding: Heeding,
    ) -> Result<Recording, Failure> {
        let recording = capture::recording(
            self.capture,
            Known {
                question: None,
                subject,
                after: self.machine.environment(),
                before: self.before,
                threads,
                waits: None,
                interrupted: heeding,
            },
        );
        recording.map_err(Failure::run)
    }
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
