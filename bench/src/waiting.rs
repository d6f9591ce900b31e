//! Waiting periodically, side by side: how late, and for how much processor time.

mod aims;
mod contenders;
mod figures;
mod grid;
pub mod load;
mod matched;
mod programs;
mod schedule;
mod worse;

use crate::failure::Failure;
use crate::given::{is_among, name_of, without_repetitions};
use crate::go::Program;
use crate::report::{Column, Report, Table, micros, plain};
use crate::row;
use crate::turns::Turns;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
pub use contenders::DEFAULT_SLACK;
use contenders::{ALL, COARSE, Contender, IN_THREADS, PUNCTUAL, SPIN_SLEEP};
use figures::Figures;
use grid::{Beat, Outcome};
use load::Load;
use punctual_command::stop::Stop;
use schedule::{LONGEST_BLOCK, LONGEST_LOADED_BLOCK, Schedule};
use std::fmt;

/// What is measured.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// Takes a seventh of the time. The figures are too rough to publish.
    #[arg(long)]
    quick: bool,

    /// How many threads of a process wait; may be given several times. Each waits with a sleeper of its own.
    #[arg(
        long,
        value_name = "NUMBER",
        default_values_t = [1],
        value_parser = RangedU64ValueParser::<u32>::new().range(1..=500)
    )]
    threads: Vec<u32>,

    /// When the deadlines of several threads are; may be given several times.
    #[arg(long = "beat", value_name = "BEAT", value_enum, default_values_t = Beat::value_variants().iter().copied())]
    beats: Vec<Beat>,

    /// How many times a second to wait; may be given several times [default: 100, 1000 and 4000, or 100 with several
    /// threads]. With one thread, loads other than `idle` and `busy` are measured at 1000, or at the fastest of those
    /// given.
    #[arg(
        long = "rate",
        value_name = "HERTZ",
        value_parser = RangedU64ValueParser::<u32>::new().range(1..=10_000)
    )]
    rates: Vec<u32>,

    /// The load on the machine; may be given several times [default: all, or `idle` and `busy` with several threads].
    #[arg(long = "load", value_name = "LOAD", value_enum)]
    loads: Vec<Load>,

    /// Who takes part; may be given several times [default: everyone, or a few with several threads]. The comparison at
    /// the same late share needs everyone.
    #[arg(long = "contender", value_name = "NAME", value_parser = PossibleValuesParser::new(ALL.map(|(name, _)| name)))]
    contenders: Vec<String>,

    /// How long each contender waits under each condition, without warm-up [default: 2.5 s below 500 Hz, 2 s below
    /// 2 kHz or 10 s under load, 1 s beyond; 10 s with several threads].
    #[arg(long, value_parser = parse_seconds)]
    seconds: Option<f64>,
}

/// What everyone waits for, and beside what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Condition {
    rate_hertz: u32,
    load: Load,
    threads: u32,
    beat: Beat,
}

/// What a loaded machine does comes in bursts, and one in a hundred of 10,000 waits is known to within a
/// few tenths.
const LOADED_SECONDS: f64 = 10.0;
const THREADS_SECONDS: f64 = 10.0;

/// A quick run is this many times shorter. It shows that everything works, and little else.
const QUICK: f64 = 7.0;

/// What programs need precision at. The loads that take long to measure are measured at this.
const USUAL_HERTZ: u32 = 1_000;

const NOTE: &str = "late: over 1 µs, of the waits in %; q1, q3: quartiles of the blocks. p50, p99: lateness in µs; all: p99 of \
     all deadlines, also of those that had passed before their turn. miss: those, in %. proc: processor time in % of the \
     elapsed.";

impl Plan {
    /// Everything, or what there is time for until a signal: many minutes.
    pub fn run(&self, stop: &Stop) -> Result<Report, Failure> {
        let go = Program::build(programs::TICKER);
        let conditions = self.conditions();
        let turns = conditions.iter().map(|&condition| {
            let everyone = ALL
                .iter()
                .filter(|(name, _)| self.is_asked(name, condition));
            let matched = match self.is_matched(condition) {
                true => self.matched(condition).turns() * matched::CONTENDERS,
                false => 0,
            };
            self.schedule(condition).turns() * everyone.count() + matched
        });
        let mut run = Run {
            turns: Turns::new(stop, turns.sum()),
            report: Report {
                note: NOTE.to_owned(),
                ..Report::default()
            },
            matched: matched::table(),
            worse: worse::table(),
            compared: Vec::new(),
        };
        let mut absent = Vec::new();
        for condition in conditions {
            let mut present = Vec::new();
            for (name, make) in ALL {
                match make(condition.threads, &go) {
                    _ if !self.is_asked(name, condition) => {}
                    Ok(way) => present.push(Contender::new(name, way)),
                    Err(reason) => absent.push(format!(" Left out: {name} ({reason}).")),
                }
            }
            self.measure(condition, present, &mut run)?;
            if run.turns.are_over() {
                break;
            }
        }
        run.report.note += &without_repetitions(&absent).concat();
        Ok(run.finish())
    }

