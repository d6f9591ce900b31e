//! One program under several versions.

use super::{RunArgs, exit_code};
use punctual_command::failure::on_stderr;
use punctual_emulate::run::Run;
use punctual_emulate::session::Refusal;
use punctual_emulate::text;
use std::process::ExitCode;

/// Runs it under each, one after another, and shows how the waits differ. The exit status is the first
/// that is not success.
pub(super) fn run(args: &RunArgs) -> Result<ExitCode, Refusal> {
    let mut runs: Vec<Run> = Vec::new();
    for question in args.questions() {
        runs.push(question.run()?);
        if runs.last().is_some_and(|run| run.ended.status.is_stopped()) {
            break;
        }
    }
    if !args.quiet {
        on_stderr(|out| text::write_compared(out, &runs));
    }
    let mut statuses = runs.iter().map(|run| run.ended.status);
    let failed = statuses.find(|status| status.exit_code() != 0);
    Ok(failed.map_or(ExitCode::SUCCESS, exit_code))
}
