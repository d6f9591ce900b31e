//! What the system tells about threads and processes, system by system.

#[cfg(target_os = "linux")]
#[path = "os/linux.rs"]
mod sys;

#[cfg(not(target_os = "linux"))]
#[path = "os/elsewhere.rs"]
mod sys;

pub use sys::{
    INSTEAD_OF_AN_INTERVAL, involuntary_switches, is_alive, own_thread, steal_ns, threads_of,
};
