//! Punctual beside itself without a spin, round by round.

use super::Condition;
use crate::failure::Failure;
use crate::statistics::Figures;
use crate::waiting::grid::Outcome;
use punctual::margin::Budget;
use serde::Serialize;

/// What the rounds of both say under one condition.
#[derive(Debug, Serialize)]
pub struct Pairs {
    #[serde(flatten)]
    pub condition: Condition,
    pub quantities: Vec<Quantity>,
}

/// One quantity: its differences, ours less that of the coarse wait.
#[derive(Debug, Serialize)]
pub struct Quantity {
    pub name: &'static str,
    /// The median of the coarse wait.
    pub coarse: f64,
    pub low: f64,
    pub median: f64,
    pub high: f64,
    /// Less is better for all of them.
    pub is_worse: bool,
}

/// Of a quantity that chance changes, as many differences are above zero as below. Three quarters and more are so by chance
/// in one of fifty runs of twenty rounds.
const MOST_WORSE: f64 = 0.75;

/// A difference below this part of the coarse wait's is none: blocks of the same way of waiting differ by more.
const NEGLIGIBLE: f64 = 0.02;

type Reading = fn(&Figures) -> Option<f64>;

/// Processor time may be above that of the coarse wait by one budget, which is taken from ours.
const QUANTITIES: [(&str, Reading); 4] = [
    ("p50_ns", |figures| Some(figures.p50_ns as f64)),
    ("p99_ns", |figures| {
        figures.p99_of_deadlines_ns.map(|nanos| nanos as f64)
    }),
    ("late_share", |figures| Some(figures.late_or_missed_share)),
    ("processor_share", |figures| figures.processor_share),
];

impl Pairs {
    pub fn of(condition: Condition, ours: &[Outcome], coarse: &[Outcome]) -> Result<Self, Failure> {
        let figures = |blocks: &[Outcome]| {
            let each = blocks
                .iter()
                .map(|block| Figures::of(std::slice::from_ref(block)));
            each.collect::<Result<Vec<_>, _>>()
        };
        let (ours, coarse) = (figures(ours)?, figures(coarse)?);
        let quantities = QUANTITIES.iter().filter_map(|&(name, read)| {
            let allowed = if name == "processor_share" {
                Budget::default().share()
            } else {
                0.0
            };
            let ours: Option<Vec<f64>> = ours.iter().map(read).collect();
            let coarse: Option<Vec<f64>> = coarse.iter().map(read).collect();
            Some(Quantity::of(name, &ours?, &coarse?, allowed))
        });
        Ok(Self {
            condition,
            quantities: quantities.collect(),
        })
    }
}

impl Quantity {
    fn of(name: &'static str, ours: &[f64], coarse: &[f64], allowed: f64) -> Self {
        let mut differences: Vec<f64> = ours
            .iter()
            .zip(coarse)
            .map(|(ours, coarse)| ours - coarse)
            .collect();
        differences.sort_by(f64::total_cmp);
        let mut coarse = coarse.to_vec();
        coarse.sort_by(f64::total_cmp);
        let coarse = coarse[coarse.len() / 2];
        let last = differences.len() - 1;
        let bound = allowed + NEGLIGIBLE * coarse;
        let worse = differences
            .iter()
            .filter(|&&difference| difference > bound)
            .count();
        Self {
            name,
            coarse,
            low: differences[last / 4],
            median: differences[last.div_ceil(2)],
            high: differences[last - last / 4],
            is_worse: worse as f64 >= MOST_WORSE * differences.len() as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worse_is_what_most_rounds_are() {
        let coarse = [100.0; 8];
        let ours = [90.0, 90.0, 120.0, 120.0, 120.0, 120.0, 120.0, 120.0];
        assert!(Quantity::of("p50_ns", &ours, &coarse, 0.0).is_worse);
        let ours = [90.0, 101.0, 101.0, 120.0, 120.0, 120.0, 120.0, 120.0];
        let quantity = Quantity::of("p50_ns", &ours, &coarse, 0.0);
        assert!(!quantity.is_worse);
        assert_eq!(
            (quantity.low, quantity.median, quantity.high),
            (1.0, 20.0, 20.0)
        );
        assert!(!Quantity::of("p50_ns", &[104.0; 8], &coarse, 5.0).is_worse);
    }
}
