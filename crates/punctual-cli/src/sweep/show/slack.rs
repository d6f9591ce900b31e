//! A sweep of timer slack: a table, and the curve.

use super::ms;
use crate::show::Show;
use crate::sweep::words_about_slack;
use punctual_data::chart::{self, Chart, WIDTH};
use punctual_data::distribution::{Distribution, columns};
use punctual_data::markdown::Page;
use punctual_data::quantity::nanos;
use punctual_data::table::{Column, Table};
use punctual_data::text::{Text, heading};
use punctual_lab::slack::{Row, SlackSweep};
use std::io;

const RELATIVE: char = 'o';
const ABSOLUTE: char = 'x';
const P99: char = '.';

impl Show for SlackSweep {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        let rows = measured(self);
        if rows.is_empty() {
            return writeln!(out, "Stopped before anything was measured.");
        }
        heading(out, &title(self))?;
        // The names of the calls, above their columns. In the columns' own names they would be too
        // long for 80 columns.
        writeln!(
            out,
            "{:>9}  {:>20}{:>32}",
            "", "nanosleep", "clock_nanosleep"
        )?;
        table(&rows, ["", ""]).text(out)?;
        writeln!(out, "{LEGEND}")?;
        heading(out, "What a sleep took in ms, by the slack")?;
        picture(out, &rows)
    }

    fn page(&self) -> Page {
        let table = table(&measured(self), CALLS);
        Page {
            tables: vec![(LEGEND.trim_end_matches('.').to_owned(), table)],
            command: Some(words_about_slack(&self.question).to_string()),
            ..Page::of(title(self), self.environment.lines())
        }
    }

    fn sheet(&self) -> Table {
        let sheet = Table::sheet("slack_ns sleep_ns").and(columns("nanosleep"));
        sheet
            .and(columns("clock_nanosleep"))
            .with(measured(self).into_iter().map(|row| {
                let fixed = [row.slack_ns, self.sleep_ns].map(|nanos| nanos.to_string());
                let summaries = [&row.nanosleep, &row.clock_nanosleep];
                let summaries = summaries.into_iter().flat_map(Distribution::exact);
                fixed.into_iter().chain(summaries).collect()
            }))
    }
}

const LEGEND: &str = "In ms, except the slack. nanosleep gets a time, clock_nanosleep an instant.";

/// The beginning of the columns' names if there is room.
const CALLS: [&str; 2] = ["nanosleep ", "clock_nanosleep "];

fn measured(swept: &SlackSweep) -> Vec<&Row> {
    let has_data = |row: &&Row| !row.nanosleep.histogram.counts_by_ns.is_empty();
    swept.rows.iter().filter(has_data).collect()
}

fn title(swept: &SlackSweep) -> String {
    format!(
        "Sleeping {} on this machine, by the thread's timer slack{}",
        nanos(swept.sleep_ns),
        if swept.interrupted {
            " (stopped early)"
        } else {
            ""
        }
    )
}

fn table(rows: &[&Row], calls: [&str; 2]) -> Table {
    /// The first column of a call is set apart from the column before it.
    const STATISTICS: [(&str, usize); 3] = [("mean", 12), ("p50", 10), ("p99", 10)];
    let mut columns = vec![Column::right("slack", 9)];
    for call in calls {
        let named = STATISTICS.map(|(name, width)| Column::right(&format!("{call}{name}"), width));
        columns.extend(named);
    }
    Table::of(columns).with(rows.iter().map(|row| {
        let figures = |summary: &Distribution| {
            let nanos = [summary.mean_ns, summary.p50_ns, summary.p99_ns];
            nanos.map(|nanos| format!("{:.3}", ms(nanos)))
        };
        let slack = nanos(row.slack_ns);
        let figures = [figures(&row.nanosleep), figures(&row.clock_nanosleep)];
        [slack]
            .into_iter()
            .chain(figures.into_iter().flatten())
            .collect()
    }))
}

fn picture(out: &mut Text, rows: &[&Row]) -> io::Result<()> {
    /// The room for a label, with some space: `50.0 µs`.
    const WIDEST: usize = 9;
    let room = (WIDTH / rows.len()).clamp(1, WIDEST);
    let means = rows
        .iter()
        .flat_map(|row| [row.nanosleep.mean_ns, row.clock_nanosleep.mean_ns]);
    let (least, most) = means.fold((f64::INFINITY, 0.0_f64), |(least, most), nanos| {
        (least.min(ms(nanos)), most.max(ms(nanos)))
    });
    let (bottom, top) = chart::range(least, most);
    let mut chart = Chart::new(bottom, top, room * rows.len());
    for (number, row) in rows.iter().enumerate() {
        // Side by side if there is room, so that none hides another.
        let column = |place: usize| number * room + place.min(room - 1);
        chart.mark(column(0), ms(row.nanosleep.mean_ns), RELATIVE);
        chart.mark(column(1), ms(row.clock_nanosleep.mean_ns), ABSOLUTE);
        chart.mark(column(2), ms(row.nanosleep.p99_ns), P99);
    }
    let mut labels = String::new();
    for (number, row) in rows.iter().enumerate() {
        let length = labels.chars().count();
        if length <= number * room {
            labels += &" ".repeat(number * room - length);
            labels += &nanos(row.slack_ns);
            labels.push(' ');
        }
    }
    chart.write(out, &labels)?;
    writeln!(
        out,
        "{:>7}{RELATIVE} mean of nanosleep   {ABSOLUTE} mean of clock_nanosleep   {P99} p99 of nanosleep",
        ""
    )
}
