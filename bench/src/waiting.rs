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
use clap::builder::PossibleValuesParser;
use clap::{ValueEnum, value_parser};
pub use contenders::DEFAULT_SLACK;
use contenders::{ALL, COARSE, Contender, IN_THREADS, PUNCTUAL, SPIN_SLEEP};
use figures::Figures;
use grid::{Beat, Outcome};
use load::Load;
use punctual_command::stop::Stop;
use schedule::Schedule;
use std::fmt;

/// What is measured.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// Takes a seventh of the time. The figures are too rough to publish.
    #[arg(long)]
    quick: bool,

    /// How many threads of a process wait; may be given several times. Each waits with a sleeper of its own.
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = value_parser!(u32).range(1..=500))]
    threads: Vec<u32>,

    /// When the deadlines of several threads are; may be given several times [default: all].
    #[arg(long = "beat", value_name = "BEAT", value_enum)]
    beats: Vec<Beat>,

    /// How many times a second to wait; may be given several times [default: 100, 1000 and 4000, or 100 with several
    /// threads]. With one thread, loads other than `idle` and `busy` are measured at 1000, or at the fastest of those
    /// given.
    #[arg(long = "rate", value_name = "HERTZ", value_parser = value_parser!(u32).range(1..=10_000))]
    rates: Vec<u32>,

    /// The load on the machine; may be given several times [default: all, or `idle` and `busy` with several threads].
    #[arg(long = "load", value_name = "LOAD", value_enum)]
    loads: Vec<Load>,

    /// Who takes part; may be given several times [default: everyone, or a few with several threads]. The comparison at
    /// the same late share needs everyone.
    #[arg(long = "contender", value_name = "NAME", value_parser = PossibleValuesParser::new(ALL.map(|(name, _)| name)))]
    contenders: Vec<String>,

    /// How many seconds each contender waits under each condition, without warm-up [default: 2.5 below 500 Hz, 2 below
    /// 2 kHz or 10 under load, 1 beyond; 10 with several threads].
    #[arg(long, value_name = "NUMBER", value_parser = value_parser!(u32).range(1..=60))]
    seconds: Option<u32>,
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

/// A quick run is this many times shorter. It shows that everything works, and little else.
const QUICK: f64 = 7.0;

