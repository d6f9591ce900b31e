//! `punctual run`: runs a program under the timer rules of a Windows.

mod compared;
mod flags;
mod json;
mod phase;
mod recording;
mod summary;

pub use flags::RunArgs;

use flags::As;
use punctual_command::failure::{Failure, complain};
use punctual_command::output;
use punctual_command::stop::Stop;
use punctual_emulate::session::{Ended, Options, Refusal, Session, Status};
use punctual_emulate::windows::Windows;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// A run that is over.
struct Run {
    version: As,
    phase: Duration,
    windows: Windows,
    ended: Ended,
    took: Duration,
}

/// Runs the command. Signals are the program's as long as it runs: this must be called before anything
/// listens for them.
pub fn run(args: &RunArgs) -> ExitCode {
    match try_run(args) {
        Ok(status) => status,
        Err(failure) => failure.report(),
    }
}

fn try_run(args: &RunArgs) -> Result<ExitCode, Failure> {
    args.check()?;
    check_files(args)?;
    if !args.compare.is_empty() {
        return compared::run(args);
    }
    let Some(version) = args.versions().into_iter().next() else {
        return Err(Failure::Usage("write --as and a version".to_owned()));
    };
    match args.repeat {
        Some(times) => repeat(args, &version, times),
        None => {
            let phase = args
                .phase
                .unwrap_or_else(|| phase::drawn(args.seed, 0, &version));
            match once(args, &version, phase) {
                Ok(run) => {
                    tell(args, &run)?;
                    Ok(exit_code(run.ended.status))
                }
                Err(refusal) => Ok(refused(&refusal)),
            }
        }
    }
}

/// Runs the program once.
fn once(args: &RunArgs, version: &As, phase: Duration) -> Result<Run, Refusal> {
    let mut words = args.command.iter();
    let mut command = Command::new(
        words
            .next()
            .map(|word| word.as_os_str())
            .unwrap_or_default(),
    );
    command.args(words);
    let mut windows = Windows::new(args.conditions(version, phase));
    let began = Instant::now();
    let ended = Session::run(&command, &mut windows, &Options::default())?;
    Ok(Run {
        version: version.clone(),
        phase,
        windows,
        ended,
        took: began.elapsed(),
    })
}

/// Runs it again and again, each time with another phase.
fn repeat(args: &RunArgs, version: &As, times: u64) -> Result<ExitCode, Failure> {
    let mut failed = Vec::new();
    let mut last = None;
    for number in 0..times {
        let phase = phase::drawn(args.seed, number, version);
        let run = match once(args, version, phase) {
            Ok(run) => run,
            Err(refusal) => return Ok(refused(&refusal)),
        };
        let status = run.ended.status;
        let is_stopped = is_stopped(status);
        if status != Status::Exited(0) && !is_stopped {
            failed.push((number, phase, status));
        }
        last = Some(run);
        if is_stopped || (args.until_fails && !failed.is_empty()) {
            break;
        }
    }
    let Some(last) = last else {
        return Ok(ExitCode::SUCCESS);
    };
    tell(args, &last)?;
    for (number, phase, status) in &failed {
        complain(format_args!(
            "run {} failed, {}: to repeat it, --phase {} --seed {}",
            number + 1,
            summary::status(*status),
            phase::written(*phase),
            args.seed
        ));
    }
    if failed.is_empty() && !args.quiet {
        complain(format_args!("none of {times} runs failed"));
    }
    let status = failed
        .first()
        .map_or(last.ended.status, |(_, _, status)| *status);
    Ok(exit_code(status))
}

/// Whether somebody at the terminal, or whoever ends programs, has stopped it.
fn is_stopped(status: Status) -> bool {
    // SIGHUP, SIGINT and SIGTERM have these numbers on every Linux.
    matches!(status, Status::Signalled(1 | 2 | 15))
}

/// Writes what was found.
fn tell(args: &RunArgs, run: &Run) -> Result<(), Failure> {
    let stop = Stop::deaf();
    if let Some(file) = &args.json {
        let document = json::document(args, run);
        output::file(&stop, file, |out| {
            punctual_data::json::write(out, &document)
        })?;
    }
    if let Some(file) = &args.record {
        let recording = recording::recording(args, run)?;
        output::file(&stop, file, |out| {
            punctual_data::json::write(out, &recording)
        })?;
    }
    if !args.quiet {
        summary::show(run);
    }
    Ok(())
}

/// Refuses files that could not be written at the end.
fn check_files(args: &RunArgs) -> Result<(), Failure> {
    let files = [("--json", &args.json), ("--record", &args.record)];
    let files: Vec<(&str, &PathBuf)> = files
        .into_iter()
        .filter_map(|(flag, file)| file.as_ref().map(|file| (flag, file)))
        .collect();
    let outputs: Vec<_> = files
        .iter()
        .map(|(flag, file)| (*flag, file.as_path()))
        .collect();
    output::ensure_writable(&Stop::deaf(), &outputs, &[])
}

/// Says why nothing ran.
fn refused(refusal: &Refusal) -> ExitCode {
    complain(format_args!("error: {refusal}"));
    ExitCode::from(u8::try_from(refusal.exit_code()).unwrap_or(125))
}

fn exit_code(status: Status) -> ExitCode {
    ExitCode::from(u8::try_from(status.exit_code()).unwrap_or(1))
}
