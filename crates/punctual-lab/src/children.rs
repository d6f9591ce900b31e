//! Loads and companions as processes, from the side of the program that starts them.
//!
//! They run in processes of their own, because threads of the measuring process would share its
//! locks, its priority and its processor quota. Each process is this same program, started again
//! with a hidden subcommand ([`CHILD_SUBCOMMAND`]) that calls [`child::run`](crate::child::run).
//!
//! **A process ends when the program that started it ends**, even if that program is killed. The
//! process's standard input is a pipe, and only the starter has the other end. The system closes
//! that end with the starter.
//!
//! What a `command` starts is ended with it: on Windows by a job that ends with its last handle,
//! elsewhere as a process group. Two cases escape on systems with groups: a process that leaves the
//! group (`setsid`), and the whole group if both the wrapper and the starter are killed by force.
//! Linux has a signal for a parent's death, but only the shell would get it, and not the shell's
//! children.

mod crew;
mod measuring;
mod part;
mod running;
mod worker;

pub(crate) use measuring::measure_in;
pub(crate) use part::Part;
pub use running::Running;

use crate::conditions::{Companion, Load};
use crate::question::Conditions;
use crew::Crew;
use punctual::Error;
use std::path::Path;

/// The hidden subcommand. A program that starts children must handle it: it passes the one argument
/// to [`child::run`](crate::child::run).
pub const CHILD_SUBCOMMAND: &str = "load-child";

/// What a process prints to its standard output for each step of its start.
pub(crate) const PROGRESS: u8 = b'.';

/// What it prints there, once, when its work has begun.
pub(crate) const READY: &[u8; 6] = b"ready\n";

/// Starts the load and the companions, and returns when all of them run. `program` is the
/// executable to start, which must handle [`CHILD_SUBCOMMAND`].
///
/// `stops` says whether to give up. It is asked before each process, and twenty times a second
/// while they become ready. `None` means that it said so; no process is left running then.
///
/// Processes inherit the calling thread's priority and processors. So start them before the thread
/// raises its priority or pins itself.
///
/// # Errors
/// If a process cannot be started, ends at once, or makes no progress for ten seconds before it is
/// ready. The message contains what it printed. No process is left running then.
pub fn start(
    conditions: &Conditions,
    program: &Path,
    stops: &dyn Fn() -> bool,
) -> Result<Option<Vec<Running>>, Error> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let mut crews = Vec::new();
    if conditions.load != Load::None {
        crews.push(Crew::of_load(&conditions.load, processors));
    }
    for (number, companion) in (0..).zip(&conditions.with) {
        crews.push(Crew::of_companion(companion, number)?);
    }
    let running = crews.iter().map(|crew| crew.start(program, stops));
    running.collect()
}

/// Starts a load; `processors` is how many processes `cpu` makes.
///
/// # Errors
/// As [`start`].
pub fn start_load(load: &Load, program: &Path, processors: usize) -> Result<Running, Error> {
    Crew::of_load(load, processors).start_all(program)
}

/// Starts a companion. `number` tells companions apart and seeds their random numbers, so a
/// companion behaves the same every time.
///
/// # Errors
/// As [`start`]; and [unsupported](Error::is_unsupported) if no process can be that companion.
pub fn start_companion(
    companion: &Companion,
    program: &Path,
    number: u32,
) -> Result<Running, Error> {
    Crew::of_companion(companion, number)?.start_all(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_load_starts_nothing_and_needs_no_program() {
        let running = start_load(&Load::None, Path::new("/nowhere"), 8).unwrap();
        assert_eq!(running.process_ids().count(), 0);
        running.check().unwrap();
    }
}
