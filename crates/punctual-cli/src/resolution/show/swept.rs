//! A sweep: a picture of all requests, a table of the best, and the recommended one.

use super::{machine_and_company, ms, title};
use crate::resolution::words;
use crate::show::{Show, confidence};
use punctual_data::chart::{self, Chart, WIDTH};
use punctual_data::distribution::columns;
use punctual_data::markdown::Page;
use punctual_data::table::{Column, Table};
use punctual_data::text::{self, Text, note, wrapped};
use punctual_lab::resolution::recording::Swept;
use punctual_lab::resolution::sweep::{self, Row};
use std::io;

/// With more rows than this, the table shows the best of them and both ends.
const MOST_ROWS: usize = 20;
const BEST_ROWS: usize = 10;

const MEAN: char = 'o';
const P99: char = '.';

impl Show for Swept {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        let Some(what) = what(self) else {
            return writeln!(out, "Stopped before anything was measured.");
        };
        title(out, &what)?;
        picture(out, &self.rows)?;
        title(out, &title_of_table(self))?;
        table(self).text(out)?;
        writeln!(out, "{LEGEND}")?;
        if let Some(recommended) = recommendation(self) {
            writeln!(out)?;
            for line in wrapped(&recommended, text::WIDTH) {
                writeln!(out, "{line}")?;
            }
        }
        if let Some(confidence) = &self.confidence {
            confidence::write(out, &[(MEANS, confidence)])?;
        }
        for (index, remark) in remarks(self).into_iter().enumerate() {
            if index == 0 {
                writeln!(out)?;
            }
            note(out, remark)?;
        }
        Ok(())
    }

    fn page(&self) -> Page {
        let recommended = recommendation(self);
        let remarks = remarks(self).into_iter().map(str::to_owned);
        let said: Vec<_> = self.confidence.iter().map(|said| (MEANS, said)).collect();
        let legend = format!("{}. {LEGEND}", title_of_table(self));
        Page {
            tables: vec![(legend, table(self))],
            remarks: recommended
                .into_iter()
                .chain(remarks)
                .chain(confidence::remarks(&said))
                .collect(),
            command: Some(words(&self.question).to_string()),
            ..Page::of(what(self).unwrap_or_default(), self.environment.lines())
        }
    }

    fn sheet(&self) -> Table {
        let names = "requested_ns interval_ns deviation_ns recommended";
        let sheet = Table::sheet(names).and(columns("sleep_1"));
        sheet.with(self.rows.iter().map(|row| {
            let fixed = [
                row.requested_ns.to_string(),
                row.interval_ns.to_string(),
                row.deviation_ns.to_string(),
                (Some(row.requested_ns) == self.recommended_ns).to_string(),
            ];
            fixed.into_iter().chain(row.sleep_1.exact()).collect()
        }))
    }
}

/// What the confidence is about.
const MEANS: &str = "the means";

const LEGEND: &str = "Times in ms; in force: the interval, from NtQueryTimerResolution";

/// `None` if the sweep is empty.
fn what(swept: &Swept) -> Option<String> {
    let (first, last) = (swept.rows.first()?, swept.rows.last()?);
    Some(format!(
        "Sleep(1) under requests of {} to {}{}, {} times each",
        ms(first.requested_ns),
        ms(last.requested_ns),
        machine_and_company(swept.question.on.as_ref(), &swept.question.with),
        swept.question.sleeps
    ))
}

fn title_of_table(swept: &Swept) -> String {
    let rows = swept.rows.len();
    if rows > MOST_ROWS {
        format!("The best of {rows}, and both ends")
    } else {
        "The same as a table".to_owned()
    }
}

/// Milliseconds.
fn value(nanos: u64) -> f64 {
    nanos as f64 / 1e6
}

