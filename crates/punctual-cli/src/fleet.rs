//! `punctual fleet`: asks Prometheus about many machines that run `punctual watch`.

mod flags;
mod show;

pub use flags::FleetArgs;

use crate::failure::Failure;
use crate::output;
use crate::progress::Progress;
use flags::{CompareArgs, FleetAction};
use punctual_watch::fleet::client::Prometheus;
use punctual_watch::fleet::compare;
use show::Found;
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Runs the command. It only reads, so that a signal may end it at once.
pub fn fleet(args: &FleetArgs) -> Result<ExitCode, Failure> {
    match &args.action {
        FleetAction::Compare(args) => compared(args),
    }
}

fn compared(args: &CompareArgs) -> Result<ExitCode, Failure> {
    let question = args.question()?;
    let prometheus = Prometheus::at(args.prometheus.clone());
    let mut bar = None;
    let comparison = compare(&prometheus, &question, &mut |done, all| {
        let bar = bar.get_or_insert_with(|| Progress::of("asking", all as u64));
        bar.reach(done as u64);
        ControlFlow::Continue(())
    });
    drop(bar);
    let found = Found {
        comparison: comparison.map_err(Failure::run)?,
        question,
        prometheus: args.prometheus.clone(),
    };
    output::show(args.format, &found)?;
    Ok(ExitCode::SUCCESS)
}
