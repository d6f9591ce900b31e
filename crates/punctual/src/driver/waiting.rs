//! The wait of the thread that runs a driver.

use super::Driver;
use super::hub::Hub;
use super::pace::Served;
use super::shared::Wakeup;
use crate::os::Os;
use crate::{Cancelled, Instant, Sleeper, Wake};
use std::sync::Arc;
use std::task;
use std::time::Duration;

impl<O: Os> Driver<O> {
    /// Sleeps until a wake-up, or until the bell rings, and returns when that was.
    pub(super) fn sleep(
        &mut self,
        sleeper: &mut Sleeper<O>,
        wakeup: Option<Wakeup>,
        served: Served,
    ) -> Instant {
        let rest = wakeup.and_then(|next| self.pace.rest(served, next.window.latest()));
        let hub = self.hub();
        let slept = match wakeup {
            Some(wakeup) if rest.is_none() => {
                let rather = wakeup.shared.earliest();
                sleeper.sleep_on(wakeup.window, rather, Some(&hub.bell))
            }
            Some(_) => self.wait(rest),
            None => {
                sleeper.rest();
                self.wait(None)
            }
        };
        let Ok(wake) = slept else {
            hub.os.hush(&hub.bell);
            hub.count_wakeup(true);
            return hub.os.now();
        };
        if !wake.slept.is_zero() {
            hub.count_wakeup(false);
        }
        wake.woke
    }

    /// The system's wait and nothing else.
    fn wait(&self, until: Option<Instant>) -> Result<Wake, Cancelled> {
        let hub = self.hub();
        let began = hub.os.now();
        loop {
            if hub.os.is_rung(&hub.bell) {
                return Err(Cancelled);
            }
            let now = hub.os.now();
            if let Some(deadline) = until
                && now >= deadline
            {
                return Ok(Wake {
                    deadline,
                    woke: now,
                    slept: now - began,
                    regained: Duration::ZERO,
                    spun: Duration::ZERO,
                });
            }
            hub.os.wait(until, Duration::ZERO, &hub.bell);
        }
    }
}

/// Wakes the future that a driver runs.
pub(super) struct Nudger<O: Os>(pub(super) Arc<Hub<O>>);

impl<O: Os> task::Wake for Nudger<O> {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.nudge();
    }
}
