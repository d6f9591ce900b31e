//! Loads and companions as processes, seen from the program that starts them.
//!
//! They run in processes of their own, never in the process that measures: their threads would share
//! the measuring process's locks, its priority, and its quota of attention. Each process is this
//! same program, started again with a hidden subcommand ([`CHILD_SUBCOMMAND`]) that calls
//! [`child::run`](crate::child::run).
//!
//! **A process ends when the program that started it ends**, however that happens: its standard
//! input is a pipe of which only the starter has the other end, and the system closes that end even
//! for a program that was killed. What a `command` starts is ended with it: on Windows by a job that
//! ends with its last handle, elsewhere as a process group, with two exceptions: what leaves the
//! group (`setsid`); and all of it, when the process that wraps the command is killed by force and
//! so is the starter before it can clean up. Linux has a signal for a parent's death, but it would
//! reach the shell alone and not what the shell started.

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

/// The hidden subcommand with which a program that starts children must answer its own call: its one
/// argument goes to [`child::run`](crate::child::run).
pub const CHILD_SUBCOMMAND: &str = "load-child";

/// What a process says on its standard output when its work has begun, once and nothing else.
pub(crate) const READY: &[u8; 6] = b"ready\n";

/// Starts the load and the companions, and returns when all of them run. `program` is the executable
/// to start, which must know [`CHILD_SUBCOMMAND`].
///
/// Processes inherit the calling thread's priority and processors, so a thread that raises or pins
/// itself does so after.
///
/// # Errors
/// When a process cannot be started, ends at once, or is not ready within five seconds; the message
/// has what it printed. Nothing is left running then.
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
    // Each kind's processes are alike; only the starter needs to know how many.
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

/// Starts a companion. `number` tells companions apart, and theirs is the same chance each time.
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
