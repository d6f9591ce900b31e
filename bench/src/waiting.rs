//! Waiting periodically, side by side: how late, and for how much processor time.

mod aims;
pub mod beside;
mod contenders;
mod curve;
pub mod grid;
mod interleave;
pub mod load;
mod matched;
mod report;

use crate::failure::Failure;
use crate::given::{is_among, without_repetitions};
use crate::go::Program;
use crate::machine::{Invocation, Machine};
use crate::progress::Progress;
use crate::statistics::Figures;
use aims::Aim;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
pub use contenders::DEFAULT_SLACK;
use contenders::{Contender, Entry, GO_PROGRAM, NAMES, everyone};
use curve::Point;
use interleave::{LONGEST_BLOCK, LONGEST_LOADED_BLOCK, Schedule, Series};
use load::Load;
use matched::Match;
use serde::Serialize;
use std::time::Duration;

/// What is measured.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// Takes three minutes instead of twenty. The figures are too rough to publish.
    #[arg(long)]
    pub quick: bool,

    /// How many times a second to wait; may be given several times. Loads other than `idle` and `busy`
    /// are measured at 1000, or at the fastest of those given.
    #[arg(
        long = "rate",
        value_name = "HERTZ",
        default_values_t = [100, 1_000, 4_000],
        value_parser = RangedU64ValueParser::<u32>::new().range(1..=10_000)
    )]
    pub rates: Vec<u32>,

    /// The load on the machine; may be given several times.
    #[arg(long = "load", value_name = "LOAD", value_enum, default_values_t = Load::value_variants().iter().copied())]
    pub loads: Vec<Load>,

    /// Who takes part; may be given several times [default: everyone]. The curve, and the comparison at
    /// the same late share, need everyone.
    #[arg(long = "contender", value_name = "NAME", value_parser = PossibleValuesParser::new(NAMES))]
    pub contenders: Vec<String>,

    /// How long each contender waits at each rate and load, without warm-up [default: 2.5 s
    /// below 500 Hz, 2 s below 2 kHz or 10 s under load, 1 s beyond].
    #[arg(long, value_parser = parse_seconds)]
    pub seconds: Option<f64>,
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Report {
    pub machine: Machine,
    pub command: Invocation,
    pub rows: Vec<Row>,
    pub curve: Vec<Point>,
    pub matched: Vec<Match>,
    pub aims: Vec<Aim>,
}

/// One contender at one rate under one load.
#[derive(Debug, Serialize)]
pub struct Row {
    pub rate_hertz: u32,
    pub load: Load,
    pub contender: String,
    /// Why there are no figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(flatten)]
    pub figures: Option<Figures>,
}

/// Everybody who takes part at one rate under one load, and who could not.
struct Condition {
    rate_hertz: u32,
    load: Load,
    schedule: Schedule,
    table: usize,
    present: Vec<Box<dyn Contender>>,
    absent: Vec<Row>,
}

/// What a loaded machine does comes in bursts, and one in a hundred of 10,000 waits is known to within a
/// few tenths.
const LOADED_SECONDS: f64 = 10.0;

/// A quick run is this many times shorter. It shows that everything works, and little else.
const QUICK: f64 = 7.0;

impl Plan {
    /// Measures everything; many minutes.
    pub fn run(&self) -> Result<Report, Failure> {
        let go = Program::build(GO_PROGRAM);
        let mut conditions = Vec::new();
        for load in without_repetitions(&self.loads) {
            for rate_hertz in without_repetitions(&self.rates) {
                if self.is_measured(rate_hertz, load) {
                    conditions.push(self.condition(rate_hertz, load, &go));
                }
            }
        }
        let progress = Progress::new(self.duration(&conditions))?;
        let mut report = Report {
            machine: Machine::here(),
            command: Invocation::this(),
            rows: Vec::new(),
            curve: Vec::new(),
            matched: Vec::new(),
            aims: Vec::new(),
        };
        for condition in conditions {
            self.measure(condition, &progress, &mut report)?;
        }
        // Kind by kind, as they are read.
        report.aims.sort_by_key(|aim| aim.kind);
        Ok(report)
    }

    /// All rates idle and busy. The other loads only where the curve is drawn.
    fn is_measured(&self, rate_hertz: u32, load: Load) -> bool {
        let is_always = matches!(load, Load::Idle | Load::Busy);
        is_always || curve::rate(&self.rates) == Some(rate_hertz)
    }

