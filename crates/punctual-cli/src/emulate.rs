//! `punctual run`: runs a program under the timer rules of a Windows.

mod flags;

pub use flags::RunArgs;

use punctual_command::failure::{Failure, complain, on_stderr};
use punctual_command::output;
use punctual_command::stop::Stop;
use punctual_data::json;
use punctual_emulate::recording::recording;
use punctual_emulate::run::{Question, Run};
use punctual_emulate::session::{Refusal, Status};
use punctual_emulate::text;
use punctual_lab::{Machine, Native};
use std::path::Path;
use std::process::ExitCode;

/// Runs the command. Signals are the program's as long as it runs: this must be called before anything
/// listens for them.
pub fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    args.check()?;
    let files = [("--json", &args.json), ("--record", &args.record)];
    let files = files.map(|(flag, file)| Some((flag, file.as_deref()?)));
    let files: Vec<(&str, &Path)> = files.into_iter().flatten().collect();
    output::ensure_writable(&Stop::deaf(), &files, &[])?;
    if !args.compare.is_empty() {
        return compare(args).map_err(refused);
    }
    let Some(question) = args.questions().next() else {
        return Err(Failure::Usage("write --as and a version".to_owned()));
    };
    if let Some(times) = args.repeat {
        return repeat(args, question, times);
    }
    let run = question.run().map_err(refused)?;
    tell(args, &run)?;
    Ok(exit_code(run.ended.status))
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn refused(refusal: Refusal) -> Failure {
    let status = u8::try_from(refusal.exit_code()).unwrap_or(125);
    Failure::Refused(refusal.to_string(), status)
}

/// Runs it again and again, each time with another phase.
fn repeat(args: &RunArgs, question: Question, times: u64) -> Result<ExitCode, Failure> {
    let repeated = question.repeat(times, args.until_fails);
    let repeated = repeated.map_err(refused)?;
    tell(args, &repeated.last)?;
    for (number, phase, status) in &repeated.failed {
        complain(format_args!(
            "run {} failed, {status}: to repeat it, --phase {} --seed {}",
            number + 1,
            text::written_phase(*phase),
            args.seed
        ));
    }
    if repeated.failed.is_empty() && !args.quiet {
        complain(format_args!("none of {times} runs failed"));
    }
    let first = repeated.failed.first().map(|(_, _, status)| *status);
    let status = first.unwrap_or(repeated.last.ended.status);
    Ok(exit_code(status))
}

/// Writes what was found.
fn tell(args: &RunArgs, run: &Run) -> Result<(), Failure> {
    let stop = Stop::deaf();
    if let Some(file) = &args.json {
        let document = run.document();
        output::file(&stop, file, |out| json::write(out, &document))?;
    }
    if let Some(file) = &args.record {
        let machine = Native::detect().map_err(Failure::run)?;
        let recording = recording(run, &machine.environment());
        output::file(&stop, file, |out| json::write(out, &recording))?;
    }
    if !args.quiet {
        // Standard output is the program's.
        on_stderr(|out| text::write(out, run));
    }
    Ok(())
}

fn exit_code(status: Status) -> ExitCode {
    ExitCode::from(u8::try_from(status.exit_code()).unwrap_or(1))
}

/// Runs it under each, one after another, and shows how the waits differ. The exit status is the first
/// that is not success.
fn compare(args: &RunArgs) -> Result<ExitCode, Refusal> {
    let mut runs: Vec<Run> = Vec::new();
    for question in args.questions() {
        runs.push(question.run()?);
        if runs
            .last()
            .is_some_and(|compare| compare.ended.status.is_stopped())
        {
            break;
        }
    }
    if !args.quiet {
        on_stderr(|out| text::write_compared(out, &runs));
    }
    let mut statuses = runs.iter().map(|compare| compare.ended.status);
    let failed = statuses.find(|status| status.exit_code() != 0);
    Ok(failed.map_or(ExitCode::SUCCESS, exit_code))
}
