//! Child processes that run, until they are dropped: a load, or a companion.

use super::part::Part;
use super::worker::Worker;
use punctual::Error;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long all processes together may take to become ready. The slowest, `memory`, takes
/// a tenth of a second on a quiet machine; a machine that needs longer than this is not fit to be
/// measured.
const READY_WITHIN: Duration = Duration::from_secs(5);

/// How long processes have to end by themselves before they are killed. They need less than a
/// millisecond, and on a machine that is busy with their own load, a few time slices.
const ENDED_WITHIN: Duration = Duration::from_secs(2);

/// A load or a companion that runs. It ends when this is dropped, and also when the program that
/// holds it ends.
#[must_use = "it ends when this is dropped"]
#[derive(Debug)]
pub struct Running {
    name: String,
    workers: Vec<Worker>,
}

impl Running {
    /// Starts as many processes of this part. `name` is what messages call them.
    pub(crate) fn start(
        name: String,
        part: &Part,
        program: &Path,
        processes: usize,
    ) -> Result<Self, Error> {
        // Made first, so that its drop ends those that were started before one that fails.
        let mut running = Self {
            name,
            workers: Vec::with_capacity(processes),
        };
        let part = part.to_string();
        for _ in 0..processes {
            running.workers.push(Worker::start(program, &part)?);
        }
        let deadline = Instant::now() + READY_WITHIN;
        for worker in &running.workers {
            let name = &running.name;
            worker
                .await_ready(deadline)
                .map_err(|why| Error::system(format!("cannot start {name}: {why}")))?;
        }
        Ok(running)
    }

    /// What runs, as messages call it: `the load cpu:2`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The numbers of its processes. A command has others besides, which it started.
    pub fn process_ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.workers.iter().map(Worker::process_id)
    }

    /// Whether all of it still runs. Makes no system call and does not wait, so that it can
    /// be asked between two measured waits.
    ///
    /// # Errors
    /// When a process has ended; a measurement beside it means nothing since then. The message has
    /// what the process printed.
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
        // All first hear that it is over, and then all are waited for.
        for worker in &mut self.workers {
            worker.let_end();
        }
        let deadline = Instant::now() + ENDED_WITHIN;
        for worker in &mut self.workers {
            worker.end(deadline);
        }
    }
}