    fn conditions(&self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for threads in without_repetitions(&self.threads) {
            let (rates, loads, beats): (&[_], &[_], &[_]) = match threads {
                1 => (
                    &[100, 1_000, 4_000],
                    Load::value_variants(),
                    &[Beat::InStep],
                ),
                _ => (&[100], &[Load::Idle, Load::Busy], &self.beats),
            };
            let rates = without_repetitions(if self.rates.is_empty() {
                rates
            } else {
                &self.rates
            });
            let loads = if self.loads.is_empty() {
                loads
            } else {
                &self.loads
            };
            let usual = rates.iter().find(|&&rate| rate == USUAL_HERTZ);
            let usual = usual.or(rates.iter().max()).copied();
            for load in without_repetitions(loads) {
                for beat in without_repetitions(beats) {
                    conditions.extend(rates.iter().map(|&rate_hertz| Condition {
                        rate_hertz,
                        load,
                        threads,
                        beat,
                    }));
                }
            }
            conditions.retain(|it| {
                let is_short = it.threads > 1 || matches!(it.load, Load::Idle | Load::Busy);
                is_short || usual == Some(it.rate_hertz)
            });
        }
        conditions
    }

    fn is_asked(&self, name: &str, condition: Condition) -> bool {
        match condition.threads > 1 && self.contenders.is_empty() {
            true => IN_THREADS.contains(&name),
            false => is_among(&self.contenders, name),
        }
    }

    fn schedule(&self, condition: Condition) -> Schedule {
        let seconds = self.seconds(condition);
        let Condition {
            rate_hertz,
            load,
            threads,
            beat,
        } = condition;
        match (threads, load) {
            (1, Load::Idle) => Schedule::alone(rate_hertz, seconds, LONGEST_BLOCK),
            (1, _) => Schedule::alone(rate_hertz, seconds, LONGEST_LOADED_BLOCK),
            _ => Schedule::of_threads(rate_hertz, seconds, threads, beat),
        }
    }

    /// So that three rates idle take two minutes. Slow rates get more, because they have fewer waits to
    /// show for it, but nothing like as many as they would need to be as exact.
    fn seconds(&self, condition: Condition) -> f64 {
        let full = match condition.rate_hertz {
            _ if condition.threads > 1 => THREADS_SECONDS,
            0..500 => 2.5,
            500..2_000 if condition.load != Load::Idle => LOADED_SECONDS,
            500..2_000 => 2.0,
            _ => 1.0,
        };
        let seconds = self.seconds.unwrap_or(full);
        if self.quick { seconds / QUICK } else { seconds }
    }

    /// Where spin_sleep is asked for, and nothing but the two decides.
    fn is_matched(&self, condition: Condition) -> bool {
        condition.threads == 1 && condition.load == Load::Idle && self.contenders.is_empty()
    }

    fn matched(&self, condition: Condition) -> Schedule {
        matched::schedule(condition.rate_hertz, self.seconds(condition))
    }

    fn measure(
        &self,
        condition: Condition,
        mut contenders: Vec<Contender>,
        run: &mut Run,
    ) -> Result<(), Failure> {
        run.turns.announce(condition.to_string());
        let load = condition.load.start()?;
        let schedule = self.schedule(condition);
        let all = schedule.run(&mut contenders, &run.turns)?;
        load.iter().try_for_each(|running| running.check())?;
        drop(load);
        let names = contenders.iter().map(|contender| contender.name);
        let all: Vec<(&str, Vec<Outcome>)> = names.zip(all).collect();
        let figures = all
            .iter()
            .map(|(name, blocks)| Some((*name, Figures::of(blocks)?)));
        let Some(figures) = figures.collect::<Option<Vec<_>>>() else {
            // A signal came before everyone had waited.
            return Ok(());
        };
        run.report.tables.push(table(condition, &figures));
        let blocks = |name: &str| {
            all.iter()
                .find(|(it, _)| *it == name)
                .map(|(_, it)| &it[..])
        };
        let (ours, coarse) = (blocks(PUNCTUAL), blocks(COARSE));
        if condition.threads == 1 {
            let aims = aims::of(condition, &figures, ours.unwrap_or_default());
            run.report.aims.extend(aims);
        } else if let Some((ours, coarse)) = ours.zip(coarse) {
            let is_worse = worse::compare(condition, ours, coarse, &mut run.worse);
            run.compared.push(is_worse);
        }
        if self.is_matched(condition) {
            let (schedule, rate) = (self.matched(condition), condition.rate_hertz);
            let late = SPIN_SLEEP.map(|name| {
                let found = figures.iter().find(|(it, _)| *it == name);
                found.map_or(0.0, |(_, figures)| figures.late_share)
            });
            let aims = matched::run(rate, schedule, late, &run.turns, &mut run.matched)?;
            run.report.aims.extend(aims);
        }
        Ok(())
    }
}

