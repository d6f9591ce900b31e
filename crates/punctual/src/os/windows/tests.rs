//! Every decision, on a fake Windows of each kind.

mod bells;
mod fake;
mod handles;
mod never_early;
mod requests;
mod scheduling;
mod waits;

use super::{Bell, WindowsOs};
use crate::Instant;
use crate::os::{Os, Woken};
use fake::{Fake, Version};
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);
const MILLISECOND: Duration = Duration::from_millis(1);

/// A fake Windows, the machine on it, and a bell.
struct Bench {
    fake: Fake,
    os: WindowsOs<Fake>,
    bell: Bell<Fake>,
}

impl Bench {
    fn new(version: Version) -> Self {
        Self::with(Fake::new(version))
    }

    fn with(fake: Fake) -> Self {
        let os = WindowsOs::on(fake.clone());
        let bell = os.bell();
        Self { fake, os, bell }
    }

    fn now(&self) -> Instant {
        Instant::from_nanos(self.fake.state().now)
    }

    /// One call of `Os::wait`.
    fn wait(&self, ahead: Duration, tolerance: Duration) -> Woken {
        self.os
            .wait(Some(self.now() + ahead), tolerance, &self.bell)
    }

    /// Waits again until the instant has come, as callers do. Returns the lateness and the number
    /// of waits.
    fn sleep(&self, ahead: Duration, tolerance: Duration) -> (Duration, u32) {
        let until = self.os.now() + ahead;
        for waits in 0..1_000 {
            let now = self.os.now();
            if now >= until {
                return (now.duration_since(until), waits);
            }
            self.os.wait(Some(until), tolerance, &self.bell);
        }
        panic!("a thousand waits were not enough");
    }

    /// Requests held during each system wait since this was last asked.
    fn requests_held(&self) -> Vec<usize> {
        let waits = std::mem::take(&mut self.fake.state().waits);
        waits.into_iter().map(|(requests, _)| requests).collect()
    }
}
