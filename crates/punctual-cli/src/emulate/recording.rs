//! How late a run's waits were, as a recording.

use super::{Run, RunArgs};
use punctual_command::failure::Failure;
use punctual_lab::Machine;
use punctual_lab::measure::Recording;
use punctual_lab::question::Simulated;

/// The recording of a run: one that `compare` and `report` read.
pub(super) fn recording(args: &RunArgs, run: &Run) -> Result<Recording, Failure> {
    let machine = punctual_lab::Native::detect().map_err(Failure::run)?;
    let environment = machine.environment();
    let mut recording = punctual_emulate::recording::recording(&run.windows, environment);
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
