//! tokio's instants on the clock of the driver.

use crate::{Duration, Instant};
use punctual::Native;
use std::sync::OnceLock;

/// What tokio takes for the far future. The instants of some systems end within a century.
pub const FAR: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// The system, which need not be detected more than once.
pub fn native() -> &'static Native {
    static NATIVE: OnceLock<Native> = OnceLock::new();
    NATIVE.get_or_init(Native::new)
}

/// The driver's instant at which tokio's clock reads `instant`, or a few nanoseconds after it.
pub fn on_driver(instant: Instant) -> punctual::Instant {
    native().instant_from_std(instant.into_std())
}

/// The instant `duration` from now, or one in the far future.
pub fn after(duration: Duration) -> Instant {
    Instant::now() + duration.min(FAR)
}

/// Whether the clock of this thread's runtime was paused, and so is not the system's any more.
///
/// A clock that was never paused reads something between two readings of the system's.
#[cfg(feature = "test-util")]
pub fn is_virtual() -> bool {
    let before = std::time::Instant::now();
    let now = Instant::now().into_std();
    now < before || std::time::Instant::now() < now
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_converted_deadline_is_never_earlier() {
        let os = native();
        for ahead in [Duration::ZERO, Duration::from_nanos(1), FAR] {
            let (clock, deadline) = (os.now(), Instant::now() + ahead);
            assert!(on_driver(deadline) >= clock + ahead);
        }
    }

    #[test]
    fn what_never_ends_is_in_the_far_future() {
        let now = Instant::now();
        assert!(after(Duration::MAX) >= now + FAR);
    }

    #[cfg(feature = "test-util")]
    #[tokio::test]
    async fn a_clock_is_virtual_once_it_was_paused() {
        assert!(!is_virtual());
        tokio::time::pause();
        while std::time::Instant::now() == Instant::now().into_std() {}
        assert!(is_virtual());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(is_virtual());
        tokio::time::resume();
        assert!(is_virtual());
    }
}
