//! The driver beside tokio's timers: how many a second threads can start and give up, and what it takes to wake very
//! many tasks, and one.

mod asleep;
mod rates;

use crate::failure::Failure;
use crate::report::{Aim, Bound, Column, Report, Table, micros, plain};
use crate::row;
use crate::statistics::Spread;
use crate::turns::Turns;
use asleep::{Asleep, Slept};
use punctual_command::stop::Stop;
use rates::Operation;

/// What is measured.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// Takes twenty seconds. The figures are too rough to publish.
    #[arg(long)]
    quick: bool,
}

const THREADS: [usize; 3] = [1, 4, 10];

const ROUNDS: u32 = 7;
const QUICK_ROUNDS: u32 = 3;

/// Turns of the tasks, without the first, which warms up.
const TURNS: u32 = 3;
const QUICK_TURNS: u32 = 1;

/// Median lateness, and processor time for each deadline with a tolerance, ours over tokio's: among very many tasks the
/// driver is no worse.
const WORSE: f64 = 1.0;

/// Median lateness of one task, ours over tokio's: microseconds instead of a millisecond.
const BEAT: f64 = 0.1;

const NOTE: &str = "Millions per second, all threads together, and medians of the turns, ± half the range. ratio: ours over \
     tokio's sleep, which is polled and dropped. proc: processor time of the whole process for each deadline. p50, p99, \
     max: lateness.";

impl Plan {
    /// A minute and a half.
    pub fn run(&self, stop: &Stop) -> Result<Report, Failure> {
        let (rounds, counted) = match self.quick {
            true => (QUICK_ROUNDS, QUICK_TURNS),
            false => (ROUNDS, TURNS),
        };
        let started = THREADS.len() * Operation::ALL.len() * rounds as usize;
        let turns = Turns::new(stop, started + Asleep::ALL.len() * (counted as usize + 1));
        let mut report = Report {
            note: NOTE.to_owned(),
            ..Report::default()
        };
        self.rates(&turns, rounds, &mut report)?;
        asleep(&turns, counted, &mut report)?;
        Ok(report)
    }

    fn rates(&self, turns: &Turns, rounds: u32, report: &mut Report) -> Result<(), Failure> {
        let millions = |rate| plain::<2>(rate / 1e6);
        let mut table = Table::new(
            "rates",
            "Started and cancelled",
            vec![
                Column::words("operation", "M/s", 24),
                Column::figure("threads", "threads", 8, plain::<0>),
                Column::figure("punctual_per_second", "punctual", 16, millions),
                Column::figure("tokio_per_second", "tokio", 16, millions),
                Column::figure("ratio", "ratio", 15, plain::<2>),
            ],
        );
        let mut operations = Operation::ALL;
        for threads in THREADS {
            let taken = turns.take(&mut operations, 0, rounds, |operation, _| {
                turns.announce(format!("{threads} threads, {}", operation.name()));
                operation.per_second(threads, self.quick)
            })?;
            let tokio = &taken[Operation::TOKIO];
            for (operation, ours) in Operation::ALL.iter().zip(&taken).take(Operation::TOKIO) {
                let (name, ratio) = (operation.name(), Spread::of_ratios(ours, tokio));
                let [ours, theirs] = [ours, tokio].map(|rates| Spread::of(rates.clone()));
                table.push(row![name, threads as u64, ours, theirs, ratio]);
                let aim = format!("{name} over tokio's, threads {threads}");
                let ratio = ratio.map(|ratio| ratio.median);
                report.aims.push(Aim::new(&aim, Bound::AtLeast(1.0), ratio));
            }
        }
        report.tables.push(table);
        Ok(())
    }
}

fn asleep(turns: &Turns, counted: u32, report: &mut Report) -> Result<(), Failure> {
    let title = format!(
        "{} tasks, each asleep for half a second at a time, and one at 1 kHz",
        asleep::TASKS
    );
    let mut table = Table::new(
        "asleep",
        title,
        vec![
            Column::words("contender", "", 16),
            Column::words("how", "", 16),
            Column::figure("deadlines_per_second", "1/s", 7, plain::<0>),
            Column::figure("processor_ns_per_deadline", "proc, µs", 13, micros),
            Column::figure("p50_ns", "p50, µs", 13, whole_micros),
            Column::figure("p99_ns", "p99", 8, whole_micros),
            Column::figure("max_ns", "max", 7, whole_micros),
        ],
    );
    let mut all = Asleep::ALL;
    let taken = turns.take(&mut all, 1, counted, |asleep, _| {
        turns.announce(format!("{}, {}", asleep.contender(), asleep.how()));
        asleep.turn()
    })?;
    let slept: Option<Vec<_>> = taken.iter().map(|turns| Slept::of(turns)).collect();
    let slept = slept.unwrap_or_default();
    for (asleep, ours) in Asleep::ALL.into_iter().zip(&slept) {
        table.push(row![
            asleep.contender(),
            asleep.how(),
            ours.deadlines_per_second,
            ours.processor_ns,
            ours.p50_ns,
            ours.p99_ns,
            ours.max_ns,
        ]);
        let tokio = asleep.peer().and_then(|peer| slept.get(peer));
        report
            .aims
            .extend(tokio.map_or_else(Vec::new, |tokio| aims(asleep, ours, tokio)));
    }
    report.tables.push(table);
    Ok(())
}

/// What is reached if the driver is no worse, or a beat's lateness is microseconds and not a millisecond.
fn aims(asleep: Asleep, ours: &Slept, tokio: &Slept) -> Vec<Aim> {
    let aim = |what: &str, bound, figure: fn(&Slept) -> Spread| {
        let what = format!(
            "{what} over tokio's, {}, {}",
            asleep.contender(),
            asleep.how()
        );
        let ratio = figure(ours).median / figure(tokio).median;
        Aim::new(&what, Bound::Below(bound), Some(ratio))
    };
    match asleep {
        Asleep::Beat { .. } => vec![aim("p50", BEAT, |slept| slept.p50_ns)],
        _ => {
            let mut aims = vec![aim("p50", WORSE, |slept| slept.p50_ns)];
            // Whoever asks for more than tokio promises pays for it.
            if asleep
                .tolerance()
                .is_some_and(|tolerance| !tolerance.is_zero())
            {
                aims.push(aim("processor", WORSE, |slept| slept.processor_ns));
            }
            aims
        }
    }
}

fn whole_micros(nanos: f64) -> String {
    plain::<0>(nanos / 1e3)
}
