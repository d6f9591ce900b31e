//! What the system tells about threads and processes, system by system.

mod native;

pub use native::{
    Family, INSTEAD_OF_AN_INTERVAL, become_program, involuntary_switches, is_alive, killed_by,
    own_thread, program_of, steal_ns, threads_of,
};
