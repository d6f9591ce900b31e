//! Looks into traces without explaining anything.

use crate::file::Kind;
use crate::windows::etl::{Census, Head, Log};
use crate::windows::{WindowsTrace, xperf};
use crate::{Recording, Trace};
use punctual::Error;
use punctual_data::markdown::Page;
use punctual_data::quantity::nanos;
use punctual_data::show::Show;
use punctual_data::table::{Column, Table};
use punctual_data::text::{Text, heading, notes, titled};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The schema that this version writes.
const SCHEMA: &str = "punctual.trace-info/1";

/// What is in a trace.
#[derive(Debug, Default, Serialize)]
pub struct Info {
    schema: &'static str,
    punctual_version: &'static str,
    /// The name of the file.
    pub file: String,
    /// What kind of file it is.
    pub kind: &'static str,
    /// What it says of where it was recorded, a line each.
    pub about: Vec<String>,
    /// What is missing from it or could not be read, a sentence each.
    pub missing: Vec<String>,
    /// Which process asked for a timer interval.
    pub requests: Vec<Request>,
    /// Programs, and how many of their waits a timer ended, the most first.
    pub timed_waits: Vec<(String, u64)>,
    /// Kinds of events and how many there are, the most first.
    pub events: Vec<(String, u64)>,
}

/// A request for a timer interval.
#[derive(Debug, Serialize)]
pub struct Request {
    /// The interval, in nanoseconds.
    pub interval_ns: u64,
    /// The program that asked.
    pub program: String,
    /// Its process.
    pub process_id: u32,
}

impl Info {
    /// Looks into the bytes of a file.
    ///
    /// # Errors
    /// [`Error`] if they are no trace, or one that cannot be read.
    pub fn of(file: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let mut info = Self {
            schema: SCHEMA,
            punctual_version: env!("CARGO_PKG_VERSION"),
            file: file.display().to_string(),
            ..Self::default()
        };
        match Kind::of(bytes)? {
            Kind::Recording => info.add_recording(&Recording::read(bytes)?)?,
            Kind::Log => info.add_log(&Log::read(bytes)?),
            Kind::Text => {
                info.kind = "text of a Windows trace";
                info.events = most_first(xperf::kinds(bytes));
                info.add_waits(&WindowsTrace::of_text(bytes)?);
            }
        }
        Ok(info)
    }

    fn add_log(&mut self, log: &Log) {
        self.kind = "log of Windows";
        self.about = about(log.head());
        self.missing = missing(log.head(), log.census());
        let requests = log.requests().map(|request| Request {
            interval_ns: request.interval_ns,
            program: request.program.clone(),
            process_id: request.process,
        });
        self.requests = requests.collect();
        let events = log.census().events().into_iter();
        self.events = events
            .map(|(class, count)| (class.to_string(), count))
            .collect();
        match WindowsTrace::of_log(log) {
            Ok(trace) => self.add_waits(&trace),
            // It can be looked into all the same.
            Err(error) => self.missing.push(error.to_string()),
        }
    }

    fn add_waits(&mut self, trace: &WindowsTrace) {
        let waits = trace.timed_waits().into_iter();
        let waits = waits.filter(|&(_, count)| count > 0);
        self.timed_waits = most_first(waits.map(|(name, count)| (name, count as u64)));
        if let Some(first) = &trace.unread().first {
            let count = trace.unread().count;
            self.missing.push(format!(
                "lines that could not be read: {count}; the first: {first}"
            ));
        }
    }

    fn add_recording(&mut self, recording: &Recording) -> Result<(), Error> {
        self.kind = "trace of Linux";
        self.about = vec![
            recording.head.subject.clone(),
            format!("recorded by punctual {}", recording.head.punctual_version),
        ];
        if recording.head.was_full {
            self.missing
                .push("the trace was full before the recording ended".to_owned());
        }
        let explained = recording.explain()?;
        let trace = &explained.trace;
        self.events = most_first(kinds(trace));
        let mut waits: BTreeMap<String, u64> = BTreeMap::new();
        for wake_up in &explained.wake_ups {
            let name = trace
                .names
                .thread_name(wake_up.wait.thread, wake_up.wait.woke);
            *waits.entry(name).or_default() += 1;
        }
        self.timed_waits = most_first(waits);
        Ok(())
    }
}

