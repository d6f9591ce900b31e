//! The rounds that were measured so far with one number of timers.

use super::workload::Figures;
use super::{Contender, Row};
use crate::simulation::rates::Spread;
use crate::statistics::nanos;

/// What each contender came to, round by round: not all need to have had their turns.
#[derive(Debug)]
pub struct Rounds {
    timers: u64,
    /// Punctual first.
    all: Vec<(&'static Contender, Vec<Figures>)>,
}

impl Rounds {
    pub fn new(timers: u64, contenders: impl Iterator<Item = &'static Contender>) -> Self {
        Self {
            timers,
            all: contenders
                .map(|contender| (contender, Vec::new()))
                .collect(),
        }
    }

    /// What the contender in this place came to in another round.
    pub fn add(&mut self, place: usize, figures: Figures) {
        if let Some((_, rounds)) = self.all.get_mut(place) {
            rounds.push(figures);
        }
    }

    /// Of all that had a turn.
    pub fn rows(&self) -> Vec<Row> {
        let rows = self.all.iter().map(|(contender, rounds)| {
            let (_, ours) = self.all.first()?;
            row(contender, self.timers, rounds, ours)
        });
        rows.flatten().collect()
    }
}

fn row(contender: &Contender, timers: u64, rounds: &[Figures], ours: &[Figures]) -> Option<Row> {
    let churn = |rounds: &[Figures]| -> Vec<f64> {
        rounds.iter().map(|figures| figures.churn_ns).collect()
    };
    Some(Row {
        structure: contender.name,
        granularity_ns: nanos(contender.granularity),
        timers,
        medians: Figures::each(rounds, |spread| spread.median)?,
        lowest: Figures::each(rounds, |spread| spread.low)?,
        highest: Figures::each(rounds, |spread| spread.high)?,
        churn_ratio: Spread::of_ratios(&churn(rounds), &churn(ours))?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::CONTENDERS;
    use super::*;

    fn figures(churn_ns: f64) -> Figures {
        Figures {
            insert_ns: 1.0,
            cancel_ns: 1.0,
            churn_ns,
            expire_ns: 1.0,
            bytes: 1.0,
        }
    }

    #[test]
    fn whoever_had_no_turn_has_no_row() {
        let mut rounds = Rounds::new(1_000, CONTENDERS.iter());
        assert!(rounds.rows().is_empty());
        rounds.add(0, figures(2.0));
        rounds.add(1, figures(6.0));
        // The second round begins with the last.
        rounds.add(1, figures(8.0));
        let rows = rounds.rows();
        let ratios: Vec<_> = rows.iter().map(|row| row.churn_ratio.median).collect();
        assert_eq!(ratios, [1.0, 3.0]);
        assert_eq!(rows[1].medians.churn_ns, 7.0);
    }
}
