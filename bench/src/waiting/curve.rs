//! Late share against processor share: what each late rate that can be asked for costs.

use super::contenders::{
    Call, Contender, DEFAULT_SLACK, LEAST_SLACK, NO_SPIN, Punctual, SpinSleep,
};
use super::interleave::Series;
use super::load::Load;
use crate::failure::Failure;
use crate::statistics::Figures;
use punctual::margin::{Budget, LateRate};
use serde::Serialize;

/// One point of the curve, or one to compare it with.
#[derive(Debug, Serialize)]
pub struct Point {
    pub rate_hertz: u32,
    pub load: Load,
    pub contender: String,
    /// The late rate asked for; none where none can be.
    pub requested: Option<f64>,
    /// The processor budget asked for; none where none can be.
    pub budget: Option<f64>,
    #[serde(flatten)]
    pub figures: Figures,
}

/// From what a game shrugs off to what a few seconds can still tell from never.
const REQUESTED: [f64; 4] = [0.10, 0.03, 0.01, 0.003];

/// As it ships, and as good as none.
const BUDGETS: [f64; 2] = [0.05, 1.0];

/// Where the curve is drawn, because one takes as long as a table: at a kilohertz, or else at the
/// fastest rate there is.
const RATE_HERTZ: u32 = 1_000;

pub fn rate(rates_hertz: &[u32]) -> Option<u32> {
    let fastest = rates_hertz.iter().copied().max();
    let usual = rates_hertz.iter().copied().find(|&rate| rate == RATE_HERTZ);
    usual.or(fastest)
}

/// Takes part in the table's run, beside everyone else.
pub fn contenders() -> impl Iterator<Item = Box<dyn Contender>> {
    requests().map(|(late_rate, budget)| {
        let contender: Box<dyn Contender> = Box::new(Punctual::aiming_at(late_rate, budget));
        contender
    })
}

/// All requests are within bounds, as a test asserts.
fn requests() -> impl Iterator<Item = (LateRate, Budget)> {
    BUDGETS.into_iter().flat_map(|budget| {
        REQUESTED.into_iter().filter_map(move |requested| {
            Some((LateRate::new(requested).ok()?, Budget::new(budget).ok()?))
        })
    })
}

pub fn points(rate_hertz: u32, load: Load, all: &[Series]) -> Result<Vec<Point>, Failure> {
    let point = |contender: String, requested, budget| -> Result<Point, Failure> {
        let series = Series::find(all, &contender)?;
        Ok(Point {
            rate_hertz,
            load,
            figures: Figures::of(&series.blocks)?,
            contender,
            requested,
            budget,
        })
    };
    let compared = [
        NO_SPIN.to_owned(),
        SpinSleep::name_of(Call::Sleep, DEFAULT_SLACK),
        SpinSleep::name_of(Call::Sleep, LEAST_SLACK),
    ];
    let compared = compared.into_iter().map(|name| point(name, None, None));
    let ours = requests().map(|(late_rate, budget)| {
        let name = Punctual::name_of(late_rate, budget);
        point(name, Some(late_rate.share()), Some(budget.share()))
    });
    compared.chain(ours).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_is_one_that_can_be_made() {
        assert_eq!(requests().count(), REQUESTED.len() * BUDGETS.len());
    }

    #[test]
    fn the_curve_is_drawn_at_one_rate() {
        assert_eq!(rate(&[100, 1_000, 4_000]), Some(1_000));
        assert_eq!(rate(&[100, 250]), Some(250));
        assert_eq!(rate(&[]), None);
    }
}
