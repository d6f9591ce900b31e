//! What is in a trace, as text and tables.

use super::info::Info;
use crate::show::Show;
use punctual_data::markdown::Page;
use punctual_data::quantity::nanos;
use punctual_data::table::{Column, Table};
use punctual_data::text::{Text, heading, notes, titled};
use std::io;

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
            heading(
                out,
                "Waits that a timer ended, for explain --from FILE --thread",
            )?;
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
