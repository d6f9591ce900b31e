//! A sweep: a picture of all requests, a table of the best, and which to prefer.

use super::super::chart::{self, Chart, WIDTH};
use super::{ms, note, place, title};
use punctual_lab::resolution::recording::Swept;
use punctual_lab::resolution::sweep::{self, Row};
use std::io::{self, Write};

/// More rows than this are shown as the best of them, and both ends.
const MOST_ROWS: usize = 20;
const BEST_ROWS: usize = 10;

const MEAN: char = 'o';
const P99: char = '.';

/// Writes all of it.
pub fn swept(out: &mut dyn Write, swept: &Swept) -> io::Result<()> {
    let rows = &swept.rows;
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return writeln!(out, "Stopped before anything was measured.");
    };
    let what = format!(
        "Sleep(1) under requests of {} to {}{}, {} times each",
        ms(first.requested_ns),
        ms(last.requested_ns),
        place(&swept.origin),
        swept.sleeps
    );
    title(out, &what)?;
    picture(out, rows)?;
    title(
        out,
        &if rows.len() > MOST_ROWS {
            format!("The best of {}, and both ends", rows.len())
        } else {
            "The same in figures".to_owned()
        },
    )?;
    table(out, swept)?;
    recommendation(out, swept)
}

/// Milliseconds.
fn value(nanos: u64) -> f64 {
    nanos as f64 / 1e6
}

fn picture(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    /// The widest that a request gets.
    const WIDEST: usize = 6;
    let room = (WIDTH / rows.len()).clamp(1, WIDEST);
    let columns = (rows.len() * room).min(WIDTH);
    let means = || rows.iter().map(|row| value(row.sleep_1.mean_ns));
    let least = means().fold(f64::INFINITY, f64::min);
    let most = means().fold(0.0, f64::max);
    // A single late wake-up must not flatten the means: what exceeds them by more stands at the
    // edge.
    let p99s = rows.iter().map(|row| value(row.sleep_1.p99_ns));
    let highest = p99s.fold(most, f64::max).min(most * 1.5);
    let (bottom, top) = chart::range(least, highest);
    let mut chart = Chart::new(bottom, top, columns);
    let column = |index: usize| index * columns / rows.len();
    for (index, row) in rows.iter().enumerate() {
        chart.mark(column(index), value(row.sleep_1.p99_ns), P99);
    }
    // Over the tails: where there is none to speak of, the mean is what is seen.
    for (index, row) in rows.iter().enumerate() {
        chart.mark_over(column(index), value(row.sleep_1.mean_ns), MEAN);
    }
    chart.write(out, &labels(rows, columns))?;
    writeln!(
        out,
        "{:>7}{MEAN} mean, {P99} p99 where it is another, of Sleep(1) in ms, by the request",
        ""
    )
}

/// Requests below the axis, as far as there is room for each.
fn labels(rows: &[Row], columns: usize) -> String {
    /// Columns from one label to the next: `0.502` and some air.
    const ROOM: usize = 10;
    let mut line = String::new();
    for column in (0..columns).step_by(ROOM) {
        // The first request at this column or after it; few requests may have none there.
        let Some(row) = rows.get((column * rows.len()).div_ceil(columns)) else {
            break;
        };
        let gap = column.saturating_sub(line.len());
        line += &" ".repeat(gap);
        line += &value(row.requested_ns).to_string();
    }
    line
}

fn table(out: &mut dyn Write, swept: &Swept) -> io::Result<()> {
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
    writeln!(
        out,
        "{:>11}{:>12}{:>12}{:>12}{:>12}{:>12}",
        "requested", "in force", "mean", "deviation", "p99", "max"
    )?;
    for row in shown {
        let mark = match Some(row.requested_ns) == swept.recommended_ns {
            true => "  <",
            false => "",
        };
        writeln!(
            out,
            "{:>11.4}{:>12.4}{:>12.4}{:>12.4}{:>12.4}{:>12.4}{mark}",
            value(row.requested_ns),
            value(row.interval_ns),
            value(row.sleep_1.mean_ns),
            value(row.deviation_ns),
            value(row.sleep_1.p99_ns),
            value(row.sleep_1.max_ns),
        )?;
    }
    writeln!(
        out,
        "All in ms; in force: the interval, by NtQueryTimerResolution"
    )
}

fn recommendation(out: &mut dyn Write, swept: &Swept) -> io::Result<()> {
    if let Some(best) = swept.recommended_ns {
        let row = swept.rows.iter().find(|row| row.requested_ns == best);
        let mean = row.map_or(0, |row| row.sleep_1.mean_ns);
        writeln!(
            out,
            "\nrecommended: {}, under which Sleep(1) takes {:.4} ms (the least mean;\n\
             among means within 1 %, the least deviation)",
            ms(best),
            value(mean)
        )?;
    }
    if sweep::is_without_effect(&swept.rows) {
        writeln!(out)?;
        note(
            out,
            "no request changed the interval in force: another program asks for less (try \
             'punctual resolution who'), or the system honours none, as Wine does",
        )?;
    }
    if swept.interrupted {
        note(
            out,
            "stopped early: the requests that follow were not tried",
        )?;
    }
    Ok(())
}
