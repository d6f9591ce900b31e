//! Reads what Linux tells about the machine and about the calling thread.
//!
//! One file per topic. In each, pure functions interpret the text. [`source::Source`] reads it, and
//! keeps the reasons for what could not be read.

mod calls;
mod cgroup;
mod container;
mod fields;
mod hypervisor;
mod kernel;
mod power;
mod privileges;
mod processor;
mod source;
mod timers;

pub(super) use calls::timer_slack_ns;

use crate::Environment;
use crate::environment::{GroupQuota, clock_cost_ns};
use punctual::Native;
use source::Source;
use std::path::Path;

/// The machine as it is now, for the calling thread. Takes a few milliseconds.
pub(super) fn read() -> Environment {
    let mut source = Source::under(Path::new("/"));
    let mut environment = read_files(&mut source);
    timers::ask_kernel(&mut source, &mut environment);
    environment.clock_cost_ns = Native::detect().ok().map(|os| clock_cost_ns(&os));
    environment.not_known = source.into_not_known();
    environment
}

/// The quotas of the groups to which a thread belongs.
pub(crate) fn quotas_of(thread: u32) -> Vec<GroupQuota> {
    cgroup::quotas_of(&Source::under(Path::new("/")), thread)
}

/// The part that comes from files. The hypervisor comes last because it depends on earlier facts.
fn read_files(source: &mut Source) -> Environment {
    let mut environment = Environment {
        architecture: Some(std::env::consts::ARCH.to_owned()),
        ..Environment::default()
    };
    kernel::read(source, &mut environment);
    processor::read(source, &mut environment);
    cgroup::read(source, &mut environment);
    timers::read(source, &mut environment);
    hypervisor::read(source, &mut environment);
    container::read(source, &mut environment);
    power::read(source, &mut environment);
    privileges::read(source, &mut environment);
    environment
}

#[cfg(test)]
mod tests;
