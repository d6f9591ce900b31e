//! How many late wake-ups may be looked at: a few at once, and then one now and then.

use punctual::Instant;
use std::time::Duration;

/// How many may be looked at in quick succession: a late moment often has several, on several processors.
const AT_ONCE: u32 = 5;

/// How often one more may be. Taking and explaining the events of one costs some tens of milliseconds of a processor:
/// in the long run that is less than half a percent of one.
const EVERY: Duration = Duration::from_secs(10);

/// What is left of it.
#[derive(Debug)]
pub(super) struct Allowance {
    left: u32,
    /// Since when the next one is being waited for, while there are fewer than at first.
    since: Instant,
}

impl Allowance {
    pub(super) fn new() -> Self {
        Self {
            left: AT_ONCE,
            since: Instant::ZERO,
        }
    }

    /// Whether one more may be looked at now.
    pub(super) fn take(&mut self, now: Instant) -> bool {
        let passed = now.duration_since(self.since);
        let more = u32::try_from(passed.as_nanos() / EVERY.as_nanos()).unwrap_or(u32::MAX);
        if self.left.saturating_add(more) >= AT_ONCE {
            (self.left, self.since) = (AT_ONCE, now);
        } else {
            self.left += more;
            self.since += EVERY * more;
        }
        let may = self.left > 0;
        self.left = self.left.saturating_sub(1);
        may
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Instant {
        Instant::from_nanos(seconds * 1_000_000_000)
    }

    #[test]
    fn a_few_at_once_and_then_one_every_ten_seconds() {
        let mut allowance = Allowance::new();
        let mut taken = |at| allowance.take(seconds(at));
        assert!((0..5).all(|_| taken(100)));
        assert!(!taken(100) && !taken(109));
        assert!(taken(110) && !taken(110) && !taken(119));
        // What passed while there were none left is not lost.
        assert!(taken(125) && !taken(129) && taken(130));
    }

    #[test]
    fn a_quiet_time_gives_no_more_than_at_first() {
        let mut allowance = Allowance::new();
        assert!(allowance.take(seconds(1)));
        let at_once = (0..100).filter(|_| allowance.take(seconds(1_000_000)));
        assert_eq!(at_once.count(), 5);
        let many = (0..3_600_u64).filter(|second| allowance.take(seconds(2_000_000 + second)));
        assert_eq!(many.count(), 5 + 359);
    }
}
