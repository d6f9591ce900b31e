//! Explaining: how fast traces are read, and what it costs a loop to be traced.

use crate::beside::{self, Beside};
use crate::failure::Failure;
use crate::os::Meter;
use crate::report::{Aim, Bound, Column, Report, Table, plain};
use crate::row;
use crate::statistics::{Spread, per_second};
use crate::turns::Turns;
use punctual_command::stop::Stop;
use punctual_trace::Recording;
use punctual_trace::tracefs::{Raw, decode};
use std::{env, fs, mem};

/// What is measured.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct Plan {
    /// Takes six seconds. The figures are too rough to publish.
    #[arg(long)]
    pub quick: bool,
}

/// The recording that is read, of a machine that was busy; it comes with Punctual.
const RECORDING: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../crates/punctual-trace/tests/traces/busy.trace"
);

/// How often it is put behind itself, so that it is larger than any cache: a quarter of a million events.
const COPIES: u64 = 100;

/// Events per second, in millions.
const LEAST_MILLIONS: f64 = 3.0;

/// How often reading is measured, and how often the loop gets its turn with a trace and without.
const REPETITIONS: u32 = 7;
const ROUNDS: u32 = 20;
const QUICK_ROUNDS: u32 = 5;

impl Plan {
    /// Half a minute.
    pub fn run(&self, stop: &Stop) -> Result<Report, Failure> {
        let rounds = if self.quick { QUICK_ROUNDS } else { ROUNDS };
        let turns = Turns::new(stop, 2 * (REPETITIONS + rounds) as usize);
        let mut report = Report::default();
        reading(&turns, &mut report)?;
        let all = [Beside::Nothing, Beside::Trace];
        if let Err(error) = beside::compare(&all, &env::temp_dir(), rounds, &turns, &mut report) {
            report.note = format!("The cost of a trace was not measured: {error}");
        }
        Ok(report)
    }
}

/// From the kernel's pages to events in order, and to explained wake-ups.
fn reading(turns: &Turns, report: &mut Report) -> Result<(), Failure> {
    turns.announce("reading");
    let mut recording = Recording::read(&fs::read(RECORDING)?)?;
    recording.raw = repeated(&recording.raw)?;
    let events = decode(&recording.raw)?.events().len() as u64;
    let bytes = recording
        .raw
        .pages
        .iter()
        .map(|(_, pages)| pages.len() as u64)
        .sum::<u64>();
    let mut contenders = ["events", "explained wake-ups"];
    let taken = turns.take(&mut contenders, 0, REPETITIONS, |to, _| {
        let start = Meter::Thread.read();
        match *to {
            "events" => drop(decode(&recording.raw)?),
            _ => drop(recording.explain()?),
        }
        Ok(per_second(
            events,
            Meter::Thread.read().saturating_sub(start),
        ))
    })?;
    let mut table = Table::new(
        "reading",
        format!(
            "{events} events in {:.1} MB, by processor time",
            bytes as f64 / 1e6
        ),
        vec![
            Column::words("to", "from pages to", 20),
            Column::figure("events_per_second", "million events/s", 20, |rate| {
                plain::<2>(rate / 1e6)
            }),
        ],
    );
    for (to, rates) in ["events", "explained wake-ups"].into_iter().zip(taken) {
        let rate = Spread::of(rates);
        table.push(row![to, rate]);
        if to == "events" {
            let millions = rate.map(|rate| rate.median / 1e6);
            let what = "million events read a second";
            report
                .aims
                .push(Aim::new(what, Bound::AtLeast(LEAST_MILLIONS), millions));
        }
    }
    report.tables.push(table);
    Ok(())
}

/// The same pages again and again, each time later: a page begins with its time.
fn repeated(raw: &Raw) -> Result<Raw, Failure> {
    let trace = decode(raw)?;
    let ends = trace.events().first().zip(trace.events().last());
    let (first, last) = ends.ok_or("the recording has no events")?;
    let length = last.at.as_nanos() - first.at.as_nanos() + 1;
    let mut repeated = raw.clone();
    for (_, pages) in &mut repeated.pages {
        let once = mem::take(pages);
        for copy in 0..COPIES {
            for page in once.chunks(raw.page_bytes) {
                let (time, rest) = page.split_first_chunk().ok_or("a page has no time")?;
                let later = u64::from_le_bytes(*time) + copy * length;
                pages.extend(later.to_le_bytes());
                pages.extend(rest);
            }
        }
    }
    Ok(repeated)
}