/// With several threads only the first.
const RATES: [u32; 3] = [100, 1_000, 4_000];

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
            let everyone = ALL.iter().filter(|(it, _)| self.is_asked(it, condition));
            let matched = match self.is_matched(condition) {
                true => self.schedule(condition, matched::LONGER).turns() * matched::CONTENDERS,
                false => 0,
            };
            self.schedule(condition, 1.0).turns() * everyone.count() + matched
        });
        let turns = Turns::new(stop, turns.sum());
        let mut report = Report::default();
        let (mut absent, mut compared) = (Vec::new(), Vec::new());
        for condition in conditions {
            let asked = ALL.iter().filter(|(it, _)| self.is_asked(it, condition));
            let made = asked.map(|&(name, peer)| {
                let way = peer.way(condition.threads, &go);
                way.map(|way| Contender::new(name, way))
                    .map_err(|reason| format!(" Left out: {name} ({reason})."))
            });
            let (present, missing): (Vec<_>, Vec<_>) = made.partition(Result::is_ok);
            absent.extend(missing.into_iter().filter_map(Result::err));
            let present = present.into_iter().flatten().collect();
            let schedule = self.schedule(condition, 1.0);
            let all = measure(condition, "", present, schedule, &turns, &mut report)?;
            let [ours, coarse] = [PUNCTUAL, COARSE].map(|name| Measured::find(&all, name));
            if condition.threads == 1 {
                report.aims.extend(aims::of(condition, &all));
            } else if let Some((ours, coarse)) = ours.zip(coarse) {
                compared.push(worse::aim(condition, &ours.blocks, &coarse.blocks));
            }
            if self.is_matched(condition) {
                let late =
                    |name| Measured::find(&all, name).map_or(0.0, |it| it.figures.late_share);
                let contenders = matched::contenders(SPIN_SLEEP.map(late))?;
                let schedule = self.schedule(condition, matched::LONGER);
                let title = ", punctual asked for the late share of spin_sleep above it";
                let all = measure(condition, title, contenders, schedule, &turns, &mut report)?;
                report.aims.extend(matched::aims(condition, &all));
            }
            if turns.are_over() {
                break;
            }
        }
        if !compared.is_empty() {
            let worse = compared.iter().filter(|aim| !aim.reached).count();
            let of = compared.len();
            let answer = format!("Worse than the coarse wait under {worse} of {of} conditions.");
            report.answer = Some(answer);
            report.aims.extend(compared);
        }
        report.note = NOTE.to_owned() + &without_repetitions(&absent).concat();
        Ok(report)
    }

    fn conditions(&self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for threads in without_repetitions(&self.threads) {
            let (rates, loads, beats): (&[_], &[_], &[_]) = match threads {
                1 => (&RATES, Load::value_variants(), &[Beat::InStep]),
                _ => (
                    &RATES[..1],
                    &[Load::Idle, Load::Busy],
                    &or(&self.beats, Beat::value_variants()),
                ),
            };
            let rates = or(&self.rates, rates);
            let usual = rates.iter().find(|&&rate| rate == USUAL_HERTZ);
            let usual = usual.or(rates.iter().max()).copied();
            for load in or(&self.loads, loads) {
                for &beat in beats {
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

    /// So that three rates idle take two minutes. Slow rates get more, because they have fewer waits to
    /// show for it, but nothing like as many as they would need to be as exact.
    fn schedule(&self, condition: Condition, longer: f64) -> Schedule {
        let full = match condition.rate_hertz {
            _ if condition.threads > 1 => LOADED_SECONDS,
            0..500 => 2.5,
            500..2_000 if condition.load != Load::Idle => LOADED_SECONDS,
            500..2_000 => 2.0,
            _ => 1.0,
        };
        let seconds = longer * self.seconds.map_or(full, f64::from);
        Schedule::new(
            condition,
            if self.quick { seconds / QUICK } else { seconds },
        )
    }

    /// Where spin_sleep is asked for, and nothing but the two decides.
    fn is_matched(&self, condition: Condition) -> bool {
        condition.threads == 1 && condition.load == Load::Idle && self.contenders.is_empty()
    }
}

/// What was given, or else this.
fn or<T: PartialEq + Clone>(given: &[T], default: &[T]) -> Vec<T> {
    match given {
        [] => default.to_vec(),
        given => without_repetitions(given),
    }
}

/// What became of one contender.
struct Measured {
    name: &'static str,
    blocks: Vec<Outcome>,
    figures: Figures,
}

impl Measured {
    fn find<'a>(all: &'a [Self], name: &str) -> Option<&'a Self> {
        all.iter().find(|it| it.name == name)
    }
}

/// Adds a table to the report. Nobody was measured if a signal came before everyone had waited.
fn measure(
    condition: Condition,
    title: &str,
    mut contenders: Vec<Contender>,
    schedule: Schedule,
    turns: &Turns,
    report: &mut Report,
) -> Result<Vec<Measured>, Failure> {
    let title = format!("{condition}{title}");
    turns.announce(&title);
    let load = condition.load.start()?;
    let all = schedule.run(&mut contenders, turns)?;
    load.iter().try_for_each(|running| running.check())?;
    let measured = contenders.iter().zip(all).map(|(contender, blocks)| {
        Some(Measured {
            name: contender.name,
            figures: Figures::of(&blocks)?,
            blocks,
        })
    });
    let measured = measured.collect::<Option<Vec<_>>>().unwrap_or_default();
    report.tables.push(table(title, &measured));
    Ok(measured)
}

fn table(title: String, rows: &[Measured]) -> Table {
    let mut table = Table::new(
        "rows",
        title.clone(),
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
    for Measured { name, figures, .. } in rows {
        let (low, high) = figures.late_quartiles;
        table.push(row![
            &title[..],
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
        if self.threads > 1 {
            write!(f, "{} {}, ", self.threads, name_of(&self.beat))?;
        }
        write!(f, "{} Hz, {}", self.rate_hertz, self.load)
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
