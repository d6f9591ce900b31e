//! What waits of a length show: what they took, and the values near which that clusters.

use super::answer;
use super::printed::{Fact, Printed};
use super::vary::precisely;
use crate::show::circumstances;
use punctual_data::escape::escaped;
use punctual_data::quantity::{self, nanos};
use punctual_data::table::{Column, NAME_WIDTH, Table, or_empty};
use punctual_data::text::{Text, WIDTH, heading};
use punctual_lab::calls::{Lengths, Recording, SeriesRecord, When};
use punctual_lab::confidence::Confidence;
use punctual_windows::confidence::text as confidence;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

const NEAR: &str = "Values near which they cluster";

/// The width of the column of lengths.
const LENGTH_WIDTH: usize = 9;

impl Printed for Lengths {
    fn answer(recording: &Recording) -> Option<String> {
        answer::of_lengths(recording)
    }

    fn title(recording: &Recording) -> String {
        let asked = &recording.question;
        let at = match asked.schedule.at {
            When::Tight => "in a tight loop",
            When::Random => "begun at random",
            When::Aligned => "begun just after a tick",
        };
        // Only a table without varied conditions has the length.
        let of = match (&asked.vary, asked.schedule.lengths.as_slice()) {
            (Some(_), [length]) => format!(" of {}", quantity::show(*length)),
            _ => String::new(),
        };
        let mut title = format!("{} waits{of} each, {at}", asked.schedule.count);
        if !asked.schedule.work.is_zero() {
            title += &format!(", after {} of work", quantity::show(asked.schedule.work));
        }
        title += &circumstances(&asked.conditions, asked.on.as_ref(), None);
        if let Some(interval) = asked.request {
            title += &format!(", under its own request of {}", quantity::show(interval));
        }
        if recording.interrupted {
            title += " (stopped early)";
        }
        title
    }

    fn measured(recording: &Recording) -> Vec<&SeriesRecord> {
        let series = recording.series.iter();
        series
            .filter(|series| !series.durations_ns.is_empty())
            .collect()
    }

    fn rank(series: &SeriesRecord) -> f64 {
        series
            .mean_ns
            .unwrap_or_default()
            .abs_diff(series.length_ns) as f64
    }

    fn table(series: &[&SeriesRecord]) -> Table {
        let columns = vec![
            Column::of_rows("method", NAME_WIDTH),
            Column::right("length", LENGTH_WIDTH),
            Column::right("mean", 12),
            Column::right("spread", 9),
            Column::right("min", 12),
            Column::right("max", 12),
            Column::right("early", 8),
        ];
        Table::of(columns).with(series.iter().map(|series| row(series)))
    }

    const FIGURES: [&'static str; 4] = ["mean", "spread", "p99", "max"];

    fn row<'a>(
        recording: &Recording,
        series: &'a SeriesRecord,
    ) -> (String, [u64; 4], Option<&'a Confidence>) {
        let mut all = series.durations_ns.clone();
        all.sort_unstable();
        let p99 = (all.len() * 99).div_ceil(100).saturating_sub(1);
        let figures = [
            series.mean_ns,
            series.spread_ns,
            all.get(p99).copied(),
            series.max_ns,
        ];
        (
            named(recording, series),
            figures.map(Option::unwrap_or_default),
            series.confidence.as_ref(),
        )
    }

    fn said(mean: &str) -> String {
        format!("takes {mean} in the mean")
    }

    fn more(recording: &Recording) -> Vec<(String, Table)> {
        let columns = vec![
            Column::of_rows("method", 0),
            Column::right("length", 0),
            Column::left("near", 0),
        ];
        let near = Self::measured(recording).into_iter().map(|series| {
            let shown = clusters(series, usize::MAX);
            vec![series.call.clone(), nanos(series.length_ns), shown]
        });
        vec![(NEAR.to_owned(), Table::of(columns).with(near))]
    }

    fn write_more(recording: &Recording, out: &mut Text) -> io::Result<()> {
        heading(out, NEAR)?;
        Self::measured(recording)
            .into_iter()
            .try_for_each(|series| {
                let (call, length) = (escaped(&series.call), nanos(series.length_ns));
                let shown = clusters(series, WIDTH - NAME_WIDTH - LENGTH_WIDTH - 2);
                writeln!(out, "{call:NAME_WIDTH$}{length:>LENGTH_WIDTH$}  {shown}")
            })
    }

