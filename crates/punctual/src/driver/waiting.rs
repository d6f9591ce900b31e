//! The wait of the thread that runs a driver.

use super::Driver;
use super::hub::Hub;
use super::pace::Served;
use super::shared::Wakeup;
use crate::os::Os;
use crate::os::wait::until_rung;
use crate::{Cancelled, Instant, Sleeper};
use std::sync::Arc;
use std::task;

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
        let slept = match (wakeup, rest) {
            (Some(wakeup), None) => {
                let not_before = wakeup.shared.earliest();
                sleeper.sleep_on(wakeup.window, not_before, Some(&hub.bell))
            }
            (_, Some(until)) => sleeper.rest_until(until, &hub.bell),
            (None, None) => {
                sleeper.rest();
                until_rung(&hub.os, &hub.bell);
                Err(Cancelled)
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
