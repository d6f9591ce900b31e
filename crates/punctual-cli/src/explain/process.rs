//! Explains a running process. It is only watched.

use super::program::Look;
use super::{ExplainArgs, check_files};
use crate::failure::Failure;
use crate::interrupt::Stop;
use crate::os::{is_alive, threads_of};
use crate::quantity;
use punctual_lab::Native;
use punctual_trace::Recording;
use std::time::Duration;

/// How long to watch a process by default.
const DEFAULT_DURATION: Duration = Duration::from_secs(10);

/// Watches until the process ends, the time is up, the trace is full, or a signal comes.
pub(super) fn run(args: &ExplainArgs, process: u32, stop: &Stop) -> Result<Recording, Failure> {
    let threads = threads_of(process);
    if threads.is_empty() {
        let problem = format!("there is no process {process}, or it is hidden from you");
        return Err(Failure::flag("--pid", problem));
    }
    let machine = Native::detect().map_err(Failure::run)?;
    check_files(args, stop)?;
    let duration = args.duration.unwrap_or(DEFAULT_DURATION);
    let subject = format!("process {process}, {}", quantity::show(duration));
    let heeding = stop.heed();
    let mut look = Look::begin(machine, &threads.iter().map(|it| it.0).collect::<Vec<_>>())?;
    look.watch(Some(duration), |is_full| {
        Ok(is_full || stop.is_asked_for() || !is_alive(process))
    })?;
    look.finish(subject, threads, heeding)
}
