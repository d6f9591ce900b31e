//! tokio's instants on the clock of the driver.

use crate::{Duration, Instant};
use punctual::Native;
use std::sync::OnceLock;
use std::time::Instant as StdInstant;

/// What tokio takes for the far future. The instants of some systems end within a century.
pub const FAR: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// The system, which need not be detected more than once.
pub fn native() -> &'static Native {
    static NATIVE: OnceLock<Native> = OnceLock::new();
    NATIVE.get_or_init(Native::new)
}

/// One instant on both clocks, which every system reads from the same counter: the distance between
/// them never changes.
struct Meeting {
    std: StdInstant,
    /// At most `apart` after it.
    driver: punctual::Instant,
    apart: Duration,
}

/// The closest of so many readings: one may be interrupted.
const READINGS: u32 = 20;

/// Each clock rounds its counter to nanoseconds in its own way.
const ROUNDING: Duration = Duration::from_nanos(2);

impl Meeting {
    fn read() -> Self {
        let std = StdInstant::now();
        let driver = native().now();
        let apart = std.elapsed();
        Self { std, driver, apart }
    }
}

fn meeting() -> &'static Meeting {
    static MEETING: OnceLock<Meeting> = OnceLock::new();
    MEETING.get_or_init(|| {
        let readings = (1..READINGS).map(|_| Meeting::read());
        readings.fold(Meeting::read(), |best, new| {
            if new.apart < best.apart { new } else { best }
        })
    })
}

/// The driver's instant at which tokio's clock reads `instant`, or some nanoseconds after it.
pub fn on_driver(instant: Instant) -> punctual::Instant {
    let met = meeting();
    let instant = instant.into_std();
    match instant.checked_duration_since(met.std) {
        Some(ahead) => met.driver + (ahead + ROUNDING),
        None => met.driver - met.std.duration_since(instant).saturating_sub(ROUNDING),
    }
}

/// tokio's instant at which the driver's clock reads `instant`, or up to [`slop`] before it.
pub fn on_tokio(instant: punctual::Instant) -> Instant {
    let met = meeting();
    let std = match instant.checked_duration_since(met.driver) {
        Some(ahead) => met.std.checked_add(ahead.saturating_sub(ROUNDING)),
        None => met
            .std
            .checked_sub(met.driver.duration_since(instant) + ROUNDING),
    };
    std.map_or_else(|| after(FAR), Instant::from_std)
}

/// How much earlier [`on_tokio`] may be.
pub fn slop() -> Duration {
    meeting().apart + 2 * ROUNDING
}

/// The instant `duration` from now, or one in the far future.
pub fn after(duration: Duration) -> Instant {
    Instant::now() + duration.min(FAR)
}

/// Whether the clock of this thread's runtime was paused, and so is not the system's any more.
///
/// Reads no clock where [none can be paused](can_be_paused).
pub fn is_virtual() -> bool {
    // A clock that was never paused reads something between two readings of the system's.
    while can_be_paused() {
        let before = StdInstant::now();
        let now = Instant::now().into_std();
        let after = StdInstant::now();
        // One that was paused at this very reading says so at the next.
        if now != before {
            return now < before || after < now;
        }
    }
    false
}

/// Whether tokio was built with its feature `test-util`, without which no clock of its can be paused.
///
/// Whoever tests the program asks tokio for it, and need not know of this crate. So no feature of this
/// crate tells, but whether tokio has the function.
fn can_be_paused() -> bool {
    #[allow(unused_imports, reason = "if tokio has none")]
    use tokio::time::*;
    // An inner name goes before an outer one, even if it comes with a star, and functions have no size.
    size_of_val(&pause) == 0
}

/// In place of tokio's function where there is none.
#[allow(non_upper_case_globals, dead_code, reason = "has the function's name")]
const pause: u8 = 0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_converted_deadline_is_never_earlier() {
        let os = native();
        for ahead in [Duration::ZERO, Duration::from_nanos(1), FAR] {
            let (clock, deadline) = (os.now(), Instant::now() + ahead);
            let converted = on_driver(deadline);
            assert!(converted >= clock + ahead);
            let back = on_tokio(converted);
            assert!(back <= deadline && deadline <= back + slop(), "{ahead:?}");
        }
    }

    #[test]
    fn instants_from_before_the_meeting_are_converted_too() {
        let (std, driver) = (meeting().std, meeting().driver);
        for ago in [1, 2, 3, 1_000].map(Duration::from_nanos) {
            let converted = on_driver((std - ago).into());
            assert!(converted >= driver - ago && converted <= driver + ROUNDING);
            let back = on_tokio(driver - ago).into_std();
            assert!(back <= std - ago && std - ago <= back + slop());
        }
    }

    #[test]
    fn what_never_ends_is_in_the_far_future() {
        let now = Instant::now();
        assert!(after(Duration::MAX) >= now + FAR);
    }

    #[tokio::test]
    async fn a_clock_is_virtual_once_it_was_paused() {
        assert!(!is_virtual());
        tokio::time::pause();
        assert!(is_virtual());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(is_virtual());
        tokio::time::resume();
        assert!(is_virtual());
    }
}
