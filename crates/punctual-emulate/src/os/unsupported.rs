//! Systems on which programs are not stopped at their calls.

use crate::session::{Ended, Options, Refusal};
use crate::timer_policy::TimerPolicy;
use std::process::Command;

/// Refuses.
pub(crate) fn possible() -> Result<(), Refusal> {
    Err(Refusal::new(
        "programs are steered on Linux with x86-64 processors only: run it there",
    ))
}

/// Refuses.
pub(crate) fn run(_: &Command, _: &mut dyn TimerPolicy, _: &Options) -> Result<Ended, Refusal> {
    possible()?;
    unreachable!("it refuses always")
}