fn picture(out: &mut Text, rows: &[Row]) -> io::Result<()> {
    /// The most columns per request.
    const WIDEST: usize = 6;
    let room = (WIDTH / rows.len()).clamp(1, WIDEST);
    let columns = (rows.len() * room).min(WIDTH);
    let means = || rows.iter().map(|row| value(row.sleep_1.mean_ns));
    let least = means().fold(f64::INFINITY, f64::min);
    let most = means().fold(0.0, f64::max);
    // A single late wake-up must not flatten the means. Larger values stand at the edge.
    let p99s = rows.iter().map(|row| value(row.sleep_1.p99_ns));
    let highest = p99s.fold(most, f64::max).min(most * 1.5);
    let (bottom, top) = chart::range(least, highest);
    let mut chart = Chart::new(bottom, top, columns);
    let column = |index: usize| index * columns / rows.len();
    for (index, row) in rows.iter().enumerate() {
        chart.mark(column(index), value(row.sleep_1.p99_ns), P99);
    }
    // Drawn over the tails: if the two are equal, the mean is visible.
    for (index, row) in rows.iter().enumerate() {
        chart.mark_over(column(index), value(row.sleep_1.mean_ns), MEAN);
    }
    chart.write(out, &labels(rows, columns))?;
    writeln!(
        out,
        "{:>7}{MEAN} mean, {P99} p99 where it differs, of Sleep(1) in ms, by the request",
        ""
    )
}

/// The requests below the axis, if there is room for them.
fn labels(rows: &[Row], columns: usize) -> String {
    /// The distance of two labels: `0.502` and some space.
    const ROOM: usize = 10;
    let mut line = String::new();
    for column in (0..columns).step_by(ROOM) {
        // The first request at this column or after it. If there are few requests, there may be
        // none.
        let Some(row) = rows.get((column * rows.len()).div_ceil(columns)) else {
            break;
        };
        let gap = column.saturating_sub(line.len());
        line += &" ".repeat(gap);
        line += &value(row.requested_ns).to_string();
    }
    line
}

fn table(swept: &Swept) -> Table {
    let rows = &swept.rows;
    let mut shown: Vec<&Row> = rows.iter().collect();
    if rows.len() > MOST_ROWS {
        shown.sort_by_key(|row| (row.sleep_1.mean_ns, row.deviation_ns));
        shown.truncate(BEST_ROWS);
        let is_kept = |row: &&Row| Some(row.requested_ns) == swept.recommended_ns;
        let ends = [rows.first(), rows.last()].into_iter().flatten();
        let more = ends.chain(rows.iter().filter(is_kept));
        shown.extend(more.collect::<Vec<_>>());
        shown.sort_by_key(|row| row.requested_ns);
        shown.dedup_by_key(|row| row.requested_ns);
    }
    let figures = ["in force", "mean", "deviation", "p99"].map(|name| Column::right(name, 12));
    let mut columns = vec![Column::right("requested", 11)];
    columns.extend(figures);
    // The recommended row has a mark after it.
    columns.push(Column::right("max   ", 15));
    Table::of(columns).with(shown.into_iter().map(|row| {
        let figures = [
            row.requested_ns,
            row.interval_ns,
            row.sleep_1.mean_ns,
            row.deviation_ns,
            row.sleep_1.p99_ns,
            row.sleep_1.max_ns,
        ];
        let mut cells = figures.map(|nanos| format!("{:.4}", value(nanos))).to_vec();
        let is_recommended = Some(row.requested_ns) == swept.recommended_ns;
        cells[5] += if is_recommended { "  <" } else { "   " };
        cells
    }))
}

fn recommendation(swept: &Swept) -> Option<String> {
    let best = swept.recommended_ns?;
    let row = swept.rows.iter().find(|row| row.requested_ns == best);
    let mean = row.map_or(0, |row| row.sleep_1.mean_ns);
    Some(format!(
        "recommended: {}; Sleep(1) then takes {:.4} ms (the shortest mean; \
         among means within 1 %, the smallest deviation)",
        ms(best),
        value(mean)
    ))
}

fn remarks(swept: &Swept) -> Vec<&'static str> {
    let without_effect = "no request changed the interval in force: another program requests less \
                          (try 'punctual resolution who'), or the system honours none, as Wine does";
    let stopped = "stopped early: later requests were not tried";
    let mut remarks = Vec::new();
    if sweep::is_without_effect(&swept.rows) {
        remarks.push(without_effect);
    }
    if swept.interrupted {
        remarks.push(stopped);
    }
    remarks
}