fn about(head: &Head) -> Vec<String> {
    let (major, minor, build) = head.windows;
    let bits = if head.is_wide { 64 } else { 32 };
    let resolution = f64::from(head.timer_resolution) / 10_000.0;
    vec![
        format!("Windows {major}.{minor} build {build}, {bits}-bit"),
        format!("processors: {}", head.processors),
        format!("default timer interval: {resolution} ms"),
    ]
}

fn missing(head: &Head, census: &Census) -> Vec<String> {
    let counts = [
        (u64::from(head.events_lost), "events that were lost"),
        (u64::from(head.buffers_lost), "buffers that were lost"),
        (
            u64::from(head.buffers_written).saturating_sub(census.buffers),
            "buffers that the file ends before",
        ),
        (
            census.buffers_after_losses,
            "buffers before which events are missing",
        ),
        (
            census.packed_buffers,
            "buffers that are compressed in a way that is not read",
        ),
        (
            census.unread_records,
            "records of processors, threads or processes that could not be read",
        ),
        (census.unread_bytes, "bytes that are no record"),
    ];
    let present = counts.into_iter().filter(|&(count, _)| count > 0);
    present
        .map(|(count, what)| format!("{what}: {count}"))
        .collect()
}

/// The events of a trace by what they tell.
fn kinds(trace: &Trace) -> BTreeMap<String, u64> {
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    for event in trace.events() {
        *kinds.entry(event.kind.name().to_owned()).or_default() += 1;
    }
    kinds
}

fn most_first(counts: impl IntoIterator<Item = (String, u64)>) -> Vec<(String, u64)> {
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by(|(one, first), (other, second)| second.cmp(first).then(one.cmp(other)));
    counts
}

// What is in a trace, as text and tables.

/// The widths of columns: an interval, a count, and a process's id.
const INTERVAL: usize = 11;
const COUNT: usize = 12;
const ID: usize = 12;

/// How many programs and kinds of events a terminal shows. The other formats have all.
const MOST: usize = 20;

impl Show for Info {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        titled(out, &format!("{}: {}", self.file, self.kind))?;
        for line in &self.about {
            writeln!(out, "  {line}")?;
        }
        if !self.requests.is_empty() {
            heading(out, "Requests for a timer interval")?;
            requests(self).text(out)?;
        }
        if !self.timed_waits.is_empty() {
            heading(out, "Waits that a timer ended, for --thread")?;
            programs(self, MOST).text(out)?;
            rest(out, self.timed_waits.len())?;
        }
        heading(out, "Events")?;
        events(self, MOST).text(out)?;
        rest(out, self.events.len())?;
        notes(out, &self.missing)
    }

    fn page(&self) -> Page {
        let mut tables = vec![("Events".to_owned(), events(self, usize::MAX))];
        if !self.timed_waits.is_empty() {
            let title = "Waits that a timer ended".to_owned();
            tables.push((title, programs(self, usize::MAX)));
        }
        if !self.requests.is_empty() {
            let title = "Requests for a timer interval".to_owned();
            tables.push((title, requests(self)));
        }
        Page {
            title: format!("{}: {}", self.file, self.kind),
            tables,
            remarks: [&self.about[..], &self.missing].concat(),
            ..Page::default()
        }
    }

    fn sheet(&self) -> Table {
        events(self, usize::MAX)
    }
}

/// How many lines a terminal does not show.
fn rest(out: &mut Text, all: usize) -> io::Result<()> {
    match all.checked_sub(MOST) {
        Some(more @ 1..) => writeln!(out, "{:COUNT$}  and {more} more (--csv or --json)", ""),
        _ => Ok(()),
    }
}

fn events(info: &Info, most: usize) -> Table {
    let columns = [Column::right("count", COUNT), Column::left("  event", 0)];
    let rows = info.events.iter().take(most);
    Table::of(columns.to_vec())
        .with(rows.map(|(event, count)| vec![count.to_string(), format!("  {event}")]))
}

fn programs(info: &Info, most: usize) -> Table {
    let columns = [Column::right("waits", COUNT), Column::left("  program", 0)];
    let rows = info.timed_waits.iter().take(most);
    Table::of(columns.to_vec())
        .with(rows.map(|(name, count)| vec![count.to_string(), format!("  {name}")]))
}

fn requests(info: &Info) -> Table {
    let columns = [
        Column::right("interval", INTERVAL),
        Column::right("process", ID),
        Column::left("  program", 0),
    ];
    Table::of(columns.to_vec()).with(info.requests.iter().map(|request| {
        let process = request.process_id.to_string();
        let program = format!("  {}", request.program);
        vec![nanos(request.interval_ns), process, program]
    }))
}
