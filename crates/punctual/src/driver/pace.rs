//! Whether a driver keeps up with its timers. An overloaded driver must not spin while the tasks that it
//! woke wait for a processor.

use crate::Instant;
use std::time::Duration;

/// The longest rest of a driver that is behind. It is then as coarse as tokio's timers always are.
const LONGEST_REST: Duration = Duration::from_millis(1);

/// A driver is behind if this many timers fell due while it served. Fewer may fall due because of a
/// single long callback.
const OVERTAKEN: u64 = 64;

/// A driver stays behind for this many times as long as the serving that showed it. So a driver that
/// falls behind whenever it spins does so for a small share of the time.
const LASTS: u32 = 30;

/// But not longer than this.
const LONGEST: Duration = Duration::from_secs(1);

/// How the driver served its queues once, from when it woke until nothing was due.
#[derive(Debug, Clone, Copy)]
pub(super) struct Served {
    pub(super) began: Instant,
    ended: Instant,
    /// How much it took out that had not been due when it began.
    overtaken: u64,
    /// Callbacks called and futures woken.
    pub(super) done: u64,
}

impl Served {
    pub(super) fn beginning(now: Instant) -> Self {
        Self {
            began: now,
            ended: now,
            overtaken: 0,
            done: 0,
        }
    }

    /// So many were done, of which so many were not due when it began.
    pub(super) fn did(&mut self, done: u64, overtaken: u64) {
        self.done += done;
        self.overtaken += overtaken;
    }

    pub(super) fn until(&mut self, now: Instant) {
        self.ended = now;
    }
}

/// Looks at how the driver serves, one time after the other.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pace {
    behind_until: Instant,
}

impl Pace {
    /// Until when the driver is to rest without a spin, if it is behind: at least until something is
    /// due, `next`, and for as long as it has worked.
    pub(super) fn rest(&mut self, served: Served, next: Instant) -> Option<Instant> {
        let worked = served.ended - served.began;
        if served.overtaken >= OVERTAKEN {
            let until = served.ended + (worked * LASTS).min(LONGEST);
            self.behind_until = self.behind_until.max(until);
        }
        let is_behind = served.ended < self.behind_until;
        is_behind.then(|| next.max(served.ended + worked.min(LONGEST_REST)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(micros: u64) -> Instant {
        Instant::from_nanos(1_000 * micros)
    }

    /// Served for 40 µs, in which so much fell due.
    fn served(began: u64, overtaken: u64) -> Served {
        let mut served = Served::beginning(at(began));
        served.did(1_000 + overtaken, overtaken);
        served.until(at(began + 40));
        served
    }

    #[test]
    fn who_keeps_up_does_not_rest() {
        let mut pace = Pace::default();
        for began in [100, 200] {
            assert_eq!(pace.rest(served(began, OVERTAKEN - 1), at(300)), None);
        }
    }

    #[test]
    fn who_is_behind_rests_as_long_as_it_worked_and_until_something_is_due() {
        let mut pace = Pace::default();
        assert_eq!(pace.rest(served(100, OVERTAKEN), at(141)), Some(at(180)));
        assert_eq!(pace.rest(served(180, 0), at(500)), Some(at(500)));
        // Thirty times forty microseconds from where it was found out.
        assert_eq!(pace.rest(served(1_299, 0), at(1_340)), Some(at(1_379)));
        assert_eq!(pace.rest(served(1_300, 0), at(1_341)), None);
    }

    #[test]
    fn neither_lasts_for_ever() {
        let mut pace = Pace::default();
        let mut long = served(100, OVERTAKEN);
        long.until(at(10_000_000));
        assert_eq!(pace.rest(long, at(10_000_001)), Some(at(10_001_000)));
        assert_eq!(pace.rest(served(11_000_000, 0), at(11_000_041)), None);
    }
}
