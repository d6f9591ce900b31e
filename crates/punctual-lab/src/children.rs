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

mod measuring;
mod part;
mod running;
mod worker;

pub(crate) use measuring::measure_in;
pub(crate) use part::Part;
pub use running::Running;

use crate::conditions::{Companion, Load};
use crate::question::Conditions;
use punctual::Error;
use std::num::NonZeroUsize;
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
/// Processes inherit the calling thread's priority and processors. So start them before the thread
/// raises its priority or pins itself.
///
/// # Errors
/// If a process cannot be started, ends at once, or makes no progress for ten seconds before it is ready.
/// The message contains what it printed. No process is left running then.
pub fn start(conditions: &Conditions, program: &Path) -> Result<Vec<Running>, Error> {
    let mut running = Vec::new();
    if conditions.load != Load::None {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        running.push(start_load(&conditions.load, program, processors)?);
    }
    for (number, companion) in (0..).zip(&conditions.with) {
        running.push(start_companion(companion, program, number)?);
    }
    Ok(running)
}

/// Starts a load; `processors` is how many processes `cpu` makes.
///
/// # Errors
/// As [`start`].
pub fn start_load(load: &Load, program: &Path, processors: usize) -> Result<Running, Error> {
    // All processes of a kind are alike, so only the starter needs their number.
    let alike = match load {
        Load::Cpu { .. } => Load::Cpu { processes: None },
        other => other.clone(),
    };
    let count = process_count(load, processors);
    Running::start(
        format!("the load {load}"),
        &Part::Load(alike),
        program,
        count,
    )
}

fn process_count(load: &Load, processors: usize) -> usize {
    match load {
        Load::None => 0,
        Load::Cpu { processes } => processes.map_or(processors, NonZeroUsize::get),
        Load::Switch | Load::Memory | Load::Timers | Load::Command(_) => 1,
    }
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
    let part = match *companion {
        Companion::Requester { interval } => Part::Requester { interval },
        Companion::Sleepers { threads } => Part::Sleepers { threads, number },
        Companion::Driver { .. } => return Err(Companion::no_driver()),
    };
    Running::start(format!("the companion {companion}"), &part, program, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spinning_process_per_processor_unless_said() {
        let count = |text: &str| process_count(&text.parse().unwrap(), 8);
        assert_eq!(count("none"), 0);
        assert_eq!(count("cpu"), 8);
        assert_eq!(count("cpu:3"), 3);
        assert_eq!(count("timers"), 1);
    }

    #[test]
    fn no_load_starts_nothing_and_needs_no_program() {
        let running = start_load(&Load::None, Path::new("/nowhere"), 8).unwrap();
        assert_eq!(running.process_ids().count(), 0);
        running.check().unwrap();
    }
}
