//! What a spin does between two readings of the clock.

use crate::Instant;
use std::hint;
use std::thread;
use std::time::Duration;

/// What a spin does between two readings of the clock.
///
/// ```
/// use punctual::Native;
/// use punctual::os::{Os, Spin};
/// use std::time::Duration;
///
/// let os = Native::new();
/// let until = os.now() + Duration::from_micros(50);
/// assert!(os.spin_until(until, Spin::Yield) >= until);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Spin {
    /// Tells the processor that it spins, which saves a little power and leaves more of the core to a
    /// sibling hyperthread. The thread keeps the processor.
    #[default]
    Pause,
    /// Gives the processor to a ready thread of the same priority, and reads the clock when it has the
    /// processor back. The wait ends late if that thread computes for long. Each reading costs a system
    /// call. Use it on machines with fewer processors than spinning threads.
    Yield,
}

/// Up to here before the deadline each look at the clock is followed by a pause, which spares power
/// and a sibling hyperthread, or by a yield; from here on by neither, because a pause takes 25 ns
/// (AMD Zen 5) to 45 ns (Intel since Skylake), as much as the look itself, a yield several times
/// that, and would add to the lateness.
pub(crate) const LAST_STRETCH: Duration = Duration::from_micros(1);

/// Looks at a clock until the instant has come, and returns the reading that ended it.
#[inline(always)]
pub(crate) fn until(until: Instant, spin: Spin, now: impl Fn() -> Instant) -> Instant {
    let last_stretch = until - LAST_STRETCH;
    while now() < last_stretch {
        match spin {
            Spin::Pause => hint::spin_loop(),
            Spin::Yield => thread::yield_now(),
        }
    }
    loop {
        let reading = now();
        if reading >= until {
            return reading;
        }
    }
}
