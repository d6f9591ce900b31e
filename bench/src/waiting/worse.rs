//! Punctual beside itself without a spin, round by round: is it worse?

use super::Condition;
use super::figures::Figures;
use super::grid::Outcome;
use crate::report::{Column, Table, plain};
use crate::row;
use punctual::margin::Budget;
use std::slice;

/// One quantity: its differences, ours less that of the coarse wait. Less is better.
#[derive(Debug)]
pub struct Quantity {
    pub name: &'static str,
    /// The median of the coarse wait.
    pub coarse: f64,
    pub low: f64,
    pub median: f64,
    pub high: f64,
    is_worse: bool,
}

/// Of a quantity that chance changes, as many differences are above zero as below. Three quarters and more are so by chance
/// in one of fifty runs of twenty rounds.
const MOST_WORSE: f64 = 0.75;

/// A difference below this part of the coarse wait's is none: blocks of the same way of waiting differ by more.
const NEGLIGIBLE: f64 = 0.02;

pub fn table() -> Table {
    let write = |figure: f64| match figure.abs() {
        100.0.. => plain::<0>(figure),
        _ => plain::<3>(figure),
    };
    let figure = |key| Column::figure(key, key, 11, write);
    Table::new(
        "worse",
        "Worse than the coarse wait: the differences",
        vec![
            Column::words("condition", "", 30),
            Column::words("quantity", "", 16),
            figure("median"),
            figure("low"),
            figure("coarse"),
            Column::hidden("high"),
        ],
    )
}

/// Adds the quantities that are worse to the table. Whether there are any.
pub fn compare(
    condition: Condition,
    ours: &[Outcome],
    coarse: &[Outcome],
    table: &mut Table,
) -> bool {
    let worse = quantities(ours, coarse);
    for it in &worse {
        let place = condition.to_string();
        table.push(row![place, it.name, it.median, it.low, it.coarse, it.high]);
    }
    !worse.is_empty()
}

fn quantities(ours: &[Outcome], coarse: &[Outcome]) -> Vec<Quantity> {
    let figures = |blocks: &[Outcome]| -> Option<Vec<Figures>> {
        let each = blocks.iter().map(slice::from_ref);
        each.map(Figures::of).collect()
    };
    let Some((ours, coarse)) = figures(ours).zip(figures(coarse)) else {
        return Vec::new();
    };
    let quantity = |name, allowed, read: fn(&Figures) -> Option<f64>| {
        let ours: Option<Vec<f64>> = ours.iter().map(read).collect();
        let coarse: Option<Vec<f64>> = coarse.iter().map(read).collect();
        Some(Quantity::of(name, &ours?, coarse?, allowed)).filter(|it| it.is_worse)
    };
    // Processor time may be above that of the coarse wait by one budget, which is taken from ours.
    let budget = Budget::default().share();
    let all = [
        quantity("p50_ns", 0.0, |it| Some(it.p50_ns as f64)),
        quantity("p99_ns", 0.0, |it| {
            it.p99_of_deadlines_ns.map(|ns| ns as f64)
        }),
        quantity("late_share", 0.0, |it| Some(it.late_or_missed_share)),
        quantity("processor_share", budget, |it| it.processor_share),
    ];
    all.into_iter().flatten().collect()
}

impl Quantity {
    fn of(name: &'static str, ours: &[f64], mut coarse: Vec<f64>, allowed: f64) -> Self {
        let differences = ours.iter().zip(&coarse).map(|(ours, coarse)| ours - coarse);
        let mut differences: Vec<f64> = differences.collect();
        differences.sort_by(f64::total_cmp);
        coarse.sort_by(f64::total_cmp);
        let coarse = coarse[coarse.len() / 2];
        let last = differences.len() - 1;
        let bound = allowed + NEGLIGIBLE * coarse;
        let worse = differences.iter().filter(|&&it| it > bound).count();
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
        let of = |ours: [f64; 8], allowed| Quantity::of("p50_ns", &ours, vec![100.0; 8], allowed);
        let ours = [90.0, 90.0, 120.0, 120.0, 120.0, 120.0, 120.0, 120.0];
        assert!(of(ours, 0.0).is_worse);
        let ours = [90.0, 101.0, 101.0, 120.0, 120.0, 120.0, 120.0, 120.0];
        let quantity = of(ours, 0.0);
        assert!(!quantity.is_worse);
        let spread = (quantity.low, quantity.median, quantity.high);
        assert_eq!(spread, (1.0, 20.0, 20.0));
        assert!(!of([104.0; 8], 5.0).is_worse);
    }
}
