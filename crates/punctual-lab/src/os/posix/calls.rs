//! `nanosleep`, and the calls that wait until a time instead of for a length.

use super::{nanosleeps, timespec};
use crate::machine::{Call, CallOffer, Machine, Method, Offer, Wishes};
use punctual::os::Slice;
use punctual::{Error, Native, Period};
use rustix::thread::nanosleep;
use std::time::Duration;

/// The unit of these calls.
pub(crate) const NANOSECOND: Duration = Duration::from_nanos(1);

/// <https://man7.org/linux/man-pages/man2/nanosleep.2.html>
/// <https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/nanosleep.2.html>
pub(crate) fn nanosleep_for() -> CallOffer<Native> {
    CallOffer {
        name: "nanosleep",
        summary: "nanosleep",
        unit: NANOSECOND,
        make: Box::new(|_| {
            nanosleeps()?;
            Ok(Box::new(Nanosleep))
        }),
    }
}

struct Nanosleep;

impl Call for Nanosleep {
    /// If a signal ends it, it is early, which is counted.
    fn call(&mut self, duration: Duration) -> Result<(), Error> {
        let _ = nanosleep(&timespec(duration));
        Ok(())
    }
}

/// A call that waits until a time, as one of a length: it waits until now and the length, as programs do.
pub(crate) fn until<M: Machine>(offer: Offer<M>) -> CallOffer<M> {
    CallOffer {
        name: offer.name,
        summary: offer.summary,
        unit: NANOSECOND,
        make: Box::new(move |machine| {
            // None of these calls has settings.
            let none = Wishes {
                slice: Slice::Unchanged,
                ..Wishes::of(Period::from_duration(Duration::from_millis(1)))
            };
            Ok(Box::new(Until {
                method: (offer.make)(machine, none)?,
                machine: machine.clone(),
            }))
        }),
    }
}

struct Until<M> {
    machine: M,
    method: Box<dyn Method>,
}

impl<M: Machine> Call for Until<M> {
    fn call(&mut self, duration: Duration) -> Result<(), Error> {
        self.method.wait_until(self.machine.now() + duration);
        Ok(())
    }
}
