//! Comparisons as tables, a block of rows for each method.

use super::table::percent;
use super::{ATTENTION, HEADING, WIDTH, heading, nanos, wrapped};
use crate::compare::{NamedComparison, reason, verdict};
use punctual_lab::compare::{MethodComparison, StatisticComparison, Verdict};
use std::io::{self, Write};

/// Writes all of them.
pub fn comparisons(out: &mut dyn Write, comparisons: &[NamedComparison]) -> io::Result<()> {
    for comparison in comparisons {
        one(out, comparison)?;
    }
    Ok(())
}

fn one(out: &mut dyn Write, named: &NamedComparison) -> io::Result<()> {
    let comparison = &named.comparison;
    heading(out, &format!("{} against {}", named.other, named.baseline))?;
    for difference in &comparison.differences {
        paragraph(
            out,
            &format!("{ATTENTION}differs:{ATTENTION:#} {difference}"),
        )?;
    }
    if !comparison.unmatched.is_empty() {
        let methods = comparison.unmatched.join(", ");
        paragraph(out, &format!("Only one of them measured {methods}."))?;
    }
    if comparison.methods.is_empty() {
        return writeln!(
            out,
            "They have no method in common: nothing can be compared."
        );
    }
    let head = format!(
        "{:11}{:>10}{:>10}{:>9}   {:18}",
        "", "baseline", "this", "ratio", "99 % interval"
    );
    writeln!(out, "{}", head.trim_end())?;
    for found in &comparison.methods {
        method(out, found)?;
    }
    Ok(())
}

fn method(out: &mut dyn Write, found: &MethodComparison) -> io::Result<()> {
    writeln!(out, "{HEADING}{}{HEADING:#}", found.method)?;
    for statistic in &found.statistics {
        row(out, statistic)?;
    }
    match found.unjudged {
        Some(unjudged) => writeln!(out, "  not judged: {}", reason(unjudged)),
        None => Ok(()),
    }
}

fn row(out: &mut dyn Write, found: &StatisticComparison) -> io::Result<()> {
    let show = |value: f64| {
        if found.statistic.is_time() {
            nanos(whole(value))
        } else {
            percent(value)
        }
    };
    let ratio = found.ratio.map_or("-".to_owned(), ratio);
    let interval = found.interval.map_or("-".to_owned(), |(low, high)| {
        format!("{} to {}", self::ratio(low), self::ratio(high))
    });
    let judged = found.verdict();
    let style = match judged {
        Verdict::Lower | Verdict::Higher => ATTENTION,
        Verdict::NoChange | Verdict::Unjudged => anstyle::Style::new(),
    };
    writeln!(
        out,
        "  {:9}{:>10}{:>10}{ratio:>9}   {interval:18}{style}{}{style:#}",
        found.statistic.name(),
        show(found.baseline),
        show(found.other),
        verdict(judged),
    )
}

/// Two digits behind the point up to ten, fewer above.
fn ratio(ratio: f64) -> String {
    if ratio < 10.0 {
        format!("{ratio:.2}")
    } else {
        format!("{ratio:.0}")
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "nanoseconds of a lateness"
)]
fn whole(nanos: f64) -> u64 {
    nanos.round() as u64
}

fn paragraph(out: &mut dyn Write, text: &str) -> io::Result<()> {
    for line in wrapped(text, WIDTH) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}
