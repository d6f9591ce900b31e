//! `--fail-if`: which bounds were broken, and what that does to the exit status.

use crate::EXIT_BOUND_BROKEN;
use punctual_command::failure::complain;
use punctual_command::stop::Stop;
use punctual_trace::report::bound::{Bound, Findings};
use std::process::ExitCode;

/// Says which bounds were broken, and whether all were kept. What was stopped early is not judged.
pub(super) fn are_kept(bounds: &[Bound], findings: &Findings<'_>, stop: &Stop) -> bool {
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
pub(super) fn status(are_kept: bool, otherwise: ExitCode) -> ExitCode {
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
        assert_eq!(status(false, five), five);
        assert_eq!(status(false, ExitCode::SUCCESS), ExitCode::from(3));
        assert_eq!(status(true, ExitCode::SUCCESS), ExitCode::SUCCESS);
    }
}
