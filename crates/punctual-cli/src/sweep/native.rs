//! `punctual sweep --native` on a system without a timer interval: timer slack.

use super::SweepArgs;
use punctual_command::failure::Failure;
use punctual_command::progress;
use punctual_command::stop::Stop;
use punctual_lab::slack::{self, Question, SCHEMA, SLEEP, SlackSweep};
use punctual_lab::{Machine, Native};
use std::ops::ControlFlow;
use std::process::ExitCode;

pub(super) fn sweep(args: &SweepArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let question = args.about_slack()?;
    let machine = Native::detect().map_err(Failure::run)?;
    refuse_without_slack(&machine, &question)?;
    let environment = machine.environment();
    let heeding = stop.heed();
    let bar = progress::bar("sweeping", question.turns());
    let rows = slack::run(&machine, &question, || {
        bar.inc(1);
        match stop.is_asked_for() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    bar.finish_and_clear();
    let swept = SlackSweep {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        environment,
        sleep_ns: u64::try_from(SLEEP.as_nanos()).unwrap_or(u64::MAX),
        sleeps: question.sleeps(),
        question,
        interrupted: heeding.end(),
        rows: rows.map_err(Failure::run)?,
    };
    crate::show::in_format(args.format, &swept)?;
    Ok(stop.status())
}

/// Tries it and undoes it, before anything runs.
fn refuse_without_slack(machine: &Native, question: &Question) -> Result<(), Failure> {
    for &slack in &question.slacks {
        drop(machine.slacken(slack).map_err(|error| {
            let problem = format!("{error} and no timer interval to sweep");
            Failure::flag("--native", problem)
        })?);
    }
    Ok(())
}
