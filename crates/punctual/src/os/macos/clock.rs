//! `mach_absolute_time`, the clock of every absolute wait of macOS. It stands still while the
//! machine is asleep, and nothing can set it.

use super::ffi::{MachTimebaseInfo, mach_absolute_time, mach_timebase_info};
use crate::os::Spin;
use crate::os::native::timebase::Timebase;
use crate::os::spin::LAST_STRETCH;
use crate::{Error, Instant};
use std::hint;
use std::thread;
use std::time::Duration;

/// The clock with its unit: 125/3 ns on Apple silicon, 1 ns on Intel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock(Timebase);

impl Clock {
    /// # Errors
    /// [System](Error::is_system) if the system does not tell the unit, which none is known to do.
    pub(super) fn detect() -> Result<Self, Error> {
        let mut info = MachTimebaseInfo::default();
        // SAFETY: `info` is valid for writing.
        let result = unsafe { mach_timebase_info(&raw mut info) };
        if result != libc::KERN_SUCCESS || info.numer == 0 || info.denom == 0 {
            return Err(Error::system("the system does not report its clock's unit"));
        }
        Ok(Self(Timebase::new(info.numer.into(), info.denom.into())))
    }

    pub(super) fn now(self) -> Instant {
        self.0.instant(mach_absolute_time())
    }

    /// The first count at which the clock reads `instant` or later.
    pub(super) fn first_count_at(self, instant: Instant) -> u64 {
        self.0.first_count_at(instant)
    }

    /// How many whole counts fit into a duration.
    pub(super) fn counts_within(self, duration: Duration) -> u64 {
        self.0.counts_within(duration)
    }

    /// Looks at the clock until the instant has come, and returns the reading that ended it.
    pub(super) fn spin_until(self, until: Instant, spin: Spin) -> Instant {
        let last_stretch = self.first_count_at(until - LAST_STRETCH);
        while mach_absolute_time() < last_stretch {
            match spin {
                Spin::Pause => hint::spin_loop(),
                Spin::Yield => thread::yield_now(),
            }
        }
        let end = self.first_count_at(until);
        loop {
            let count = mach_absolute_time();
            if count >= end {
                return self.0.instant(count);
            }
        }
    }
}
