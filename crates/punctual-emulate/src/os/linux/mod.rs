//! Linux on x86-64: seccomp stops a thread at its timed calls, ptrace changes them.

mod block;
mod check;
mod clocks;
mod memory;
mod procfs;
mod ptrace;
mod registers;
mod segment;
mod signals;
mod space;
mod start;
mod threads;
mod tracer;

pub(crate) use check::possible;

use crate::session::{Ended, Options, Refusal};
use crate::timer_policy::TimerPolicy;
use std::process::Command;

/// Runs a program under a policy.
pub(crate) fn run(
    command: &Command,
    policy: &mut dyn TimerPolicy,
    options: &Options,
) -> Result<Ended, Refusal> {
    possible()?;
    let program = check::Program::of(command)?;
    let child = start::fork(&program)?;
    let signals = signals::SignalRelay::begin(child.pid());
    // Its memory is ours until it executes the program: it waits for us.
    let main = child.seize()?;
    let mut tracer = tracer::Tracer::new(main, policy, options);
    let errors = child.go()?;
    let ended = tracer.run(&signals);
    drop(signals);
    errors.check(&program).map(|()| ended)
}
