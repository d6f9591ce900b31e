//! The grid of deadlines on which the wake-ups of a periodic program lie.

use punctual::{Instant, Period};
use std::time::Duration;

/// Deadlines a period apart.
///
/// ```
/// use punctual::{Instant, Period};
/// use punctual_trace::grid::Grid;
///
/// // One of four ended late.
/// let ended = [1_000, 2_000, 3_007, 4_000].map(Instant::from_nanos);
/// let grid = Grid::through(ended, Period::from_hertz(1_000_000)).unwrap();
/// assert_eq!(grid.first_after(Instant::from_nanos(3_999)), Some(Instant::from_nanos(4_000)));
/// assert_eq!(grid.first_after(Instant::from_nanos(4_000)), Some(Instant::from_nanos(5_000)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// A deadline in the first period after the clock's zero.
    start: Instant,
    period: Period,
}

impl Grid {
    /// The grid on which the most punctual of these instants lie: of all possible ones, that for which
    /// they are least late in all. A few may lie before its deadlines.
    ///
    /// `None` without instants, and if they lie nearly evenly over the period: what made them
    /// does not keep it.
    pub fn through(instants: impl IntoIterator<Item = Instant>, period: Period) -> Option<Self> {
        let mut instants = instants.into_iter();
        let first = instants.next()?;
        let anchor = Self {
            start: Instant::ZERO + phase(first, Instant::ZERO, period),
            period,
        };
        let others = instants.map(|instant| phase(instant, anchor.start, period));
        let mut phases: Vec<Duration> = [Duration::ZERO].into_iter().chain(others).collect();
        phases.sort_unstable();
        let (least, lateness_ns) = least_late(&phases, period.to_duration());
        // All instants at once, so that the greatest numbers fit.
        let most_ns = period.to_duration().as_nanos() * phases.len() as u128;
        if lateness_ns * 100 > most_ns * MOST_SPREAD_PERCENT {
            return None;
        }
        let start = anchor.start + least;
        Some(Self {
            start: Instant::ZERO + phase(start, Instant::ZERO, period),
            period,
        })
    }

    /// The time between two deadlines.
    pub fn period(&self) -> Period {
        self.period
    }

    /// The first deadline after an instant; `None` past the end of 64-bit time.
    pub fn first_after(&self, instant: Instant) -> Option<Instant> {
        match self.index(instant) {
            None => Some(self.start),
            Some(index) => self.period.deadline(self.start, index.checked_add(1)?),
        }
    }

    /// The last deadline at an instant or before it; `None` before the first.
    pub fn last_until(&self, instant: Instant) -> Option<Instant> {
        self.period.deadline(self.start, self.index(instant)?)
    }

    /// The deadline that an instant belongs to: the last before it, or the next if that is very near.
    pub fn met(&self, instant: Instant) -> Option<Instant> {
        self.last_until(instant + self.period.to_duration() / NEAR)
    }

    /// How many periods lie between two deadlines.
    pub(crate) fn periods(&self, from: Instant, to: Instant) -> u64 {
        // Each deadline is rounded down to nanoseconds.
        let half = self.period.to_duration() / 2;
        self.period.index_after(to.duration_since(from) + half)
    }

    fn index(&self, instant: Instant) -> Option<u64> {
        let since = instant.checked_duration_since(self.start)?;
        Some(self.period.index_after(since))
    }
}

/// Instants that lie evenly over a period are half a period late on average, on any grid. Up to this
/// share of a period the most punctual ones are clearly more than the others.
const MOST_SPREAD_PERCENT: u128 = 40;

/// What is less than this part of a period before a deadline belongs to it: the grid goes through the
/// densest instants, and a few come before.
const NEAR: u32 = 8;

/// How long after a deadline an instant is. The first deadline is at `start`.
fn phase(instant: Instant, start: Instant, period: Period) -> Duration {
    match instant.checked_duration_since(start) {
        Some(since) => {
            let whole = period.offset(period.index_after(since));
            since.saturating_sub(whole.unwrap_or(since))
        }
        // It is less than a period before the start, or its own deadlines are.
        None => {
            let before = start.duration_since(instant);
            let more = period.offset(period.index_after(before).saturating_add(1));
            more.unwrap_or(before).saturating_sub(before)
        }
    }
}

