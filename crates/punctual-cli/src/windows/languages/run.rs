//! Simulates the waits of languages, on as many threads as there are processors.

use super::LanguagesArgs;
use crate::show::View;
use punctual_command::failure::Failure;
use punctual_command::progress::Progress;
use punctual_command::stop::Stop;
use punctual_lab::languages::{self, Question};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of machines that fit side by side in 80 columns.
const MOST_MACHINES: usize = 6;

/// Runs the command.
pub fn languages(args: &LanguagesArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let question = args.question()?;
    check(&question)?;
    let guard = stop.guard_while_computing();
    let cells = question.personas.len() * question.machines.len();
    let watched = Arc::new(Watched {
        progress: Progress::of("simulating", cells as u64),
        done: AtomicU64::new(0),
        stop: stop.clone(),
    });
    let mut recording = languages::run(&question, watched).map_err(Failure::run)?;
    recording.interrupted = guard.end();
    crate::show::in_format(args.format, &View(&recording))?;
    Ok(stop.status())
}

/// Refuses what would not fit, before anything runs.
fn check(question: &Question) -> Result<(), Failure> {
    if question.machines.len() > MOST_MACHINES {
        let problem = format!("at most {MOST_MACHINES} machines fit side by side");
        return Err(Failure::flag("--on", problem));
    }
    twice("--on", &question.machines)?;
    twice("--persona", &question.personas)
}

fn twice(flag: &'static str, names: &[String]) -> Result<(), Failure> {
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            return Err(Failure::flag(flag, format!("'{name}' is given twice")));
        }
    }
    Ok(())
}

/// Shows progress, and stops on request.
struct Watched {
    progress: Progress,
    done: AtomicU64,
    stop: Stop,
}

impl languages::Observer for Watched {
    /// Threads end their cells in any order.
    fn reach(&self, done: u64) {
        let most = self.done.fetch_max(done, Ordering::Relaxed).max(done);
        self.progress.reach(most);
    }

    fn stops(&self) -> bool {
        self.stop.is_asked_for()
    }
}
