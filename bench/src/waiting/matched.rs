//! Punctual asked for exactly as many late waits as spin_sleep has: which of them spins less?

use super::aims::{Aim, Kind};
use super::contenders::{Call, Contender, DEFAULT_SLACK, LEAST_SLACK, Punctual, SpinSleep, Unspun};
use super::interleave::{LONGEST_BLOCK, Schedule, Series};
use super::load::Load;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::statistics::{Figures, processor_share, quartiles};
use punctual::margin::{Budget, LateRate};
use serde::Serialize;
use std::time::Duration;

/// Both at the same late share, and what the wait alone costs.
#[derive(Debug, Serialize)]
pub struct Match {
    pub rate_hertz: u32,
    pub load: Load,
    pub peer: String,
    #[serde(skip)]
    pub peer_slack: Duration,
    /// The peer's late share in the table, within what can be asked for.
    pub requested: f64,
    pub peer_late_share: f64,
    pub late_share: f64,
    pub base_processor_share: Option<f64>,
    pub peer_processor_share: Option<f64>,
    pub processor_share: Option<f64>,
    /// Processor time above the base, Punctual's over the peer's. None if the peer's is no more
    /// than the base: then there is nothing to be a share of.
    pub ratio: Option<f64>,
    /// First and third quartile of the rounds' ratios.
    pub ratio_low: Option<f64>,
    pub ratio_high: Option<f64>,
}

const SLACKS: [Duration; 2] = [DEFAULT_SLACK, LEAST_SLACK];

/// For each slack the peer and Punctual, and the base.
pub const CONTENDERS: u32 = 5;

/// There are few contenders, and ratios of differences are noisy.
const LONGER: f64 = 1.5;

pub fn schedule(rate_hertz: u32, seconds: f64) -> Schedule {
    Schedule::new(rate_hertz, LONGER * seconds, LONGEST_BLOCK)
}

/// On an idle machine. `table` is where the peer's late shares are taken from.
pub fn run(
    rate_hertz: u32,
    schedule: Schedule,
    table: &[Series],
    progress: &Progress,
) -> Result<Vec<Match>, Failure> {
    let mut requested = Vec::new();
    let mut contenders: Vec<Box<dyn Contender>> = vec![Box::new(Unspun)];
    for slack in SLACKS {
        let measured = Series::find(table, &SpinSleep::name_of(Call::Sleep, slack))?;
        let late = Figures::of(&measured.blocks)?.late_over_1us_share;
        let late_rate = LateRate::new(late.clamp(LateRate::LEAST.share(), LateRate::MOST.share()))?;
        requested.push(late_rate.share());
        contenders.push(Box::new(SpinSleep::new(Call::Sleep, slack)));
        // Without a budget, so that nothing but the late rate decides.
        contenders.push(Box::new(Punctual::aiming_at(late_rate, Budget::new(1.0)?)));
    }
    let all = schedule.run(&mut contenders, progress)?;
    let (base, pairs) = all.split_first().ok_or("nothing was measured")?;
    let pairs = pairs.chunks_exact(2).zip(SLACKS).zip(requested);
    pairs
        .map(|((pair, slack), requested)| {
            compare(rate_hertz, slack, requested, base, &pair[0], &pair[1])
        })
        .collect()
}

fn compare(
    rate_hertz: u32,
    peer_slack: Duration,
    requested: f64,
    base: &Series,
    peer: &Series,
    ours: &Series,
) -> Result<Match, Failure> {
    let [of_base, of_peer, of_ours] = [base, peer, ours].map(|series| Figures::of(&series.blocks));
    let (of_base, of_peer, of_ours) = (of_base?, of_peer?, of_ours?);
    let rounds = base.blocks.iter().zip(&peer.blocks).zip(&ours.blocks);
    let ratios = rounds.filter_map(|((base, peer), ours)| {
        ratio(
            processor_share(base),
            processor_share(peer),
            processor_share(ours),
        )
    });
    let spread = quartiles(ratios.collect());
    Ok(Match {
        rate_hertz,
        load: Load::Idle,
        peer: peer.contender.clone(),
        peer_slack,
        requested,
        peer_late_share: of_peer.late_over_1us_share,
        late_share: of_ours.late_over_1us_share,
        base_processor_share: of_base.processor_share,
        peer_processor_share: of_peer.processor_share,
        processor_share: of_ours.processor_share,
        ratio: ratio(
            of_base.processor_share,
            of_peer.processor_share,
            of_ours.processor_share,
        ),
        ratio_low: spread.map(|(low, _)| low),
        ratio_high: spread.map(|(_, high)| high),
    })
}

fn ratio(base: Option<f64>, peer: Option<f64>, ours: Option<f64>) -> Option<f64> {
    let (above, ours_above) = (peer? - base?, ours? - base?);
    (above > 0.0).then(|| ours_above / above)
}

impl Match {
    pub fn aim(&self) -> Aim {
        let kind = if self.peer_slack == DEFAULT_SLACK {
            Kind::HalfTheSpin
        } else {
            Kind::HalfTheSpinWithoutSlack
        };
        Aim::new(
            kind,
            self.rate_hertz,
            self.load,
            self.ratio,
            self.ratio_low.zip(self.ratio_high),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_of_what_comes_on_top_of_the_base() {
        let ratio_of = |base, peer, ours| ratio(Some(base), Some(peer), Some(ours));
        assert_eq!(ratio_of(1.0, 5.0, 3.0), Some(0.5));
        assert_eq!(ratio_of(5.0, 5.0, 3.0), None);
        assert_eq!(ratio(None, Some(5.0), Some(3.0)), None);
    }
}