/// What there is as yet.
struct Run {
    turns: Turns,
    report: Report,
    matched: Table,
    worse: Table,
    /// Whether Punctual was worse than without a spin, of each condition of several threads.
    compared: Vec<bool>,
}

impl Run {
    fn finish(mut self) -> Report {
        if !self.compared.is_empty() {
            let worse = self.compared.iter().filter(|&&is_worse| is_worse).count();
            let compared = self.compared.len();
            let answer =
                format!("Worse than the coarse wait under {worse} of {compared} conditions.");
            self.report.answer = Some(answer);
        }
        self.report.tables.extend([self.matched, self.worse]);
        self.report
    }
}

fn table(condition: Condition, rows: &[(&str, Figures)]) -> Table {
    let mut table = Table::new(
        "rows",
        condition.to_string(),
        vec![
            Column::hidden("condition"),
            Column::words("contender", "", 25),
            Column::figure("late_share", "late %", 7, percent),
            Column::figure("late_share_low", "q1", 6, short),
            Column::figure("late_share_high", "q3", 6, short),
            Column::figure("p50_ns", "p50 µs", 7, micros),
            Column::figure("p99_ns", "p99 µs", 8, micros),
            Column::figure("p99_of_deadlines_ns", "all µs", 8, micros),
            Column::figure("missed_share", "miss %", 7, percent),
            Column::figure("processor_share", "proc", 6, short),
            Column::hidden("spun_share"),
            Column::hidden("late_or_missed_share"),
            Column::hidden("max_ns"),
            Column::hidden("waits"),
        ],
    );
    for (name, figures) in rows {
        let (low, high) = figures.late_quartiles;
        table.push(row![
            condition.to_string(),
            *name,
            figures.late_share,
            low,
            high,
            figures.p50_ns,
            figures.p99_ns,
            figures.p99_of_deadlines_ns,
            figures.missed_share(),
            figures.processor_share,
            figures.spun_share,
            figures.late_or_missed_share,
            figures.max_ns,
            figures.waits,
        ]);
    }
    table
}

fn percent(share: f64) -> String {
    plain::<2>(100.0 * share)
}

fn short(share: f64) -> String {
    plain::<1>(100.0 * share)
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            rate_hertz,
            load,
            threads,
            beat,
        } = self;
        match threads {
            1 => write!(f, "{rate_hertz} Hz, {load}"),
            _ => write!(f, "{threads} {}, {rate_hertz} Hz, {load}", name_of(beat)),
        }
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    // A minute for each of fifteen contenders is a quarter of an hour at each rate and load.
    const BOUNDS: std::ops::RangeInclusive<f64> = 0.1..=60.0;
    match text.parse() {
        Ok(seconds) if BOUNDS.contains(&seconds) => Ok(seconds),
        _ => Err(format!(
            "not a number of seconds from {} to {}",
            BOUNDS.start(),
            BOUNDS.end()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        plan: Plan,
    }

    fn plan(words: &str) -> Plan {
        Words::parse_from(["bench"].into_iter().chain(words.split_whitespace())).plan
    }

    #[test]
    fn long_loads_are_measured_at_one_rate() {
        let conditions = |words| {
            let conditions = plan(words).conditions().into_iter();
            conditions.map(|it| it.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(conditions("").len(), 2 * 3 + 5);
        let given = conditions("--load idle --load mixed --rate 250 --rate 100");
        assert_eq!(given, ["250 Hz, idle", "100 Hz, idle", "250 Hz, mixed"]);
        let given = conditions("--threads 40 --beat in-step --load mixed");
        assert_eq!(given, ["40 in-step, 100 Hz, mixed"]);
        assert_eq!(conditions("--threads 2 --threads 200").len(), 2 * 3 * 2);
    }
}
