//! Punctual beside itself without a spin, round by round: is it worse?

use super::Condition;
use super::figures::Figures;
use super::grid::Outcome;
use crate::report::Aim;
use punctual::margin::Budget;
use std::slice;

/// Of a quantity that chance changes, as many differences are above zero as below. Three quarters and more are so by chance
/// in one of fifty runs of twenty rounds.
const MOST_WORSE: f64 = 0.75;

/// A difference below this part of the coarse wait's is none: blocks of the same way of waiting differ by more.
const NEGLIGIBLE: f64 = 0.02;

/// What is compared; less is better.
const QUANTITIES: [(&str, Reading); 4] = [
    ("p50, ns", |figures| Some(figures.p50_ns as f64)),
    ("p99, ns", |figures| {
        figures.p99_of_deadlines_ns.map(|nanos| nanos as f64)
    }),
    ("late share", |figures| Some(figures.late_or_missed_share)),
    (PROCESSOR, |figures| figures.processor_share),
];

type Reading = fn(&Figures) -> Option<f64>;

/// It may be above that of the coarse wait by one budget, which is taken from ours.
const PROCESSOR: &str = "processor share";

/// That it is not, in any quantity. Says in which it is, and by how much in the middle of the rounds.
pub fn aim(condition: Condition, ours: &[Outcome], coarse: &[Outcome]) -> Aim {
    let mut aim = format!("no worse than the coarse wait, {condition}");
    let mut reached = true;
    for (name, read) in QUANTITIES {
        let of = |blocks: &[Outcome]| -> Vec<f64> {
            let figures = blocks.iter().map(slice::from_ref).filter_map(Figures::of);
            figures.filter_map(|figures| read(&figures)).collect()
        };
        let allowed = match name {
            PROCESSOR => Budget::default().share(),
            _ => 0.0,
        };
        if let Some((more, coarse)) = worse(&of(ours), of(coarse), allowed) {
            aim += &format!("; {name}: {more:.3} more than {coarse:.3}");
            reached = false;
        }
    }
    Aim {
        aim,
        reached,
        value: None,
    }
}

/// How much more ours is than the coarse wait's, and that; medians. `None`: it is not worse.
fn worse(ours: &[f64], mut coarse: Vec<f64>, allowed: f64) -> Option<(f64, f64)> {
    let differences = ours.iter().zip(&coarse).map(|(ours, coarse)| ours - coarse);
    let mut differences: Vec<f64> = differences.collect();
    differences.sort_by(f64::total_cmp);
    coarse.sort_by(f64::total_cmp);
    let middle = |sorted: &[f64]| sorted.get(sorted.len() / 2).copied();
    let coarse = middle(&coarse)?;
    let bound = allowed + NEGLIGIBLE * coarse;
    let worse = differences.iter().filter(|&&it| it > bound).count();
    let is_worse = worse as f64 >= MOST_WORSE * differences.len() as f64;
    middle(&differences)
        .filter(|_| is_worse)
        .map(|more| (more, coarse))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worse_is_what_most_rounds_are() {
        let of = |ours: [f64; 8], allowed| worse(&ours, vec![100.0; 8], allowed);
        let ours = [90.0, 90.0, 120.0, 120.0, 120.0, 120.0, 120.0, 120.0];
        assert_eq!(of(ours, 0.0), Some((20.0, 100.0)));
        let ours = [90.0, 101.0, 101.0, 120.0, 120.0, 120.0, 120.0, 120.0];
        assert_eq!(of(ours, 0.0), None);
        assert_eq!(of([104.0; 8], 5.0), None);
        assert_eq!(worse(&[], vec![], 0.0), None);
    }

    #[test]
    fn a_reason_is_named() {
        let blocks = |lateness| {
            let block = Outcome {
                latenesses: vec![lateness; 3],
                elapsed: std::time::Duration::from_secs(1),
                ..Outcome::default()
            };
            vec![block; 4]
        };
        let condition = crate::waiting::aims::tests::BUSY;
        let aim = aim(condition, &blocks(900), &blocks(500));
        assert!(!aim.reached);
        assert!(
            aim.aim.ends_with("p50, ns: 400.000 more than 500.000"),
            "{}",
            aim.aim
        );
    }
}
