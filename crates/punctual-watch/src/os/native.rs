//! Chooses the folder of the system that this is compiled for.

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[path = "linux/mod.rs"]
mod sys;

#[cfg(windows)]
#[path = "windows/mod.rs"]
mod sys;

#[cfg(not(any(windows, all(target_os = "linux", target_pointer_width = "64"))))]
#[path = "other.rs"]
mod sys;

pub(crate) use sys::{
    OwnQuota, clock_source, clocks, numbers, own_facts, pin, possible_processors, process_time,
    this_thread,
};
