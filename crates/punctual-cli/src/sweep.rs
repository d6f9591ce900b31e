//! `punctual sweep`: what was asked is checked, run on each machine, and shown.

mod native;
#[cfg(feature = "sim")]
mod simulated;
mod windows;

use crate::args::SweepArgs;
use crate::failure::Failure;
use crate::intervals::{self, Intervals};
#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;
use std::process::ExitCode;
use std::time::Duration;

/// Runs the command.
pub fn sweep(args: &SweepArgs) -> Result<ExitCode, Failure> {
    if args.native {
        return native::sweep(args);
    }
    simulated::sweep(args)
}

/// The intervals asked for, ascending, each once.
fn intervals(args: &SweepArgs) -> Result<Vec<Duration>, Failure> {
    let given = args.interval.iter().flat_map(|given| given.0.clone());
    let mut intervals: Vec<_> = given.collect();
    if intervals.is_empty() {
        intervals = match args.quick {
            true => Intervals::few().0,
            false => Intervals::of_the_article().0,
        };
    }
    intervals.sort_unstable();
    intervals.dedup();
    if intervals.len() > intervals::MOST {
        let problem = format!("at most {} intervals in one table", intervals::MOST);
        return Err(Failure::flag("--interval", problem));
    }
    Ok(intervals)
}
