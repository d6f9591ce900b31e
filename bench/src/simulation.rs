//! Simulating, side by side: how many wake-ups a second, and how long a simulated day takes.

mod contest;
pub mod model;

use crate::failure::Failure;
use crate::report::{Aim, Bound, Column, Report, Table, plain};
use crate::row;
use crate::statistics::{Spread, per_second};
use crate::turns::Turns;
use contest::Contender;
use punctual_command::stop::Stop;
use std::time::Duration;

/// What is measured.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// Takes ten seconds instead of a minute, and computes a day from an hour. The figures are too rough to publish.
    #[arg(long)]
    quick: bool,
}

/// How many threads sleep side by side.
const THREADS: [u32; 4] = [2, 100, 1_000, 10_000];

/// Of all threads in one turn of the contest: the slowest turn takes a second or two, the fastest still a tenth of one.
const SLEEPS: u64 = 2_000_000;
const QUICK_SLEEPS: u64 = 500_000;

const ROUNDS: u32 = 5;
const QUICK_ROUNDS: u32 = 3;

/// 86.4 million sleeps.
const HOURS_OF_A_DAY: u64 = 24;

const SHORT_MINUTES: u64 = 5;
const LONG_MINUTES: u64 = 50;

/// Events per second over nexosim's, where there are many threads.
const TIMES_NEXOSIM: f64 = 5.0;
const MANY_THREADS: u32 = 1_000;

/// Events per second, in millions, by the number of threads.
const MILLIONS: [(u32, f64); 3] = [(100, 25.0), (1_000, 15.0), (10_000, 10.0)];

/// Sleeps per second of the whole simulated Windows, in millions.
const MODEL_MILLIONS: f64 = 8.0;

/// What a simulated day of a 1 kHz loop may take, in processor time.
const DAY_SECONDS: f64 = 9.0;

/// Peak memory over that of a run a tenth as long. Not 1: where the system puts a program, and so how many pages it
/// touches, is a matter of chance.
const GROWTH: f64 = 1.05;

const MILLION: f64 = 1e6;

const NOTE: &str = "Medians of the rounds, ± half the range, per second of processor time. An event is one wake-up: a thread reads \
     the clock, waits on a bell with a timeout and blocks; its timer ends, it is made ready, is dispatched and runs.";

impl Plan {
    /// About a minute.
    pub fn run(&self, stop: &Stop) -> Result<Report, Failure> {
        let rounds = if self.quick { QUICK_ROUNDS } else { ROUNDS };
        // The day on either machine, and memory.
        let turns = Turns::new(stop, (THREADS.len() * 4 + 1) * rounds as usize + 3);
        let mut report = Report {
            note: NOTE.to_owned(),
            ..Report::default()
        };
        self.contest(&turns, rounds, &mut report)?;
        self.model(&turns, rounds, &mut report)?;
        if !turns.are_over() {
            self.days(&turns, &mut report)?;
            memory(&turns, &mut report)?;
        }
        Ok(report)
    }

    fn sleeps(&self) -> u64 {
        if self.quick { QUICK_SLEEPS } else { SLEEPS }
    }

    fn contest(&self, turns: &Turns, rounds: u32, report: &mut Report) -> Result<(), Failure> {
        let without_simpy = contest::find_simpy().err();
        let mut contenders = vec![
            Contender::Engine,
            Contender::Nexosim,
            Contender::EngineAtDefaultCosts,
        ];
        if without_simpy.is_none() {
            contenders.push(Contender::SimPy);
        }
        let mut table = Table::new(
            "engine",
            "Sleeping at random",
            vec![
                Column::words("contender", "", 24),
                Column::figure("threads", "threads", 8, plain::<0>),
                Column::figure("events_per_second", "million events/s", 20, millions),
                Column::figure("ratio", "engine's over it", 20, plain::<1>),
                Column::words("note", "", 0),
            ],
        );
        for threads in THREADS {
            let taken = turns.take(&mut contenders, 0, rounds, |contender, _| {
                turns.announce(format!("{threads} threads, {}", contender.name()));
                contender.per_second(threads, self.sleeps())
            })?;
            let ours = &taken[0];
            for (contender, rates) in contenders.iter().zip(&taken) {
                let (all, ratio) = (Spread::of(rates.clone()), Spread::of_ratios(ours, rates));
                table.push(row![contender.name(), threads, all, ratio, ""]);
                if *contender == Contender::Nexosim && threads >= MANY_THREADS {
                    let aim = format!("engine over nexosim, {threads} threads");
                    let ratio = ratio.map(|ratio| ratio.median);
                    report
                        .aims
                        .push(Aim::new(&aim, Bound::AtLeast(TIMES_NEXOSIM), ratio));
                }
            }
            if let Some(reason) = &without_simpy {
                let name = Contender::SimPy.name();
                table.push(row![
                    name,
                    threads,
                    None::<f64>,
                    None::<f64>,
                    format!(" {reason}")
                ]);
            }
            if let Some(&(_, least)) = MILLIONS.iter().find(|(of, _)| *of == threads) {
                let aim = format!("million events/s, {threads} threads");
                let rate = Spread::of(ours.clone()).map(|rates| rates.median / MILLION);
                report
                    .aims
                    .push(Aim::new(&aim, Bound::AtLeast(least), rate));
            }
        }
        report.tables.push(table);
        Ok(())
    }

