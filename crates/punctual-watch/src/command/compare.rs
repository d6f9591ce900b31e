//! `punctual watch compare`: asks Prometheus about two groups of machines that are watched.

mod flags;
mod show;

pub use flags::CompareArgs;

use punctual_command::failure::Failure;
use punctual_command::output;
use punctual_command::progress::Progress;
use punctual_watch::fleet;
use punctual_watch::fleet::client::Prometheus;
use show::Found;
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Runs the command. It only reads, so that a signal may end it at once.
pub fn compare(args: &CompareArgs) -> Result<ExitCode, Failure> {
    let question = args.question()?;
    let prometheus = Prometheus::at(args.prometheus.clone());
    let mut bar = None;
    let comparison = fleet::compare(&prometheus, &question, &mut |done, all| {
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
    output::in_format(
        args.format,
        &found,
        |out| found.text(out),
        || found.page(),
        || found.sheet(),
    )?;
    Ok(ExitCode::SUCCESS)
}