/// Which of these phases, in their order, the others are least late after, and how late all are.
fn least_late(phases: &[Duration], period: Duration) -> (Duration, u128) {
    let sum: u128 = phases.iter().map(Duration::as_nanos).sum();
    let count = phases.len() as u128;
    let candidates = (0..).zip(phases).map(|(earlier, &phase): (u128, _)| {
        // Those that come earlier in the period belong to the deadline before.
        let lateness_ns = sum + earlier * period.as_nanos() - count * phase.as_nanos();
        (lateness_ns, phase)
    });
    let (lateness_ns, phase) = candidates.min().unwrap_or_default();
    (phase, lateness_ns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PERIOD_NS: u64 = 1_000;

    fn period() -> Period {
        Period::from_duration(Duration::from_nanos(PERIOD_NS))
    }

    fn through(instants: &[u64]) -> Option<u64> {
        let instants = instants.iter().copied().map(Instant::from_nanos);
        let grid = Grid::through(instants, period())?;
        Some(grid.first_after(Instant::from_nanos(50_000))?.as_nanos() - 50_000)
    }

    #[test]
    fn one_instant_is_on_its_own_grid() {
        assert_eq!(through(&[7_300]), Some(300));
        assert_eq!(through(&[]), None);
    }

    #[test]
    fn the_longest_gap_may_lie_among_the_late_ones() {
        // 0.5 and 0.8 periods late: the gap between the two is longer than that before the deadline.
        assert_eq!(
            through(&[1_100, 2_101, 3_102, 4_100, 5_600, 6_900]),
            Some(100)
        );
    }

    #[test]
    fn lateness_of_more_than_a_period_does_not_move_the_grid() {
        assert_eq!(
            through(&[1_100, 2_100, 3_100, 5_650, 6_100, 7_100]),
            Some(100)
        );
    }

    #[test]
    fn a_program_that_does_not_keep_the_period_has_no_grid() {
        let drifting: Vec<u64> = (0..100).map(|index| 10_000 + index * 1_030).collect();
        assert_eq!(through(&drifting), None);
        let keeping: Vec<u64> = (0..100).map(|index| 10_000 + index * 1_000).collect();
        assert_eq!(through(&keeping), Some(1_000));
    }

    proptest! {
        #[test]
        fn the_grid_is_found_whatever_comes_first(
            start in 0_u64..1_000_000_000_000_000,
            hertz in 1_u64..20_000,
            lateness in prop::collection::vec(0_u64..30, 40),
            missed in prop::collection::vec(0_u64..400, 0..6),
        ) {
            let period = Period::from_hertz_fraction(hertz * 1_000, 1_001);
            let start = Instant::from_nanos(start);
            let hundredth = period.to_duration() / 100;
            let deadline = |index: u64| period.deadline(start, index).unwrap();
            // Punctual ones to within 0.3 periods, in which some are; and any others.
            let punctual = (0..).zip(&lateness).map(|(index, &late)| {
                deadline(index) + hundredth * u32::try_from(late * late / 30).unwrap()
            });
            let others = missed.iter().map(|&late| {
                deadline(50) + hundredth * u32::try_from(late).unwrap()
            });
            let instants = others.chain(punctual).chain([deadline(60)]);
            let grid = Grid::through(instants, period).unwrap();
            // On the grid or after it, where wake-ups are dense.
            let found = grid.last_until(deadline(100) + hundredth * 20).unwrap();
            let off = found.duration_since(deadline(100));
            prop_assert!(off <= hundredth * 15, "{off:?}");
            let next = grid.first_after(found).unwrap();
            let length = next.duration_since(found);
            prop_assert!(length >= period.to_duration());
            prop_assert!(length <= period.to_duration() + Duration::from_nanos(1));
            prop_assert_eq!(grid.last_until(next), Some(next));
        }
    }
}
