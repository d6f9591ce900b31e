//! `punctual run`: runs a program under the timer rules of a Windows.

mod compared;
mod flags;
mod json;
mod summary;

pub use flags::RunArgs;

use flags::As;
use punctual_command::failure::{Failure, complain};
use punctual_command::output;
use punctual_command::stop::Stop;
use punctual_data::quantity::whole_nanos;
use punctual_emulate::session::{Ended, Options, Refusal, Session, Status};
use punctual_emulate::windows::Windows;
use punctual_lab::Machine;
use punctual_lab::measure::Recording;
use punctual_lab::question::Simulated;
use punctual_sim::random::Random;
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
                .unwrap_or_else(|| drawn_phase(args.seed, 0, &version));
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
        let phase = drawn_phase(args.seed, number, version);
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
            written_phase(*phase),
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
        let recording = recording(args, run)?;
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

// The phase of the ticks when a program starts.

/// What phases are drawn for: apart from all else that comes from the same seed.
const PHASES: u64 = 4 << 32;

/// Phases are in whole microseconds, which are easy to write again.
const STEP_NS: u64 = 1_000;

/// The golden ratio's share of an interval: phases that far apart cover it evenly, however many they are.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// The phase of this run of a series: drawn for the first, and spread evenly from there on.
fn drawn_phase(seed: u64, number: u64, version: &As) -> Duration {
    let interval = whole_nanos(version.0.parameters.default_interval);
    let mut random = Random::stream(seed, PHASES);
    let first = random.between(0, interval - 1) as f64 / interval as f64;
    let share = (first + number as f64 * GOLDEN).fract();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between zero and an interval"
    )]
    let after = (share * interval as f64) as u64;
    Duration::from_nanos(after / STEP_NS * STEP_NS)
}

/// A phase as `--phase` reads it.
fn written_phase(phase: Duration) -> String {
    format!("{}us", phase.as_micros())
}

// How late a run's waits were, as a recording.

/// The recording of a run: one that `compare` and `report` read.
fn recording(args: &RunArgs, run: &Run) -> Result<Recording, Failure> {
    let machine = punctual_lab::Native::detect().map_err(Failure::run)?;
    let environment = machine.environment();
    let mut recording = punctual_emulate::recording::recording(&run.windows, &environment);
    recording.question.conditions.with = args.with.clone();
    recording.question.conditions.standing.hidden = args.hidden;
    recording.question.request = None;
    // What reads it is to say which Windows it was.
    recording.question.on = Some(Simulated {
        machine: run.version.name(),
        seed: args.seed,
    });
    Ok(recording)
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual_data::quantity::parse_duration;

    #[test]
    fn phases_are_repeatable_and_cover_an_interval() {
        let version: As = "windows-7".parse().unwrap();
        let interval = version.0.parameters.default_interval;
        let mut phases: Vec<Duration> = (0..20)
            .map(|number| drawn_phase(1, number, &version))
            .collect();
        assert_eq!(phases[3], drawn_phase(1, 3, &version));
        for phase in &phases {
            assert_eq!(parse_duration(&written_phase(*phase)), Ok(*phase));
        }
        phases.sort_unstable();
        phases.push(phases[0] + interval);
        let gaps = phases.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(gaps.max() < Some(interval / 8));
    }
}
