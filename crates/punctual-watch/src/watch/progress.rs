//! Whether a watch does what it is for.

use crate::board::Board;
use crate::locked::locked;
use std::time::Instant;

/// What had been counted the last time that someone looked.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    wakes: u64,
    renewed: Option<Instant>,
}

impl Progress {
    pub(super) fn of(board: &Board) -> Self {
        Self {
            wakes: board.wakes(),
            renewed: locked(&board.readings).renewed,
        }
    }

    /// Whether any sampler has woken since the last look. A machine on which all watched processors are offline has
    /// no samplers that wait: there the observer must have read something.
    ///
    /// One that wakes is enough: a program of a greater priority may hold the processors of all others for long, and
    /// that is to be counted, not ended.
    pub(super) fn goes_on(&mut self, board: &Board) -> bool {
        let now = Self::of(board);
        let goes_on = match board.running() {
            0 => now.renewed > self.renewed,
            _ => now.wakes > self.wakes,
        };
        *self = now;
        goes_on
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn a_watch_lives_while_a_sampler_wakes() {
        let board = sample::board();
        let mut progress = Progress::of(&board);
        board.series[0].is_running.store(true, Relaxed);
        assert!(!progress.goes_on(&board));
        board.series[0].wakes.count(1);
        assert!(progress.goes_on(&board));
        assert!(!progress.goes_on(&board));
    }

    #[test]
    fn without_a_processor_it_lives_while_it_reads() {
        let board = sample::board();
        for series in &board.series {
            series.is_running.store(false, Relaxed);
        }
        let mut progress = Progress::of(&board);
        assert!(!progress.goes_on(&board));
        board.readings.lock().unwrap().renewed = Some(Instant::now());
        assert!(progress.goes_on(&board));
    }
}
