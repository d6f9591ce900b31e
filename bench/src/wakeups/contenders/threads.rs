//! One thread for each timer, with the standard library's sleep.

use super::super::workload::Workload;
use super::{Account, Contender, Deadlines, Turn};
use crate::failure::Failure;
use crate::os::SlackGuard;
use crate::waiting::DEFAULT_SLACK;
use punctual::Native;
use std::thread;

/// `std::thread::sleep` in as many threads as there are timers.
pub struct Threads;

impl Contender for Threads {
    fn name(&self) -> &'static str {
        "a thread each"
    }

    fn tolerance(&self) -> Option<f64> {
        None
    }

    fn keep(&mut self, workload: &Workload) -> Result<Turn, Failure> {
        // Threads inherit it.
        let _slack = SlackGuard::set(DEFAULT_SLACK);
        let os = Native::new();
        let account = Account::open();
        let (start, duration) = (account.start, workload.duration);
        let started: Result<Vec<_>, _> = workload
            .tasks
            .iter()
            .map(|&task| {
                // Little more than the standard library needs.
                let builder = thread::Builder::new().stack_size(64 << 10);
                let os = os.clone();
                builder.spawn(move || {
                    let mut deadlines = Deadlines::of(task, start, duration);
                    while let Some(deadline) = deadlines.next() {
                        thread::sleep(deadline.duration_since(os.now()));
                        deadlines.fired();
                    }
                    deadlines
                })
            })
            .collect();
        let mut latenesses = Vec::new();
        let mut missed = 0;
        for thread in started? {
            let kept = thread.join().map_err(|_| "a thread panicked")?;
            missed += kept.missed;
            latenesses.extend(kept.latenesses);
        }
        thread::sleep((start + duration).duration_since(os.now()));
        Ok(account.close(latenesses, missed))
    }
}
