//! A sweep of timer slack: a table, and the curve.

use super::super::chart::{self, Chart, WIDTH};
use super::{heading, ms};
use crate::quantity;
use punctual_lab::recording::Summary;
use punctual_lab::slack::{Row, SlackSweep};
use std::io::{self, Write};
use std::time::Duration;

const RELATIVE: char = 'o';
const ABSOLUTE: char = 'x';
const P99: char = '.';

/// Writes all of it.
pub fn slack_sweep(mut out: &mut dyn Write, swept: &SlackSweep) -> io::Result<()> {
    let has_data = |row: &&Row| !row.nanosleep.histogram.counts_by_ns.is_empty();
    let rows: Vec<_> = swept.rows.iter().filter(has_data).collect();
    if rows.is_empty() {
        return writeln!(out, "Stopped before anything was measured.");
    }
    heading(
        &mut out,
        &format!(
            "Sleeping {} on this machine, by the thread's timer slack{}",
            quantity::show(Duration::from_nanos(swept.sleep_ns)),
            if swept.interrupted {
                " (stopped early)"
            } else {
                ""
            }
        ),
    )?;
    table(out, &rows)?;
    heading(&mut out, "What a sleep took in ms, by the slack")?;
    picture(out, &rows)
}

fn table(out: &mut dyn Write, rows: &[&Row]) -> io::Result<()> {
    writeln!(
        out,
        "{:>9}  {:>20}{:>32}",
        "", "nanosleep", "clock_nanosleep"
    )?;
    let head = format!("{:>10}{:>10}{:>10}", "mean", "p50", "p99");
    writeln!(out, "{:>9}  {head}  {head}", "slack")?;
    for row in rows {
        let figures = |summary: &Summary| {
            let nanos = [summary.mean_ns, summary.p50_ns, summary.p99_ns];
            nanos.map(|nanos| format!("{:>10.3}", ms(nanos))).concat()
        };
        writeln!(
            out,
            "{:>9}  {}  {}",
            quantity::show(Duration::from_nanos(row.slack_ns)),
            figures(&row.nanosleep),
            figures(&row.clock_nanosleep)
        )?;
    }
    writeln!(
        out,
        "All but the slack in ms. One is asked for a time, the other for an instant."
    )
}

fn picture(out: &mut dyn Write, rows: &[&Row]) -> io::Result<()> {
    /// Columns that a label takes, with some air: `50.0 µs`.
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
        // Side by side where there is room, so that none hides another.
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
            labels += &quantity::show(Duration::from_nanos(row.slack_ns));
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
