//! Running child processes: a load or a companion. They end when they are dropped.

use super::part::Part;
use super::worker::Worker;
use punctual::Error;
use std::path::Path;
use std::time::{Duration, Instant};

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
    patience: Duration,
}

impl Running {
    /// Starts as many processes for this work. `name` is their name in messages. `None` if `stops`
    /// said so before all were ready.
    pub(super) fn start(
        name: String,
        part: &Part,
        program: &Path,
        processes: usize,
        stops: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, Error> {
        // Made first: if a process fails to start, the drop ends those that already run. They have
        // done nothing yet, so they need no time to end.
        let mut running = Self {
            name,
            workers: Vec::with_capacity(processes),
            patience: Duration::ZERO,
        };
        let part = part.to_string();
        for _ in 0..processes {
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
        running.patience = ENDED_WITHIN;
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
        let deadline = Instant::now() + self.patience;
        for worker in &mut self.workers {
            worker.end(deadline);
        }
    }
}
