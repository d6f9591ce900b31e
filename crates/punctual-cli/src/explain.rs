//! `punctual explain`: traces a loop, a process or a recording, explains its wake-ups and shows
//! them.

mod capture;
mod command;
mod explanation;
mod flags;
mod from;
mod live;
mod loop_of_ours;
mod program;
mod show;
#[cfg(feature = "sim")]
mod simulated;
mod unprivileged;

pub use explanation::{Explanation, SCHEMA, of_another_version};
pub use flags::{ExplainArgs, usual_method, words};
pub use unprivileged::Accounts;

use super::EXIT_BOUND_BROKEN;
#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;
use live::Ended;
use punctual_command::failure::{Failure, complain};
use punctual_command::output;
use punctual_command::stop::Stop;
use punctual_trace::outcome::{Outcome, WakeUps};
use punctual_trace::perfetto;
use punctual_trace::report::bound::{Bound, Findings};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the command.
pub fn explain(args: &ExplainArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    args.check_scope()?;
    if let Some(file) = &args.from {
        if args.info {
            crate::show::in_format(args.format, &from::info(file)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        check_files(args, stop)?;
        let is_kept = tell(args, &from::read(args, file)?, stop)?;
        return Ok(exit_status(is_kept, stop.status()));
    }
    if args.on.on.is_some() {
        let is_kept = tell(args, &simulated::run((args, stop))?, stop)?;
        return Ok(exit_status(is_kept, stop.status()));
    }
    if !args.command.is_empty() {
        let (ended, status) = command::run(args, stop)?;
        let is_kept = tell_ended(args, ended, stop)?;
        return Ok(exit_status(is_kept, status));
    }
    if let Some(process) = args.pid {
        let is_kept = tell_ended(args, program::of_process(args, process, stop)?, stop)?;
        return Ok(exit_status(is_kept, stop.status()));
    }
    let is_kept = match loop_of_ours::run(args, stop)? {
        Traced::Kernel(ended) => tell_ended(args, *ended, stop)?,
        Traced::OwnAccounts(accounts) => unprivileged::show(args, &accounts, stop)?,
    };
    Ok(exit_status(is_kept, stop.status()))
}

/// Shows what a trace explains. If it is not saved, that is told after it. Whether all bounds were kept.
fn tell_ended(args: &ExplainArgs, ended: Ended, stop: &Stop) -> Result<bool, Failure> {
    let is_kept = tell(args, &ended.outcome, stop)?;
    ended.unsaved.map_or(Ok(is_kept), Err)
}

/// The result of our own loop.
enum Traced {
    Kernel(Box<Ended>),
    /// What is known without the kernel's trace.
    OwnAccounts(Box<unprivileged::Accounts>),
}

/// What is known of a loop of our own: from the kernel's trace, or else from the system's accounts.
pub fn a_loop(args: &ExplainArgs, stop: &Stop) -> Result<Result<Explanation, Accounts>, Failure> {
    Ok(match loop_of_ours::run(args, stop)? {
        Traced::Kernel(ended) => Ok(explanation(args, &ended.outcome)),
        Traced::OwnAccounts(accounts) => Err(*accounts),
    })
}

/// Writes the files and shows the explanation. Whether all bounds were kept.
fn tell(args: &ExplainArgs, outcome: &Outcome, stop: &Stop) -> Result<bool, Failure> {
    if let (Some(file), WakeUps::Whole(trace, wake_ups)) = (&args.perfetto, &outcome.wake_ups) {
        output::file(stop, file, |out| perfetto::write(out, trace, wake_ups))?;
    }
    let explanation = explanation(args, outcome);
    crate::show::in_format(args.format, &explanation)?;
    let findings = Findings::of(&explanation.report);
    Ok(are_kept(&args.fail_if, &findings, stop))
}

fn explanation(args: &ExplainArgs, outcome: &Outcome) -> Explanation {
    let head = &outcome.head;
    Explanation {
        schema: SCHEMA.to_owned(),
        punctual_version: head.punctual_version.clone(),
        // Another version's question may be unknown to this one.
        question: serde_json::from_value(head.question.clone()).unwrap_or_default(),
        subject: head.subject.clone(),
        environment: head.environment.clone(),
        environment_changes: head.environment_changes.clone(),
        was_full: head.was_full,
        interrupted: head.interrupted,
        system: outcome.system,
        notes: outcome.notes.clone(),
        report: outcome.report(),
        is_long: args.long,
    }
}

/// Refuses files that could not be written at the end, before anything runs.
fn check_files(args: &ExplainArgs, stop: &Stop) -> Result<(), Failure> {
    let (mut save, perfetto) = (&args.save, ("--perfetto", &args.perfetto));
    if let (Some(folder), Some(_)) = (&args.save, &args.on_late) {
        output::ensure_empty_folder(("--save", folder))?;
        save = &None;
    }
    let outputs = [("--save", save), perfetto];
    let outputs: Vec<_> = outputs
        .into_iter()
        .filter_map(|(flag, file)| named(flag, file))
        .collect();
    let inputs: Vec<_> = named("--from", &args.from).into_iter().collect();
    output::ensure_writable(stop, &outputs, &inputs)
}

fn named<'a>(flag: &'a str, file: &'a Option<PathBuf>) -> Option<(&'a str, &'a Path)> {
    file.as_deref().map(|file| (flag, file))
}

/// Says which bounds were broken, and whether all were kept. What was stopped early is not judged.
fn are_kept(bounds: &[Bound], findings: &Findings<'_>, stop: &Stop) -> bool {
    if stop.is_asked_for() {
        return true;
    }
    let broken = bounds
        .iter()
        .filter_map(|bound| Some((bound, bound.violation(findings)?)));
    let count = broken
        .inspect(|(bound, violation)| complain(format_args!("bound broken: {bound}: {violation}")))
        .count();
    count == 0
}

/// The exit status: a command that failed says so itself.
fn exit_status(are_kept: bool, otherwise: ExitCode) -> ExitCode {
    match are_kept || otherwise != ExitCode::SUCCESS {
        true => otherwise,
        false => ExitCode::from(EXIT_BOUND_BROKEN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commands_own_failure_comes_first() {
        let five = ExitCode::from(5);
        assert_eq!(exit_status(false, five), five);
        assert_eq!(exit_status(false, ExitCode::SUCCESS), ExitCode::from(3));
        assert_eq!(exit_status(true, ExitCode::SUCCESS), ExitCode::SUCCESS);
    }
}
