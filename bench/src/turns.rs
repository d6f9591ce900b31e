//! Contenders take turns, so that whatever disturbs the machine disturbs all of them.

use crate::failure::Failure;
use fastrand::Rng;
use indicatif::ProgressBar;
use punctual_command::progress;
use punctual_command::stop::Stop;

/// A run, until all turns are taken or a signal comes.
pub struct Turns {
    stop: Stop,
    bar: ProgressBar,
}

impl Turns {
    /// Of a run that has about so many turns.
    pub fn new(stop: &Stop, turns: usize) -> Self {
        Self {
            stop: stop.clone(),
            bar: progress::bar("measuring", turns as u64),
        }
    }

    /// Says what comes now.
    pub fn announce(&self, what: impl Into<String>) {
        self.bar.set_message(what.into());
    }

    /// A turn was taken.
    pub fn advance(&self) {
        self.bar.inc(1);
    }

    /// Whether a signal has come: what was measured is to be shown.
    pub fn are_over(&self) -> bool {
        self.stop.is_asked_for()
    }

    /// All of them in each round, in an order of its own, so that none always follows the same other. What they came
    /// to, by contender, without the rounds that warm up; as much of each, also after a signal.
    pub fn take<C, T>(
        &self,
        contenders: &mut [C],
        warm_up: u32,
        rounds: u32,
        mut turn: impl FnMut(&mut C, u32) -> Result<T, Failure>,
    ) -> Result<Vec<Vec<T>>, Failure> {
        let mut taken: Vec<Vec<T>> = contenders.iter().map(|_| Vec::new()).collect();
        'all: for round in 0..warm_up + rounds {
            for place in shuffled(contenders.len(), round) {
                if self.are_over() {
                    break 'all;
                }
                taken[place].push(turn(&mut contenders[place], round)?);
                self.advance();
            }
        }
        let warm_up = warm_up as usize;
        let each = taken.iter().map(Vec::len).min().unwrap_or(0).max(warm_up);
        Ok(taken
            .into_iter()
            .map(|turns| turns.into_iter().take(each).skip(warm_up).collect())
            .collect())
    }
}

impl Drop for Turns {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The numbers up to `count` in an order that only `round` decides.
fn shuffled(count: usize, round: u32) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    Rng::with_seed(round.into()).shuffle(&mut places);
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual_command::stop::{Heard, Signal};

    #[test]
    fn every_round_has_all_once_in_an_order_of_its_own() {
        let orders: Vec<_> = (0..20).map(|round| shuffled(13, round)).collect();
        for order in &orders {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..13).collect::<Vec<_>>());
        }
        assert_ne!(orders[7], orders[8]);
    }

    #[test]
    fn all_have_as_many_turns_whenever_a_signal_comes() {
        for signal in 0..12 {
            let stop = Stop::deaf();
            let _guard = stop.guard();
            let mut turn = 0_usize;
            let taken = Turns::new(&stop, 9).take(&mut [1, 2, 3], 1, 3, |contender, _| {
                if turn == signal {
                    stop.hear(Heard {
                        signal: Signal::Interrupt,
                        by_process: true,
                    });
                }
                turn += 1;
                Ok(*contender)
            });
            let taken = taken.unwrap();
            let each = (signal + 1) / 3;
            let each = each.saturating_sub(1);
            assert_eq!(taken, [vec![1; each], vec![2; each], vec![3; each]]);
        }
    }
}
