//! The last hour, minute by minute, in a memory that does not grow.

use crate::board::Board;
use crate::histogram::{BOUNDED, Counts};
use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;

/// An hour.
pub const MINUTES: usize = 60;

/// The counts of all processors and methods together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Minute {
    /// How late wake-ups of this minute were.
    pub wakes: Counts,
    /// How many deadlines were missed in it.
    pub missed: u64,
}

/// What was counted in each of the last minutes.
#[derive(Debug)]
pub struct History {
    /// The latest last, at most [`MINUTES`].
    minutes: VecDeque<Minute>,
    before: Minute,
}

impl History {
    /// Starts with nothing: what the board has counted until now is in no minute.
    pub fn from_now(board: &Board) -> Self {
        Self {
            minutes: VecDeque::with_capacity(MINUTES),
            before: Minute::so_far(board),
        }
    }

    /// A minute is over. What was counted in it is what the board has more than at its beginning.
    pub fn minute(&mut self, board: &Board) {
        let now = Minute::so_far(board);
        if self.minutes.len() == MINUTES {
            self.minutes.pop_front();
        }
        self.minutes.push_back(now.since(&self.before));
        self.before = now;
    }

    /// From now on another board counts. What it has counted until now is in no minute.
    pub fn go_on_with(&mut self, board: &Board) {
        self.before = Minute::so_far(board);
    }

    /// The last minutes, the latest last: at most [`MINUTES`].
    pub fn minutes(&self) -> impl DoubleEndedIterator<Item = &Minute> + ExactSizeIterator {
        self.minutes.iter()
    }
}

impl Minute {
    /// All that a board has counted.
    pub fn so_far(board: &Board) -> Self {
        let mut all = Self {
            wakes: Counts {
                counts: [0; BOUNDED + 1],
                sum_ns: 0,
            },
            missed: 0,
        };
        for series in &board.series {
            let one = series.wakes.read();
            for (sum, count) in all.wakes.counts.iter_mut().zip(one.counts) {
                *sum += count;
            }
            all.wakes.sum_ns = all.wakes.sum_ns.wrapping_add(one.sum_ns);
            all.missed += series.missed.load(Relaxed);
        }
        all
    }

    fn since(&self, before: &Self) -> Self {
        let counts = std::array::from_fn(|bucket| {
            self.wakes.counts[bucket].saturating_sub(before.wakes.counts[bucket])
        });
        Self {
            wakes: Counts {
                counts,
                sum_ns: self.wakes.sum_ns.wrapping_sub(before.wakes.sum_ns),
            },
            missed: self.missed.saturating_sub(before.missed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use std::time::Duration;

    #[test]
    fn an_hour_is_kept_and_no_more() {
        let board = sample::board();
        let mut history = History::from_now(&board);
        for minute in 0..100 {
            board.series[0]
                .wakes
                .add(3, minute, u128::from(minute) * 5_000);
            board.series[1].missed.fetch_add(1, Relaxed);
            history.minute(&board);
        }
        let counted: Vec<_> = history
            .minutes()
            .map(|minute| minute.wakes.total())
            .collect();
        assert_eq!(counted, (40..100).collect::<Vec<_>>());
        assert!(history.minutes().all(|minute| minute.missed == 1));
        let other = sample::Machine::new(2).board(Duration::from_secs(3));
        history.go_on_with(&other);
        other.series[0].wakes.count(7);
        history.minute(&other);
        let counted: Vec<_> = history
            .minutes()
            .map(|minute| minute.wakes.total())
            .collect();
        assert_eq!((counted.len(), counted[58], counted[59]), (MINUTES, 99, 1));
    }
}
