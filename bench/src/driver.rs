//! The driver beside tokio's timers: how many a second threads can start and give up, and what it
//! takes to wake very many tasks, and one.

mod aims;
mod beating;
mod rates;
mod report;
mod sleeping;

use crate::aim::Aim;
use crate::failure::Failure;
use crate::machine::{Invocation, Machine};
use crate::progress::Progress;
use crate::simulation::rates::Spread;
use crate::statistics::Figures;
use crate::waiting::grid::Outcome;
use beating::Beat;
use rates::Operation;
use serde::Serialize;
use sleeping::Sleepers;
use std::time::Duration;

/// What is measured.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// Prints one JSON object instead of tables.
    #[arg(long)]
    pub json: bool,

    /// Takes twenty seconds. The figures are too rough to publish.
    #[arg(long)]
    pub quick: bool,
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Report {
    pub machine: Machine,
    pub command: Invocation,
    pub rates: Vec<Rate>,
    pub sleeping: Vec<Sleeping>,
    pub beating: Vec<Beating>,
    pub aims: Vec<Aim>,
}

/// How often a second so many threads together do something.
#[derive(Debug, Serialize)]
pub struct Rate {
    pub operation: &'static str,
    pub threads: usize,
    pub punctual_per_second: Spread,
    pub tokio_per_second: Spread,
    /// Ours over tokio's, round by round.
    pub ratio: Spread,
}

/// Very many tasks that sleep.
#[derive(Debug, Serialize)]
pub struct Sleeping {
    pub contender: &'static str,
    /// `None`: the contender knows no such thing.
    pub tolerance_ns: Option<u64>,
    pub deadlines_per_second: f64,
    /// Processor time of the whole process for each deadline, turn by turn.
    pub processor_ns_per_deadline: Spread,
    /// Median lateness, turn by turn.
    pub p50_ns: Spread,
    #[serde(flatten)]
    pub figures: Figures,
}

/// One task that keeps a beat.
#[derive(Debug, Serialize)]
pub struct Beating {
    pub contender: &'static str,
    /// Of the runtime.
    pub threads: usize,
    /// Median lateness, turn by turn.
    pub p50_ns: Spread,
    #[serde(flatten)]
    pub figures: Figures,
}

/// The crate that has the names of `tokio::time`.
const ADAPTER: &str = "punctual-tokio";

const THREADS: [usize; 3] = [1, 4, 10];

const ROUNDS: u32 = 7;
const QUICK_ROUNDS: u32 = 3;

/// Turns of those who sleep, without the first, which warms up.
const TURNS: u32 = 3;
const QUICK_TURNS: u32 = 1;

/// About what a round of one operation takes: for the progress.
const ROUND: Duration = Duration::from_millis(400);

impl Plan {
    /// Measures everything; a minute and a half.
    pub fn run(&self) -> Result<Report, Failure> {
        let progress = Progress::new(self.duration()?)?;
        let rates = self.rates(&progress)?;
        let sleeping = self.sleeping(&progress)?;
        let beating = self.beating(&progress)?;
        Ok(Report {
            machine: Machine::here(),
            command: Invocation::this(),
            aims: aims::of(&rates, &sleeping, &beating),
            rates,
            sleeping,
            beating,
        })
    }

    fn rounds(&self) -> u32 {
        if self.quick { QUICK_ROUNDS } else { ROUNDS }
    }

    fn turns(&self) -> u32 {
        if self.quick { QUICK_TURNS } else { TURNS }
    }

    fn duration(&self) -> Result<Duration, Failure> {
        let rounds = u32::try_from(THREADS.len() * Operation::ALL.len())? * self.rounds();
        let turns = self.turns() + 1;
        let sleepers = u32::try_from(Sleepers::ALL.len())? * turns;
        let beats = u32::try_from(Beat::ALL.len())? * turns;
        Ok(ROUND * rounds + sleeping::TURN * sleepers + beating::TURN * beats)
    }

    /// Everyone in turn, there and back again, so that nobody always follows the same other.
    fn rates(&self, progress: &Progress) -> Result<Vec<Rate>, Failure> {
        let mut found = Vec::new();
        for threads in THREADS {
            let mut rounds: Vec<Vec<f64>> = vec![Vec::new(); Operation::ALL.len()];
            let mut order: Vec<usize> = (0..rounds.len()).collect();
            for _ in 0..self.rounds() {
                for &place in &order {
                    let operation = Operation::ALL[place];
                    progress.announce(format!("{threads} threads, {}", operation.name()));
                    rounds[place].push(operation.per_second(threads, self.quick)?);
                    progress.advance(ROUND);
                }
                order.reverse();
            }
            let tokio = &rounds[Operation::TOKIO];
            for (operation, ours) in Operation::ALL.iter().zip(&rounds).take(Operation::TOKIO) {
                found.extend(rate(operation.name(), threads, ours, tokio));
            }
        }
        Ok(found)
    }

    fn sleeping(&self, progress: &Progress) -> Result<Vec<Sleeping>, Failure> {
        let turns = self.in_turn(&Sleepers::ALL, |sleepers| {
            progress.announce(format!("{} tasks, {}", sleeping::TASKS, sleepers.name()));
            let slept = sleepers.sleep()?;
            progress.advance(sleeping::TURN);
            Ok(slept)
        })?;
        let rows = Sleepers::ALL.iter().zip(&turns);
        rows.map(|(sleepers, turns)| sleepers.row(turns)).collect()
    }

    fn beating(&self, progress: &Progress) -> Result<Vec<Beating>, Failure> {
        let turns = self.in_turn(&Beat::ALL, |beat| {
            progress.announce(format!("one task, {}", beat.contender()));
            let kept = beat.keep()?;
            progress.advance(beating::TURN);
            Ok(kept)
        })?;
        let rows = Beat::ALL.iter().zip(&turns);
        rows.map(|(beat, turns)| beat.row(turns)).collect()
    }

    /// The turns of each, without the first.
    fn in_turn<C: Copy, T>(
        &self,
        contenders: &[C],
        mut take: impl FnMut(C) -> Result<T, Failure>,
    ) -> Result<Vec<Vec<T>>, Failure> {
        let mut turns: Vec<Vec<T>> = contenders.iter().map(|_| Vec::new()).collect();
        let mut order: Vec<usize> = (0..turns.len()).collect();
        for turn in 0..=self.turns() {
            for &place in &order {
                let taken = take(contenders[place])?;
                if turn > 0 {
                    turns[place].push(taken);
                }
            }
            order.reverse();
        }
        Ok(turns)
    }
}

fn rate(operation: &'static str, threads: usize, ours: &[f64], tokio: &[f64]) -> Option<Rate> {
    Some(Rate {
        operation,
        threads,
        punctual_per_second: Spread::of(ours.to_vec())?,
        tokio_per_second: Spread::of(tokio.to_vec())?,
        ratio: Spread::of_ratios(ours, tokio)?,
    })
}

const NOTHING: &str = "no turn was measured";

/// Median lateness, turn by turn.
fn medians(turns: &[Outcome]) -> Result<Spread, Failure> {
    let median = |turn| Ok(Figures::of(std::slice::from_ref(turn))?.p50_ns as f64);
    let medians: Result<_, Failure> = turns.iter().map(median).collect();
    Ok(Spread::of(medians?).ok_or(NOTHING)?)
}
