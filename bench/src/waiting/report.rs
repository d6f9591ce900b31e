//! The tables, at most 80 columns wide.

use super::aims::Aim;
use super::curve::Point;
use super::matched::Match;
use super::{Report, Row};
use crate::share::{percent, short};
use crate::statistics::{Figures, micros};
use std::fmt;

/// As long as the longest name there is.
const NAME: usize = 24;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.machine, self.command)?;
        for rows in self
            .rows
            .chunk_by(|a, b| (a.rate_hertz, a.load) == (b.rate_hertz, b.load))
        {
            writeln!(f, "\n{} Hz, {}", rows[0].rate_hertz, rows[0].load)?;
            heading(f, "waiting with")?;
            rows.iter().try_for_each(|row| write!(f, "{row}"))?;
        }
        for points in self.curve.chunk_by(|a, b| a.load == b.load) {
            let first = &points[0];
            writeln!(
                f,
                "\nLate share against processor share, {} Hz, {}",
                first.rate_hertz, first.load
            )?;
            heading(f, "asked for (budget)")?;
            points.iter().try_for_each(|point| write!(f, "{point}"))?;
        }
        matched(f, &self.matched)?;
        aims(f, &self.aims)?;
        writeln!(
            f,
            "\nlate: shares of waits, with the quartiles of the blocks. missed: deadlines that had\n\
             passed before their turn.\n\
             p99 all: of all deadlines, the missed ones among them.\n\
             proc: share of elapsed time."
        )
    }
}

fn heading(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    writeln!(
        f,
        "{:NAME$} {:>6} {:>10} {:>7} {:>7} {:>7} {:>6} {:>6}",
        "", "late", "quartiles", "p50", "p99", "p99 all", "missed", "proc"
    )?;
    writeln!(
        f,
        "{name:NAME$} {:>6} {:>10} {:>7} {:>7} {:>7} {:>6} {:>6}",
        ">1µs %", "%", "µs", "µs", "µs", "%", "%"
    )
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.figures {
            Some(figures) => line(f, &self.contender, figures),
            None => {
                let note = self.note.as_deref().unwrap_or("not measured");
                writeln!(f, "{:NAME$} {note:.55}", self.contender)
            }
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.requested, self.budget) {
            (Some(requested), Some(budget)) => {
                let name = format!("{} late ({})", percent(requested), percent(budget));
                line(f, &name, &self.figures)
            }
            _ => line(f, &self.contender, &self.figures),
        }
    }
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, figures: &Figures) -> fmt::Result {
    let quartiles = figures.late_share_low.zip(figures.late_share_high);
    let quartiles = quartiles.map_or("-".to_owned(), |(low, high)| {
        format!("{}..{}", short(low), short(high))
    });
    writeln!(
        f,
        "{name:NAME$} {:>6} {quartiles:>10} {:>7} {:>7} {:>7} {:>6} {:>6}",
        cell(Some(figures.late_over_1us_share)),
        micros(figures.p50_ns),
        micros(figures.p99_ns),
        figures.p99_of_deadlines_ns.map_or("-".to_owned(), micros),
        cell(figures.missed_share()),
        cell(figures.processor_share),
    )
}

/// A share in percent with two decimals, or a dash.
fn cell(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.2}", 100.0 * share))
}

fn matched(f: &mut fmt::Formatter<'_>, matches: &[Match]) -> fmt::Result {
    if matches.is_empty() {
        return Ok(());
    }
    writeln!(
        f,
        "\nWith spin_sleep's late share requested, without a budget, idle; all in %"
    )?;
    writeln!(
        f,
        "{:>7}  {:24} {:>5} {:>13} {:>26}",
        "", "", "", "late >1µs", "proc"
    )?;
    writeln!(
        f,
        "{:>7}  {:24} {:>5} {:>6} {:>6} {:>8} {:>8} {:>8}",
        "Hz", "beside", "asked", "peer", "ours", "no spin", "peer", "ours"
    )?;
    for row in matches {
        writeln!(
            f,
            "{:>7}  {:24} {:>5} {:>6} {:>6} {:>8} {:>8} {:>8}",
            row.rate_hertz,
            row.peer,
            cell(Some(row.requested)),
            cell(Some(row.peer_late_share)),
            cell(Some(row.late_share)),
            cell(row.base_processor_share),
            cell(row.peer_processor_share),
            cell(row.processor_share),
        )?;
    }
    Ok(())
}

fn aims(f: &mut fmt::Formatter<'_>, aims: &[Aim]) -> fmt::Result {
    if aims.is_empty() {
        return Ok(());
    }
    writeln!(f, "\nAims")?;
    for same in aims.chunk_by(|a, b| a.kind == b.kind) {
        for text in wrapped(&same[0].aim) {
            writeln!(f, "  {text}")?;
        }
        for aim in same {
            let place = format!("{} Hz, {}", aim.rate_hertz, aim.load);
            let reached = if aim.reached {
                "reached"
            } else {
                "not reached"
            };
            let value = aim.value.map_or("-".to_owned(), number);
            let spread = aim
                .value_low
                .zip(aim.value_high)
                .map_or(String::new(), |(low, high)| {
                    format!("{}..{}", number(low), number(high))
                });
            writeln!(f, "    {place:16} {value:>9}  {spread:>16}  {reached}")?;
        }
    }
    Ok(())
}

fn number(value: f64) -> String {
    if value.abs() < 10.0 {
        format!("{value:.3}")
    } else {
        format!("{value:.0}")
    }
}

/// Words in lines of at most 76 characters.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= 76 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::waiting::load::Load;

    #[test]
    fn the_widest_row_fits_eighty_columns() {
        let row = Row {
            rate_hertz: 4_000,
            load: Load::Busy,
            contender: "SpinSleeper, slack 50 µs".to_owned(),
            note: None,
            figures: Some(Figures {
                waits: 1,
                missed: Some(999_999),
                late_over_1us_share: 1.0,
                late_share_low: Some(0.999),
                late_share_high: Some(0.999),
                late_over_50us_share: 1.0,
                late_or_missed_share: 1.0,
                p50_ns: 999_999,
                p99_ns: 9_999_000_000,
                p99_of_deadlines_ns: Some(9_999_000_000),
                max_ns: 9_999_000_000,
                processor_share: Some(1.0),
                processor_share_low: Some(0.999),
                processor_share_high: Some(1.001),
                spun_share: None,
            }),
        };
        let line = row.to_string();
        assert_eq!(line.trim_end().chars().count(), 80, "{line}");
    }

    #[test]
    fn words_stay_whole() {
        let text = "word ".repeat(40);
        let lines = wrapped(&text);
        assert!(lines.iter().all(|line| line.len() <= 76));
        assert_eq!(lines.join(" "), text.trim_end());
    }
}
