//! Explains a running process. It is only watched.

use super::capture::Known;
use super::extras::Extras;
use super::live::Ended;
use super::program::Look;
use super::{ExplainArgs, check_files};
use crate::os::{is_alive, program_of, threads_of};
use punctual_command::failure::Failure;
use punctual_command::stop::Stop;
use punctual_data::quantity;
use punctual_lab::Native;
use std::time::Duration;

/// How long to watch a process by default.
const DEFAULT_DURATION: Duration = Duration::from_secs(10);

/// Watches until the process ends, the time is up, the trace stops, or a signal comes.
pub(super) fn run(args: &ExplainArgs, process: u32, stop: &Stop) -> Result<Ended, Failure> {
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