    fn model(&self, turns: &Turns, rounds: u32, report: &mut Report) -> Result<(), Failure> {
        let title = format!("{}, threads in Sleep(1), with its log", model::VERSION);
        let mut table = Table::new(
            "model",
            title,
            vec![
                Column::figure("threads", "threads", 32, plain::<0>),
                Column::figure("sleeps_per_second", "million sleeps/s", 20, millions),
            ],
        );
        let each = self.sleeps() / u64::from(model::SLEEPERS);
        let taken = turns.take(&mut [()], 0, rounds, |(), _| {
            turns.announce(model::VERSION);
            let events = each * u64::from(model::SLEEPERS);
            Ok(per_second(events, model::sleep(each)?))
        })?;
        let rates = Spread::of(taken.concat());
        table.push(row![model::SLEEPERS, rates]);
        report.tables.push(table);
        let aim = format!("million sleeps/s, {}", model::VERSION);
        let rate = rates.map(|rates| rates.median / MILLION);
        report
            .aims
            .push(Aim::new(&aim, Bound::AtLeast(MODEL_MILLIONS), rate));
        Ok(())
    }

    fn days(&self, turns: &Turns, report: &mut Report) -> Result<(), Failure> {
        let hours = if self.quick { 1 } else { HOURS_OF_A_DAY };
        let mut table = Table::new(
            "days",
            "A simulated day of a 1 kHz loop, in processor time",
            vec![
                Column::words("machine", "", 24),
                Column::figure("simulated_hours", "of it simulated, h", 20, plain::<0>),
                Column::figure("day_seconds", "s", 8, plain::<1>),
            ],
        );
        type Loop = fn(u64) -> Result<Duration, Failure>;
        let machines: [(_, Loop); 2] = [
            (model::VERSION, model::loop_on_windows),
            ("plain machine", model::loop_on_the_plain_machine),
        ];
        for (machine, run) in machines {
            turns.announce(format!("{hours} simulated hours, {machine}"));
            let took = run(hours * model::SLEEPS_OF_AN_HOUR)?.as_secs_f64();
            let seconds = took * HOURS_OF_A_DAY as f64 / hours as f64;
            table.push(row![machine, hours, seconds]);
            let aim = format!("seconds for a day of 1 kHz, {machine}");
            report
                .aims
                .push(Aim::new(&aim, Bound::Below(DAY_SECONDS), Some(seconds)));
            turns.advance();
        }
        report.tables.push(table);
        Ok(())
    }
}

fn memory(turns: &Turns, report: &mut Report) -> Result<(), Failure> {
    turns.announce("memory");
    let mut table = Table::new(
        "memory",
        "Peak memory of a process that simulates the loop",
        vec![
            Column::figure("simulated_minutes", "minutes", 32, plain::<0>),
            Column::figure("peak_kib", "KiB", 12, plain::<0>),
        ],
    );
    let [short, long] =
        [SHORT_MINUTES, LONG_MINUTES].map(|minutes| (minutes, model::peak_kib(minutes)));
    let (short, long) = ((short.0, short.1?), (long.0, long.1?));
    table.push(row![short.0, short.1]);
    table.push(row![long.0, long.1]);
    report.tables.push(table);
    let aim = "peak memory over that of a tenth of the time";
    let growth = long.1 as f64 / short.1 as f64;
    report
        .aims
        .push(Aim::new(aim, Bound::Below(GROWTH), Some(growth)));
    Ok(())
}

fn millions(rate: f64) -> String {
    plain::<2>(rate / MILLION)
}
