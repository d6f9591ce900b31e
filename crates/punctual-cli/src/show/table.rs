//! The two tables: a row per method.

use super::nanos;
use punctual_lab::recording::{SeriesRecord, Summary};
use std::io::{self, Write};

/// How wide the first column is: the longest name of a method, `punctual-coarse` and
/// `clock-nanosleep`.
pub(super) const METHOD_WIDTH: usize = 15;

/// Lateness per wake, then counts, then cost.
pub(super) fn per_wake(out: &mut impl Write, series: &[&SeriesRecord]) -> io::Result<()> {
    let head = statistics_head();
    writeln!(
        out,
        "{:METHOD_WIDTH$}{head}{:>6}{:>7}{:>7}",
        "", "early", "missed", "cpu"
    )?;
    for series in series {
        let processor = format!("{:.1}%", series.processor_share * 100.0);
        writeln!(
            out,
            "{:METHOD_WIDTH$}{}{:>6}{:>7}{processor:>7}",
            series.method,
            statistics(&series.per_wake),
            series.early,
            series.missed,
        )?;
    }
    Ok(())
}

/// Lateness per deadline, then the two parts of lateness where the system tells them.
pub(super) fn per_deadline(out: &mut impl Write, series: &[&SeriesRecord]) -> io::Result<()> {
    let head = statistics_head();
    writeln!(
        out,
        "{:METHOD_WIDTH$}{head}{:>10}{:>10}",
        "", "timer p99", "queue p99"
    )?;
    for series in series {
        writeln!(
            out,
            "{:METHOD_WIDTH$}{}{:>10}{:>10}",
            series.method,
            statistics(&series.per_deadline),
            p99(series.timer.as_ref()),
            p99(series.queue.as_ref()),
        )?;
    }
    writeln!(
        out,
        "timer: until ready to run; queue: ready, but others had the processor"
    )
}

fn statistics_head() -> String {
    ["p50", "p90", "p99", "p99.9", "max"]
        .map(|name| format!("{name:>9}"))
        .concat()
}

fn statistics(summary: &Summary) -> String {
    let Summary {
        p50_ns,
        p90_ns,
        p99_ns,
        p999_ns,
        max_ns,
        ..
    } = *summary;
    [p50_ns, p90_ns, p99_ns, p999_ns, max_ns]
        .map(|value| format!("{:>9}", nanos(value)))
        .concat()
}

fn p99(part: Option<&Summary>) -> String {
    part.map_or("unknown".to_owned(), |part| nanos(part.p99_ns))
}
