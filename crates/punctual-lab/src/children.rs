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

mod worker;

use crate::conditions::{Companion, Load, Throttling};
use crate::question::Conditions;
use punctual::Error;
use punctual_data::written;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroUsize;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};
use worker::Worker;

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
    let running = crews
        .into_iter()
        .map(|crew| Running::start(crew, program, stops));
    running.collect()
}

// Running child processes: a load or a companion. They end when they are dropped.

/// How long processes have to end by themselves before they are killed. They need less than a
/// millisecond on a quiet machine, and a few time slices on a machine busy with their own load.
const ENDED_WITHIN: Duration = Duration::from_secs(2);

/// A running load or companion. It ends when this is dropped, and also when the program that holds
/// it ends.
#[must_use = "it ends when this is dropped"]
#[derive(Debug)]
pub struct Running {
    name: String,
    workers: Vec<Worker>,
    /// How long they have to end by themselves.
    end_timeout: Duration,
}

impl Running {
    /// Starts as many processes for this work. `name` is their name in messages. `None` if `stops`
    /// said so before all were ready.
    fn start(
        Crew { name, part, count }: Crew,
        program: &Path,
        stops: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, Error> {
        // Made first: if a process fails to start, the drop ends those that already run. They have
        // done nothing yet, so they need no time to end.
        let mut running = Self {
            name,
            workers: Vec::with_capacity(count),
            end_timeout: Duration::ZERO,
        };
        let part = part.to_string();
        for _ in 0..count {
            if stops() {
                return Ok(None);
            }
            running.workers.push(Worker::start(program, &part)?);
        }
        for worker in &running.workers {
            let name = &running.name;
            let is_ready = worker
                .await_ready(stops)
                .map_err(|why| Error::system(format!("cannot start {name}: {why}")))?;
            if !is_ready {
                return Ok(None);
            }
        }
        running.end_timeout = ENDED_WITHIN;
        Ok(Some(running))
    }

    /// The name in messages: `the load cpu:2`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The ids of its processes. A command may have started more.
    pub fn process_ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.workers.iter().map(Worker::process_id)
    }

    /// Checks that all of it still runs. This makes no system call and does not wait, so it can be
    /// called between two measured waits.
    ///
    /// # Errors
    /// If a process has ended. The measurement is invalid from then on. The message contains what
    /// the process printed.
    pub fn check(&self) -> Result<(), Error> {
        for worker in &self.workers {
            if let Some(printed) = worker.ended() {
                let message = format!("{} ended during the run{printed}", self.name);
                return Err(Error::system(message));
            }
        }
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // All are told to end first, and then all are waited for.
        for worker in &mut self.workers {
            worker.let_end();
        }
        let deadline = Instant::now() + self.end_timeout;
        for worker in &mut self.workers {
            worker.end(deadline);
        }
    }
}

// The processes of one load or companion before they are started: how many, and their work.

/// Processes that do the same work.
struct Crew {
    /// Their name in messages.
    name: String,
    part: Part,
    count: usize,
}

impl Crew {
    /// `processors` is how many processes `cpu` makes.
    fn of_load(load: &Load, processors: usize) -> Self {
        // All processes of a kind are alike, so only the starter needs their number.
        let alike = match load {
            Load::Cpu { .. } => Load::Cpu { processes: None },
            other => other.clone(),
        };
        Self {
            name: format!("the load {load}"),
            part: Part::Load(alike),
            count: process_count(load, processors),
        }
    }

    /// `number` tells companions apart.
    fn of_companion(companion: &Companion, number: u32) -> Result<Self, Error> {
        let part = match *companion {
            Companion::Requester { standing, .. } if standing.hidden => {
                return Err(crate::conditions::not_hidden());
            }
            Companion::Requester { interval, standing } => Part::Requester {
                interval,
                throttling: standing.throttling,
            },
            Companion::Sleepers { threads } => Part::Sleepers { threads, number },
            Companion::Driver { .. } => return Err(Companion::no_driver()),
        };
        Ok(Self {
            name: format!("the companion {companion}"),
            part,
            count: 1,
        })
    }
}

fn process_count(load: &Load, processors: usize) -> usize {
    match load {
        Load::None => 0,
        Load::Cpu { processes } => processes.map_or(processors, NonZeroUsize::get),
        Load::Switch | Load::Memory | Load::Timers | Load::Command(_) => 1,
    }
}

/// The work of one child process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Part {
    /// One process of a load.
    Load(Load),
    /// `requester:NANOSECONDS` or `requester:NANOSECONDS:honour`: requests a timer interval.
    Requester {
        #[serde(with = "written::nanos")]
        interval: Duration,
        throttling: Option<Throttling>,
    },
    /// `sleepers:THREADS:NUMBER`: threads of another program, and the number of the companion.
    Sleepers { threads: NonZeroUsize, number: u32 },
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

impl FromStr for Part {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        serde_json::from_str(text).map_err(|_| {
            Error::invalid_input(format!(
                "{text:?} does not name the work of a child process"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_load_starts_nothing_and_needs_no_program() {
        let nothing = start(&Conditions::default(), Path::new("/nowhere"), &|| false);
        assert_eq!(nothing.unwrap().map(|running| running.len()), Some(0));
    }

    #[test]
    fn one_spinning_process_per_processor_unless_said() {
        let count = |text: &str| process_count(&text.parse().unwrap(), 8);
        assert_eq!(count("none"), 0);
        assert_eq!(count("cpu"), 8);
        assert_eq!(count("cpu:3"), 3);
        assert_eq!(count("timers"), 1);
    }

    #[test]
    fn reads_what_it_writes() {
        let parts = [
            Part::Load(Load::Command("requester:1".to_owned())),
            Part::Requester {
                interval: Duration::from_micros(500),
                throttling: None,
            },
            Part::Requester {
                interval: Duration::from_micros(500),
                throttling: Some(Throttling::Ignore),
            },
            Part::Sleepers {
                threads: NonZeroUsize::MIN,
                number: 7,
            },
        ];
        for part in parts {
            assert_eq!(part.to_string().parse::<Part>().unwrap(), part);
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        for text in [
            r#"{"load":"fast"}"#,
            r#"{"requester":{"interval":"1ms","throttling":null}}"#,
            r#"{"requester":{"interval":1,"throttling":"hidden"}}"#,
            r#"{"sleepers":{"threads":0,"number":1}}"#,
            r#"{"sleepers":{"threads":1}}"#,
            "sleepers",
            "",
        ] {
            assert!(
                text.parse::<Part>().unwrap_err().is_invalid_input(),
                "{text}"
            );
        }
    }
}