    /// So that three rates idle take two minutes. Slow rates get more, because they have fewer waits to
    /// show for it, but nothing like as many as they would need to be as exact.
    fn seconds(&self, rate_hertz: u32, load: Load) -> f64 {
        let full = match rate_hertz {
            0..500 => 2.5,
            500..2_000 if load != Load::Idle => LOADED_SECONDS,
            500..2_000 => 2.0,
            _ => 1.0,
        };
        let seconds = self.seconds.unwrap_or(full);
        if self.quick { seconds / QUICK } else { seconds }
    }

    fn condition(&self, rate_hertz: u32, load: Load, go: &Program) -> Condition {
        let mut present = Vec::new();
        let mut absent = Vec::new();
        let takes_part = |name: &str| is_among(&self.contenders, name);
        for entry in everyone(go) {
            match entry {
                Entry::Present(contender) if !takes_part(&contender.name()) => {}
                Entry::Absent { name, .. } if !takes_part(&name) => {}
                Entry::Present(contender) => present.push(contender),
                Entry::Absent { name, reason } => absent.push(Row {
                    rate_hertz,
                    load,
                    contender: name,
                    note: Some(reason),
                    figures: None,
                }),
            }
        }
        let table = present.len();
        let has_curve = matches!(load, Load::Idle | Load::Busy) && self.contenders.is_empty();
        if has_curve && curve::rate(&self.rates) == Some(rate_hertz) {
            present.extend(curve::contenders());
        }
        Condition {
            rate_hertz,
            load,
            schedule: Schedule::new(
                rate_hertz,
                self.seconds(rate_hertz, load),
                longest_block(load),
            ),
            table,
            present,
            absent,
        }
    }

    /// Where spin_sleep is asked for, and nothing but the two decides.
    fn is_matched(&self, load: Load) -> bool {
        load == Load::Idle && self.contenders.is_empty()
    }

    fn duration(&self, conditions: &[Condition]) -> Duration {
        let of = |condition: &Condition| {
            let mut each = condition.schedule.duration() * count(condition.present.len());
            if self.is_matched(condition.load) {
                let seconds = self.seconds(condition.rate_hertz, condition.load);
                let schedule = matched::schedule(condition.rate_hertz, seconds);
                each += schedule.duration() * matched::CONTENDERS;
            }
            each
        };
        conditions.iter().map(of).sum()
    }

    fn measure(
        &self,
        mut condition: Condition,
        progress: &Progress,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let (rate_hertz, load) = (condition.rate_hertz, condition.load);
        progress.announce(format!("{rate_hertz} Hz, {load}"));
        let children = load.start()?;
        let all = condition.schedule.run(&mut condition.present, progress)?;
        drop(children);
        let table = &all[..condition.table];
        for series in table {
            report.rows.push(Row {
                rate_hertz,
                load,
                contender: series.contender.clone(),
                note: None,
                figures: Some(Figures::of(&series.blocks)?),
            });
        }
        report.rows.append(&mut condition.absent);
        if all.len() > table.len() {
            report.curve.extend(curve::points(rate_hertz, load, &all)?);
        }
        report.aims.extend(aims::of_table(rate_hertz, load, table)?);
        if self.is_matched(load) {
            progress.announce(format!(
                "{rate_hertz} Hz, {load}, at spin_sleep's late share"
            ));
            let schedule = matched::schedule(rate_hertz, self.seconds(rate_hertz, load));
            let matches = matched::run(rate_hertz, schedule, table, progress)?;
            report.aims.extend(matches.iter().map(Match::aim));
            report.matched.extend(matches);
        }
        Ok(())
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    // A minute for each of some thirty contenders is half an hour at each rate and load.
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

fn longest_block(load: Load) -> u32 {
    match load {
        Load::Idle => LONGEST_BLOCK,
        _ => LONGEST_LOADED_BLOCK,
    }
}

impl Series {
    /// The series of the contender of this name.
    fn find<'a>(all: &'a [Self], contender: &str) -> Result<&'a Self, Failure> {
        let found = Self::find_if_measured(all, contender);
        found.ok_or_else(|| format!("{contender} was not measured").into())
    }

    fn find_if_measured<'a>(all: &'a [Self], contender: &str) -> Option<&'a Self> {
        all.iter().find(|series| series.contender == contender)
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
