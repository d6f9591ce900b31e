//! Drivers without a thread, on a machine whose only thread waits for them.

use crate::Instant;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A driver, as a machine sees it that has no thread to run it on.
pub trait ThreadlessDriver: Send + Sync {
    /// When it has something to do; `None` if it never has, or something runs it.
    fn next_wakeup(&self) -> Option<Instant>;

    /// Does what is due.
    fn serve(&self);
}

/// The drivers of one machine.
#[derive(Default)]
pub(super) struct Drivers(Mutex<Vec<Weak<dyn ThreadlessDriver>>>);

impl Drivers {
    pub(super) fn add(&self, driver: Weak<dyn ThreadlessDriver>) {
        let mut drivers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        drivers.retain(|driver| driver.strong_count() > 0);
        drivers.push(driver);
    }

    /// The one that has something to do first, and when. Of equals the one that was made first.
    pub(super) fn next(&self) -> Option<(Instant, Arc<dyn ThreadlessDriver>)> {
        let drivers: Vec<_> = {
            let drivers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            drivers.iter().filter_map(Weak::upgrade).collect()
        };
        let wakeups = drivers
            .into_iter()
            .filter_map(|driver| Some((driver.next_wakeup()?, driver)));
        wakeups.min_by_key(|(instant, _)| *instant)
    }
}
