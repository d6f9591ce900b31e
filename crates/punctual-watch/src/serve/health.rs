//! Whether the watch is well: it counts, and hears from the system.

use crate::board::Board;
use crate::locked;
use std::time::{Duration, Instant};

/// Every sampler waits ten times a second or more, and readings are renewed every two seconds. A machine that
/// stalls them for half a minute is not what this is about.
const PATIENCE: Duration = Duration::from_secs(30);

/// What was seen of a board's counts.
#[derive(Debug)]
pub struct Health {
    wakes: u64,
    since: Instant,
}

impl Health {
    pub fn new(now: Instant) -> Self {
        Self {
            wakes: 0,
            since: now,
        }
    }

    /// Nothing if all is well, or what is not. It must be asked now and then to know how long nothing has been counted.
    pub fn check(&mut self, board: &Board, now: Instant) -> Result<(), String> {
        if board.series.is_empty() {
            return Err("no processor is watched".to_owned());
        }
        let wakes = board.wakes();
        if wakes != self.wakes {
            (self.wakes, self.since) = (wakes, now);
        }
        if board.running() == 0 {
            return Err("no sampler runs".to_owned());
        }
        let idle = now.saturating_duration_since(self.since);
        if idle > PATIENCE {
            return Err(format!(
                "no wake-up has been counted for {} s",
                idle.as_secs()
            ));
        }
        match locked(&board.readings).renewed {
            None => Err("the system's readings have not been read yet".to_owned()),
            Some(renewed) => match now.saturating_duration_since(renewed) {
                age if age > PATIENCE => {
                    Err(format!("the system's readings are {} s old", age.as_secs()))
                }
                _ => Ok(()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn a_watch_that_counts_nothing_is_not_well() {
        let board = sample::board();
        let start = Instant::now();
        let mut health = Health::new(start);
        assert_eq!(health.check(&board, start), Ok(()));
        let later = start + PATIENCE + Duration::from_secs(1);
        locked(&board.readings).renewed = Some(later);
        assert_eq!(
            health.check(&board, later),
            Err("no wake-up has been counted for 31 s".to_owned())
        );
        board.series[0].wakes.count(1);
        assert_eq!(health.check(&board, later), Ok(()));
        locked(&board.readings).renewed = Some(start);
        board.series[0].wakes.count(1);
        assert_eq!(
            health.check(&board, later),
            Err("the system's readings are 31 s old".to_owned())
        );
        for series in &board.series {
            series.is_running.store(false, Relaxed);
        }
        assert_eq!(
            health.check(&board, later),
            Err("no sampler runs".to_owned())
        );
    }
}
