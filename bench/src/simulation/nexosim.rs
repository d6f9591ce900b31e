//! nexosim: each thread is a model that schedules its own next event, on one thread of the host.

use super::workload::{Delays, Workload};
use crate::failure::Failure;
use crate::os::Meter;
use nexosim::model::{Context, Model, schedulable};
use nexosim::simulation::{Mailbox, SimInit};
use nexosim::time::MonotonicTime;
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub const NAME: &str = "nexosim";

/// It has no processors to be given and nothing to block: an event is a timer and a call.
#[derive(Serialize, Deserialize)]
struct Sleeper {
    left: u64,
    /// Models can be saved; none of these ever is.
    #[serde(skip, default = "unsaved")]
    delays: Delays,
}

fn unsaved() -> Delays {
    Delays::of_thread(0)
}

#[Model]
impl Sleeper {
    #[nexosim(init)]
    async fn begin(&mut self, context: &Context<Self>) {
        self.sleep(context);
    }

    #[nexosim(schedulable)]
    fn wake(&mut self, _: (), context: &Context<Self>) {
        self.left -= 1;
        if self.left > 0 {
            self.sleep(context);
        }
    }

    fn sleep(&mut self, context: &Context<Self>) {
        let delay = self.delays.draw();
        let scheduled = context.schedule_event(delay, schedulable!(Self::wake), ());
        scheduled.expect("no delay is nothing, so the deadline is in the future");
    }
}

/// The processor time that the workload takes, the making of models excluded.
pub fn run(workload: Workload) -> Result<Duration, Failure> {
    let mut bench = SimInit::with_num_threads(1);
    for number in 0..workload.threads {
        let sleeper = Sleeper {
            left: workload.sleeps_each,
            delays: Delays::of_thread(number),
        };
        bench = bench.add_model(sleeper, Mailbox::new(), "sleeper");
    }
    let mut simulation = bench.init(MonotonicTime::EPOCH)?;
    let began = Meter::Process.read();
    simulation.run()?;
    Ok(Meter::Process.read() - began)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs() {
        assert!(!run(Workload::of(10, 1_000)).unwrap().is_zero());
    }
}
