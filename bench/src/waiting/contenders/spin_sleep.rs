//! spin_sleep 1.3: a system wait that ends a fixed 125 µs early, then a spin that yields.

use super::{Contender, slack_name};
use crate::failure::Failure;
use crate::os::SlackGuard;
use crate::waiting::grid::{Block, Outcome, on_grid};
use punctual::{Instant, Native};
use std::time::Duration;

/// Which of its calls is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// `spin_sleep::sleep` for what is left until the deadline, as most programs call it.
    Sleep,
    /// `SpinSleeper::sleep_until`, with the sleeper as it ships.
    SleepUntil,
}

/// spin_sleep leaves timer slack alone, so it is measured with the default and with the least.
pub struct SpinSleep {
    call: Call,
    slack: Duration,
    sleeper: spin_sleep::SpinSleeper,
}

impl SpinSleep {
    pub fn new(call: Call, slack: Duration) -> Self {
        Self {
            call,
            slack,
            sleeper: spin_sleep::SpinSleeper::default(),
        }
    }

    pub fn name_of(call: Call, slack: Duration) -> String {
        let call = match call {
            Call::Sleep => "spin_sleep",
            Call::SleepUntil => "SpinSleeper",
        };
        format!("{call}, {}", slack_name(slack))
    }

    fn sleep(&self, os: &Native, deadline: Instant) {
        match self.call {
            Call::Sleep => spin_sleep::sleep(deadline.duration_since(os.now())),
            Call::SleepUntil => {
                if let Some(deadline) = os.instant_to_std(deadline) {
                    self.sleeper.sleep_until(deadline);
                }
            }
        }
    }
}

impl Contender for SpinSleep {
    fn name(&self) -> String {
        Self::name_of(self.call, self.slack)
    }

    fn wait(&mut self, block: Block) -> Result<Outcome, Failure> {
        let _slack = SlackGuard::set(self.slack);
        let os = Native::new();
        Ok(on_grid(os.clone(), block, |deadline| {
            self.sleep(&os, deadline);
        }))
    }
}
