//! The engine and its peers on the same workload, in turns.

use super::engine::Costs;
use super::rates::{Spread, per_second};
use super::workload::Workload;
use super::{engine, nexosim, simpy};
use crate::failure::Failure;
use crate::progress::Progress;
use serde::Serialize;
use std::time::Duration;

/// How many threads sleep side by side.
pub const THREADS: [u32; 4] = [2, 100, 1_000, 10_000];

/// SimPy has this part of the sleeps: Python takes microseconds for what takes others a fraction of
/// one, and turns should be about equally long.
const SIMPY_PART: u64 = 20;

/// What one turn counts for in the progress.
pub const TURN: Duration = Duration::from_secs(1);

/// How long, how often, and with whom.
#[derive(Debug)]
pub struct Contest {
    /// Of all threads together, in one turn.
    pub sleeps: u64,
    pub repetitions: u32,
    /// Why SimPy does not take part.
    pub without_simpy: Option<String>,
}

/// The engine with so many threads.
#[derive(Debug, Serialize)]
pub struct EngineRow {
    pub threads: u32,
    /// The median of the repetitions.
    pub events_per_second: f64,
    pub events_per_second_low: f64,
    pub events_per_second_high: f64,
}

/// A peer with so many threads, or whatever it has instead.
#[derive(Debug, Serialize)]
pub struct PeerRow {
    pub name: &'static str,
    pub threads: u32,
    /// The median of the repetitions. `None`: it does not take part.
    pub events_per_second: Option<f64>,
    pub events_per_second_low: Option<f64>,
    pub events_per_second_high: Option<f64>,
    /// The engine's events per second over these, repetition by repetition.
    pub ratio: Option<Spread>,
    /// Why there are no figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// All rows for one number of threads.
#[derive(Debug)]
pub struct Rows {
    pub engine: EngineRow,
    pub at_default_costs: EngineRow,
    pub peers: Vec<PeerRow>,
}

/// Who has its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Contender {
    Engine,
    EngineAtDefaultCosts,
    Nexosim,
    Simpy,
}

/// What one contender did, one rate for each repetition.
struct Series(Contender, Vec<f64>);

impl Contest {
    pub fn duration(&self) -> Duration {
        let turns = self.contenders().len() * THREADS.len();
        TURN * self.repetitions * u32::try_from(turns).unwrap_or(u32::MAX)
    }

    pub fn run(&self, threads: u32, progress: &Progress) -> Result<Rows, Failure> {
        let empty = |contender| Series(contender, Vec::new());
        let mut all: Vec<Series> = self.contenders().into_iter().map(empty).collect();
        for repetition in 0..self.repetitions {
            // There and back again, so that nobody always follows the same other.
            if repetition > 0 {
                all.reverse();
            }
            for Series(contender, rates) in &mut all {
                progress.announce(format!("{threads} threads, {}", contender.name()));
                rates.push(self.turn(*contender, threads)?);
                progress.advance(TURN);
            }
        }
        self.rows(threads, &all)
    }

    fn contenders(&self) -> Vec<Contender> {
        let mut contenders = vec![
            Contender::Engine,
            Contender::Nexosim,
            Contender::EngineAtDefaultCosts,
        ];
        if self.without_simpy.is_none() {
            contenders.push(Contender::Simpy);
        }
        contenders
    }

    fn turn(&self, contender: Contender, threads: u32) -> Result<f64, Failure> {
        let mut workload = Workload::of(threads, self.sleeps);
        let took = match contender {
            Contender::Engine => engine::run(workload, Costs::Least)?,
            Contender::EngineAtDefaultCosts => engine::run(workload, Costs::Default)?,
            Contender::Nexosim => nexosim::run(workload)?,
            Contender::Simpy => {
                workload = Workload::of(threads, self.sleeps / SIMPY_PART);
                simpy::run(workload)?
            }
        };
        Ok(per_second(workload.events(), took))
    }

    fn rows(&self, threads: u32, all: &[Series]) -> Result<Rows, Failure> {
        let ours = rates(all, Contender::Engine);
        let peer = |contender: Contender, note: Option<&String>| {
            let theirs = rates(all, contender);
            let spread = Spread::of(theirs.to_vec());
            PeerRow {
                name: contender.name(),
                threads,
                events_per_second: spread.map(|spread| spread.median),
                events_per_second_low: spread.map(|spread| spread.low),
                events_per_second_high: spread.map(|spread| spread.high),
                ratio: Spread::of_ratios(ours, theirs),
                note: note.cloned(),
            }
        };
        Ok(Rows {
            engine: EngineRow::of(threads, ours)?,
            at_default_costs: EngineRow::of(threads, rates(all, Contender::EngineAtDefaultCosts))?,
            peers: vec![
                peer(Contender::Nexosim, None),
                peer(Contender::Simpy, self.without_simpy.as_ref()),
            ],
        })
    }
}

impl EngineRow {
    fn of(threads: u32, rates: &[f64]) -> Result<Self, Failure> {
        let spread = Spread::of(rates.to_vec()).ok_or("the engine had no turn")?;
        Ok(Self {
            threads,
            events_per_second: spread.median,
            events_per_second_low: spread.low,
            events_per_second_high: spread.high,
        })
    }
}

impl Contender {
    fn name(self) -> &'static str {
        match self {
            Self::Engine => "engine",
            Self::EngineAtDefaultCosts => "engine, default costs",
            Self::Nexosim => nexosim::NAME,
            Self::Simpy => simpy::NAME,
        }
    }
}

/// None if it had no turn.
fn rates(all: &[Series], contender: Contender) -> &[f64] {
    let found = all.iter().find(|Series(whose, _)| *whose == contender);
    found.map_or(&[], |Series(_, rates)| rates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_takes_no_part_has_a_row_that_says_why() {
        let contest = Contest {
            sleeps: 1,
            repetitions: 2,
            without_simpy: Some("not installed".to_owned()),
        };
        let all = [
            Series(Contender::Nexosim, vec![2.0, 4.0]),
            Series(Contender::EngineAtDefaultCosts, vec![9.0, 9.0]),
            Series(Contender::Engine, vec![10.0, 12.0]),
        ];
        let rows = contest.rows(100, &all).unwrap();
        assert_eq!(rows.engine.events_per_second, 11.0);
        let [nexosim, simpy] = &rows.peers[..] else {
            panic!("two peers")
        };
        assert_eq!(nexosim.events_per_second, Some(3.0));
        assert_eq!(nexosim.ratio.map(|ratio| ratio.low), Some(3.0));
        assert_eq!(simpy.events_per_second, None);
        assert_eq!(simpy.note.as_deref(), Some("not installed"));
    }
}
