//! The processors that the kernel uses, and those that it could.

use crate::os::Processors;
use punctual_lab::environment::ProcessorSet;
use rustix::thread::{CpuSet, sched_getaffinity};
use std::fs::read_to_string;

/// <https://docs.kernel.org/admin-guide/cputopology.html>
const FOLDER: &str = "/sys/devices/system/cpu";

/// Those of this machine, for the calling thread.
pub(crate) fn processors() -> Processors {
    let allowed = sched_getaffinity(None).ok();
    let may_use = |one: &usize| {
        let is_allowed = |set: &CpuSet| *one < CpuSet::MAX_CPU && set.is_set(*one);
        allowed.as_ref().is_none_or(is_allowed)
    };
    Processors {
        usable: set("online").into_iter().filter(may_use).collect(),
        possible: set("possible"),
    }
}

fn set(name: &str) -> Vec<usize> {
    let text = read_to_string(format!("{FOLDER}/{name}")).unwrap_or_default();
    let set: ProcessorSet = text.parse().unwrap_or_default();
    set.numbers()
        .filter_map(|one| one.try_into().ok())
        .collect()
}
