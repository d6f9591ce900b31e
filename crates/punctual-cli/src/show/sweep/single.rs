//! One machine: a row per request, with all that was found.

use super::{mark, ms, short_ms};
use punctual_lab::simulated::sweep::{MachineSweep, Row};
use std::io::{self, Write};

/// Columns of the last column: what 80 leave.
const ENDS: usize = 15;

pub(super) fn table(out: &mut dyn Write, machine: &MachineSweep) -> io::Result<()> {
    writeln!(
        out,
        "{:>9}{:>10}{:>6}{:>8}{:>9}{:>7}{:>7}{:>7}  ended after",
        "requested", "in force", "step", "mean", "article", "p50", "p90", "max"
    )?;
    for row in &machine.rows {
        writeln!(out, "{}", line(row))?;
    }
    writeln!(
        out,
        "All in ms. in force: the interval, by NtQueryTimerResolution; step: of\n\
         timeGetTime; article: what the article's program prints, 1000 / sleeps within\n\
         1000 of timeGetTime; ended after: so many intervals, rounded"
    )
}

fn line(row: &Row) -> String {
    let sleep = &row.sleep_1;
    format!(
        "{:>9}{:>10.3}{:>6}{:>8.2}{}{:>8.1}{:>7.1}{:>7.1}{:>7.1}  {}",
        short_ms(row.requested_ns),
        ms(row.interval_ns),
        steps(row.time_get_time_steps_ms),
        ms(sleep.mean_ns),
        mark(row),
        row.article_mean_ms,
        ms(sleep.p50_ns),
        ms(sleep.p90_ns),
        ms(sleep.max_ns),
        ends(&row.ended_after_intervals),
    )
}

fn steps((least, most): (u32, u32)) -> String {
    if least == most {
        least.to_string()
    } else {
        format!("{least}-{most}")
    }
}

/// After how many intervals, each with its share where there are several: `1 22%, 2 78%`. Where
/// there is no room for all, the most frequent.
fn ends(counts: &[(u64, u64)]) -> String {
    if let [(intervals, _)] = counts {
        return intervals.to_string();
    }
    let all = most_frequent(counts, counts.len());
    let fits = all.chars().count() <= ENDS;
    if fits { all } else { most_frequent(counts, 1) }
}

/// The so many most frequent ends, and the share of the rest.
fn most_frequent(counts: &[(u64, u64)], shown: usize) -> String {
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    let percent = |count: u64| format!("{:.0}%", count as f64 / total as f64 * 100.0);
    let mut often = counts.to_vec();
    often.sort_by_key(|&(intervals, count)| (std::cmp::Reverse(count), intervals));
    let rest: u64 = often.split_off(shown).iter().map(|(_, count)| count).sum();
    often.sort_unstable();
    let shares = often.into_iter();
    let shares = shares.map(|(intervals, count)| format!("{intervals} {}", percent(count)));
    let rest = (rest > 0).then(|| format!("… {}", percent(rest)));
    shares.chain(rest).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_told_apart_as_far_as_there_is_room() {
        assert_eq!(ends(&[(2, 9)]), "2");
        assert_eq!(ends(&[(1, 22), (2, 78)]), "1 22%, 2 78%");
        assert_eq!(ends(&[(1, 10), (2, 50), (3, 40)]), "2 50%, … 50%");
    }
}
