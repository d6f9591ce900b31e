//! The two tables: a row per method.

use super::nanos;
use punctual_lab::recording::{SeriesRecord, Summary};
use std::io::{self, Write};

/// How wide the first column is: the longest name, of `punctual-coarse` under a request.
pub(super) const METHOD_WIDTH: usize = 16;

/// Lateness per wake, then counts, then cost.
pub(super) fn per_wake(out: &mut dyn Write, series: &[&SeriesRecord]) -> io::Result<()> {
    let head = statistics_head();
    writeln!(
        out,
        "{:METHOD_WIDTH$}{head}{:>6}{:>7}{:>6}",
        "", "early", "missed", "cpu"
    )?;
    for series in series {
        let processor = percent(series.processor_share);
        writeln!(
            out,
            "{:METHOD_WIDTH$}{}{:>6}{:>7}{processor:>6}",
            series.method,
            statistics(&series.per_wake),
            series.early,
            series.missed,
        )?;
    }
    Ok(())
}

/// Lateness per deadline, then the two parts of lateness where the system tells them.
pub(super) fn per_deadline(out: &mut dyn Write, series: &[&SeriesRecord]) -> io::Result<()> {
    let head = statistics_head();
    writeln!(
        out,
        "{:METHOD_WIDTH$}{head}{:>9}{:>9}",
        "", "timer", "queue"
    )?;
    for series in series {
        writeln!(
            out,
            "{:METHOD_WIDTH$}{}{:>9}{:>9}",
            series.method,
            statistics(&series.per_deadline),
            p99(series.timer.as_ref()),
            p99(series.queue.as_ref()),
        )?;
    }
    writeln!(
        out,
        "timer, queue: p99 of lateness until ready to run, and ready without a processor"
    )
}

fn statistics_head() -> String {
    ["p50", "p90", "p99", "p99.9", "max"]
        .map(|name| format!("{name:>9}"))
        .concat()
}

fn statistics(summary: &Summary) -> String {
    shown(summary).map(|value| format!("{value:>9}")).concat()
}

/// The statistics that every table has, in the order of its head.
pub(super) fn shown(summary: &Summary) -> [String; 5] {
    let Summary {
        p50_ns,
        p90_ns,
        p99_ns,
        p999_ns,
        max_ns,
        ..
    } = *summary;
    [p50_ns, p90_ns, p99_ns, p999_ns, max_ns].map(nanos)
}

/// A share in at most five characters.
pub(super) fn percent(share: f64) -> String {
    if share < 0.9995 {
        format!("{:.1}%", share * 100.0)
    } else {
        format!("{:.0}%", share * 100.0)
    }
}

fn p99(part: Option<&Summary>) -> String {
    part.map_or("unknown".to_owned(), |part| nanos(part.p99_ns))
}
