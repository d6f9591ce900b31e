//! tokio: a task for each timer on a current-thread runtime, and a timer wheel of one millisecond.

use super::super::workload::Workload;
use super::{Account, Contender, Deadlines, Turn};
use crate::failure::Failure;
use crate::os::SlackGuard;
use crate::waiting::DEFAULT_SLACK;
use punctual::Native;
use tokio::runtime::{Builder, Runtime};
use tokio::time::{sleep_until, timeout_at};

/// `tokio::time::sleep_until` in as many tasks as there are timers, on a runtime which is kept.
pub struct Tokio(Runtime);

pub const NAME: &str = "tokio";

impl Tokio {
    pub fn new() -> Result<Self, Failure> {
        Ok(Self(Builder::new_current_thread().enable_time().build()?))
    }
}

async fn keep(os: Native, mut deadlines: Deadlines) -> Deadlines {
    while let Some(deadline) = deadlines.next() {
        let Some(deadline) = os.instant_to_std(deadline) else {
            break;
        };
        sleep_until(deadline.into()).await;
        deadlines.fired();
    }
    deadlines
}

impl Contender for Tokio {
    fn name(&self) -> &'static str {
        NAME
    }

    fn tolerance(&self) -> Option<f64> {
        None
    }

    fn keep(&mut self, workload: &Workload) -> Result<Turn, Failure> {
        let _slack = SlackGuard::set(DEFAULT_SLACK);
        let os = Native::new();
        let account = Account::open();
        let (start, duration) = (account.start, workload.duration);
        let kept = self.0.block_on(async {
            let tasks: Vec<_> = workload
                .tasks
                .iter()
                .map(|&task| tokio::spawn(keep(os.clone(), Deadlines::of(task, start, duration))))
                .collect();
            let mut kept = Vec::new();
            for task in tasks {
                kept.push(task.await?);
            }
            if let Some(end) = os.instant_to_std(start + duration) {
                // Until the turn is over, like everyone.
                let _ = timeout_at(end.into(), std::future::pending::<()>()).await;
            }
            Ok::<_, Failure>(kept)
        })?;
        let missed = kept.iter().map(|deadlines| deadlines.missed).sum();
        let latenesses = kept.into_iter().flat_map(|deadlines| deadlines.latenesses);
        // Gathering is not part of the turn; it takes microseconds.
        Ok(account.close(latenesses.collect(), missed))
    }
}