    /// What was rounded or refused, and the changes of the machine.
    fn remarks(recording: &Recording, _: &[Fact]) -> Vec<String> {
        let mut rounded: BTreeMap<(u64, u64), BTreeSet<&str>> = BTreeMap::new();
        for series in &recording.series {
            if series.asked_ns != series.length_ns {
                let calls = rounded.entry((series.length_ns, series.asked_ns));
                calls.or_default().insert(&series.call);
            }
        }
        let rounded = rounded.into_iter().map(|((length, asked), calls)| {
            let calls = Vec::from_iter(calls).join(", ");
            let (length, asked) = (nanos(length), nanos(asked));
            format!(
                "asked for {asked} instead of {length}, because they count in longer units: {calls}"
            )
        });
        let failed = recording.series.iter().filter_map(|series| {
            let (call, length) = (&series.call, nanos(series.length_ns));
            let failed = series.failed.as_ref()?;
            let made = series.durations_ns.len();
            Some(format!(
                "{call} for {length} was refused after {made} calls: {failed}"
            ))
        });
        let changes = recording.environment_changes.iter().cloned();
        rounded.chain(failed).chain(changes).collect()
    }

    fn sheet(recording: &Recording) -> Table {
        let names = "call length_ns asked_ns at work_ns load priority on count mean_ns \
                     spread_ns min_ns max_ns early near confidence";
        Table::sheet(names).with(
            recording
                .series
                .iter()
                .map(|series| cells(recording, series)),
        )
    }
}

/// By method, and by length if there are several.
fn named(recording: &Recording, series: &SeriesRecord) -> String {
    match recording.question.schedule.lengths.len() {
        0 | 1 => series.call.clone(),
        _ => format!("{} {}", series.call, nanos(series.length_ns)),
    }
}

fn row(series: &SeriesRecord) -> Vec<String> {
    let shown = |ns: Option<u64>| ns.map_or_else(String::new, precisely);
    vec![
        series.call.clone(),
        nanos(series.length_ns),
        shown(series.mean_ns),
        series.spread_ns.map_or_else(String::new, nanos),
        shown(series.min_ns),
        shown(series.max_ns),
        series.early.to_string(),
    ]
}

/// A row of a spreadsheet.
fn cells(recording: &Recording, series: &SeriesRecord) -> Vec<String> {
    let asked = &recording.question;
    let near = series.clusters.iter();
    let near: Vec<_> = near
        .map(|cluster| format!("{}:{}", cluster.near_ns, cluster.count))
        .collect();
    vec![
        series.call.clone(),
        series.length_ns.to_string(),
        series.asked_ns.to_string(),
        asked.schedule.at.to_string(),
        asked.schedule.work.as_nanos().to_string(),
        asked.conditions.load.to_string(),
        asked.conditions.priority.to_string(),
        or_empty(asked.on.as_ref().map(|on| &on.machine)),
        series.durations_ns.len().to_string(),
        or_empty(series.mean_ns),
        or_empty(series.spread_ns),
        or_empty(series.min_ns),
        or_empty(series.max_ns),
        series.early.to_string(),
        near.join(" "),
        confidence::word(series.confidence.as_ref()),
    ]
}

fn clusters(series: &SeriesRecord, width: usize) -> String {
    punctual_data::clusters::near(&series.clusters, width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual_data::clusters::clusters as found;

    fn series(durations_ns: Vec<u64>) -> SeriesRecord {
        SeriesRecord {
            call: "sleep".to_owned(),
            length_ns: 1_000_000,
            asked_ns: 1_000_000,
            clusters: found(&durations_ns),
            durations_ns,
            mean_ns: None,
            spread_ns: None,
            min_ns: None,
            max_ns: None,
            early: 0,
            failed: None,
            confidence: None,
        }
    }

    #[test]
    fn the_commonest_clusters_come_first_and_the_rest_is_summed_up() {
        let two = [vec![1_953_000; 803], vec![15_625_000; 197]].concat();
        assert_eq!(clusters(&series(two), 53), "1.95 ms 80.3%, 15.6 ms 19.7%");
        let rare = [vec![1_953_000; 998], vec![15_625_000; 2]].concat();
        assert_eq!(clusters(&series(rare), 53), "1.95 ms 99.8%, elsewhere 0.2%");
        let even: Vec<_> = (0..1_000).map(|at| 1_000_000 + at * 14_600).collect();
        assert_eq!(clusters(&series(even), 53), "1.00 to 15.6 ms 100%");
        let lattice: Vec<_> = (0..1_000).map(|at| 500_000 * (1 + at % 20)).collect();
        let shown = clusters(&series(lattice), 53);
        assert!(
            shown.chars().count() <= 53 && shown.contains("elsewhere"),
            "{shown}"
        );
    }

    #[test]
    fn figures_have_the_digits_of_published_tables() {
        assert_eq!(precisely(15_625_000), "15.6250 ms");
        assert_eq!(precisely(999_900), "999.9 µs");
        assert_eq!(precisely(45), "45 ns");
        assert_eq!(precisely(1_007_000_000), "1.0070 s");
    }
}
