//! Punctual asked for exactly as many late waits as spin_sleep has: which of them spins less?

use super::contenders::{Contender, NO_SPIN, SPIN_SLEEP, no_spin, spin_sleep};
use super::figures::{Figures, processor_share, quartiles};
use super::grid::Outcome;
use super::percent;
use super::schedule::{LONGEST_BLOCK, Schedule};
use crate::failure::Failure;
use crate::report::{Aim, Bound, Column, Table, plain};
use crate::row;
use crate::turns::Turns;
use punctual::margin::{Budget, LateRate};

/// For each slack the peer and Punctual, and the base.
pub const CONTENDERS: usize = 5;

/// There are few contenders, and ratios of differences are noisy.
const LONGER: f64 = 1.5;

/// Of spin_sleep's processor time, above the base.
const HALF: f64 = 0.5;

pub fn schedule(rate_hertz: u32, seconds: f64) -> Schedule {
    Schedule::alone(rate_hertz, LONGER * seconds, LONGEST_BLOCK)
}

pub fn table() -> Table {
    let figure = |key, name, width| Column::figure(key, name, width, percent);
    Table::new(
        "matched",
        "With spin_sleep's late share requested, without a budget, idle; all in %",
        vec![
            Column::words("beside", "beside", 25),
            Column::figure("rate_hertz", "Hz", 5, plain::<0>),
            figure("requested", "asked", 7),
            figure("peer_late_share", "late", 7),
            figure("late_share", "ours", 7),
            figure("base_processor_share", "no spin", 9),
            figure("peer_processor_share", "proc", 7),
            figure("processor_share", "ours", 7),
            Column::hidden("ratio"),
            Column::hidden("ratio_low"),
            Column::hidden("ratio_high"),
        ],
    )
}

/// On an idle machine. `late_shares` are the peer's, of each slack.
pub fn run(
    rate_hertz: u32,
    schedule: Schedule,
    late_shares: [f64; 2],
    turns: &Turns,
    table: &mut Table,
) -> Result<Vec<Aim>, Failure> {
    let mut requested = Vec::new();
    let mut contenders = vec![Contender::calling(NO_SPIN, no_spin)];
    for (name, late) in SPIN_SLEEP.into_iter().zip(late_shares) {
        let late_rate = LateRate::new(late.clamp(LateRate::LEAST.share(), LateRate::MOST.share()))?;
        requested.push(late_rate.share());
        contenders.push(Contender::calling(name, spin_sleep));
        // Without a budget, so that nothing but the late rate decides.
        contenders.push(Contender::aiming_at(late_rate, Budget::new(1.0)?)?);
    }
    let all = schedule.run(&mut contenders, turns)?;
    let Some((base, pairs)) = all.split_first() else {
        return Ok(Vec::new());
    };
    let mut aims = Vec::new();
    let pairs = pairs.chunks_exact(2).zip(SPIN_SLEEP).zip(requested);
    for ((pair, peer), requested) in pairs {
        let [theirs, ours] = pair else { continue };
        let figures = [base, theirs, ours].map(|blocks| Figures::of(blocks));
        let [Some(of_base), Some(of_theirs), Some(of_ours)] = figures else {
            continue;
        };
        let shares = [&of_base, &of_theirs, &of_ours].map(|it| it.processor_share);
        let ratio = ratio(shares);
        let spread = quartiles(ratios(base, theirs, ours));
        table.push(row![
            peer,
            rate_hertz,
            requested,
            of_theirs.late_share,
            of_ours.late_share,
            of_base.processor_share,
            of_theirs.processor_share,
            of_ours.processor_share,
            ratio,
            spread.map(|(low, _)| low),
            spread.map(|(_, high)| high),
        ]);
        let what =
            format!("processor time above no spin's over that of {peer}, {rate_hertz} Hz, idle");
        aims.push(Aim::new(&what, Bound::AtMost(HALF), ratio));
    }
    Ok(aims)
}

/// Round by round.
fn ratios(base: &[Outcome], theirs: &[Outcome], ours: &[Outcome]) -> Vec<f64> {
    let rounds = base.iter().zip(theirs).zip(ours);
    rounds
        .filter_map(|((base, theirs), ours)| ratio([base, theirs, ours].map(processor_share)))
        .collect()
}

/// Processor time above the base, ours over the peer's. None if the peer's is no more than the base: then there is nothing
/// to be a share of.
fn ratio([base, theirs, ours]: [Option<f64>; 3]) -> Option<f64> {
    let (above, ours_above) = (theirs? - base?, ours? - base?);
    (above > 0.0).then(|| ours_above / above)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_of_what_comes_on_top_of_the_base() {
        assert_eq!(ratio([1.0, 5.0, 3.0].map(Some)), Some(0.5));
        assert_eq!(ratio([5.0, 5.0, 3.0].map(Some)), None);
        assert_eq!(ratio([None, Some(5.0), Some(3.0)]), None);
    }
}
