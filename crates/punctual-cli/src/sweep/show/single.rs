//! One machine: a row per request, with all results.

use super::{ms, short_ms};
use crate::show::confidence;
use punctual_data::table::{Column, Table};
use punctual_data::text::Text;
use punctual_lab::sweep::{MachineSweep, Row};
use std::io;

/// The width of the last column, in a table of 80 columns.
const ENDS: usize = 15;

/// The meaning of the columns.
pub(super) const LEGEND: &str = "\
Times in ms. in force: the interval, from NtQueryTimerResolution; step: of
timeGetTime; article: the output of the article's program, 1000 / sleeps within
1000 of timeGetTime; ended after: the number of intervals, rounded";

pub(super) fn write(out: &mut Text, machine: &MachineSweep) -> io::Result<()> {
    table(machine).text(out)?;
    out.lines(LEGEND)
}

pub(super) fn table(machine: &MachineSweep) -> Table {
    let columns = vec![
        Column::right("requested", 9),
        Column::right("in force", 10),
        Column::right("step", 6),
        // A sign may stand after the mean.
        Column::right("mean ", 9),
        Column::right("article", 8),
        Column::right("p50", 7),
        Column::right("p90", 7),
        Column::right("max", 7),
        Column::left("  ended after", 0),
    ];
    Table::of(columns).with(machine.rows.iter().map(cells))
}

fn cells(row: &Row) -> Vec<String> {
    let sleep = &row.sleep_1;
    let tenths = |nanos| format!("{:.1}", ms(nanos));
    vec![
        short_ms(row.requested_ns),
        format!("{:.3}", ms(row.interval_ns)),
        steps(row.time_get_time_steps_ms),
        format!(
            "{:.2}{:1}",
            ms(sleep.mean_ns),
            confidence::sign(row.confidence.as_ref())
        ),
        format!("{:.1}", row.article_mean_ms),
        tenths(sleep.p50_ns),
        tenths(sleep.p90_ns),
        tenths(sleep.max_ns),
        format!("  {}", ends(&row.ended_after_intervals)),
    ]
}

fn steps((least, most): (u32, u32)) -> String {
    if least == most {
        least.to_string()
    } else {
        format!("{least}-{most}")
    }
}

/// After how many intervals sleeps ended, each with its share if there are several: `1 22%, 2 78%`.
/// If there is no room for all, the most frequent ones.
fn ends(counts: &[(u64, u64)]) -> String {
    if let [(intervals, _)] = counts {
        return intervals.to_string();
    }
    let all = most_frequent(counts, counts.len());
    let fits = all.chars().count() <= ENDS;
    if fits { all } else { most_frequent(counts, 1) }
}

/// The most frequent ends, as many as requested, and the share of the rest.
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
