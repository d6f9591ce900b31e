//! Sweeps as text, at most 80 columns wide: a table, the curve, and remarks.

mod curve;
mod slack;

use super::words;
use crate::show::{Show, confidence, standing_in_words};
use curve::Curve;
use punctual_data::distribution::columns;
use punctual_data::escape::escaped;
use punctual_data::markdown::Page;
use punctual_data::table::{Column, Table, or_empty};
use punctual_data::text::{Text, WIDTH, heading, note, wrapped};
use punctual_lab::conditions::Companion;
use punctual_lab::sweep::{By, MachineSweep, Row, SweepRecording};
use std::io;

impl Show for SweepRecording {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        let machines = &self.machines;
        if machines.iter().all(|machine| machine.rows.is_empty()) {
            return writeln!(out, "Stopped before anything was measured.");
        }
        let labels = labels(machines);
        let curves = curve::group(machines, &labels);
        heading(out, &title(self))?;
        setting(out, self)?;
        match &machines[..] {
            [machine] => write_alone(out, machine)?,
            _ => write_side_by_side(out, machines, &labels, &curves)?,
        }
        for line in legend_of_signs(machines) {
            writeln!(out, "{line}")?;
        }
        let asks = match self.question.by {
            By::Other => "the other process".to_owned(),
            by => by.to_string(),
        };
        heading(
            out,
            &format!("Mean of Sleep(1) in ms, by the interval that {asks} requests"),
        )?;
        curve::draw(out, &curves, &machines[0].rows)?;
        for remark in remarks(self) {
            writeln!(out)?;
            note(out, &remark)?;
        }
        Ok(())
    }

    fn page(&self) -> Page {
        let machines = &self.machines;
        let (what, table) = match &machines[..] {
            [machine] => (LEGEND.replace('\n', " "), table_alone(machine)),
            _ => (
                "Mean of Sleep(1) in ms".to_owned(),
                table_side_by_side(machines, &labels(machines)),
            ),
        };
        let machine = machines.iter().map(|machine| machine.machine.clone());
        Page {
            title: title(self),
            tables: vec![(what, table)],
            remarks: legend_of_signs(machines)
                .into_iter()
                .chain(remarks(self))
                .collect(),
            command: Some(words(&self.question).to_string()),
            machine: machine.chain(self.question.with.iter().map(with)).collect(),
        }
    }

    fn sheet(&self) -> Table {
        let before = "machine by requested_ns interval_ns time_get_time_least_step_ms \
                      time_get_time_most_step_ms article_mean_ms";
        let after = [
            "samples_thrown_away",
            "published_case",
            "agrees",
            "confidence",
        ];
        let rows = self.machines.iter().flat_map(|machine| {
            let rows = machine.rows.iter();
            rows.map(|row| cells(self, machine, row))
        });
        let sheet = Table::sheet(before).and(columns("sleep_1"));
        sheet.and(after).with(rows)
    }
}

fn title(recording: &SweepRecording) -> String {
    let stopped = match recording.interrupted {
        true => " (stopped early)",
        false => "",
    };
    format!(
        "Sleep(1) while {} requests an interval{stopped}",
        recording.question.by
    )
}

fn with(who: &Companion) -> String {
    format!("with {who}")
}

/// The machine, if only one is shown, and the companions.
fn setting(out: &mut Text, recording: &SweepRecording) -> io::Result<()> {
    let mut words = Vec::new();
    if let [machine] = &recording.machines[..] {
        words.push(format!("on {}", machine.machine.replace(',', ", ")));
    }
    words.extend(standing_in_words(recording.question.standing));
    words.extend(recording.question.with.iter().map(with));
    let words = words.join(", ");
    let lines = wrapped(&words, WIDTH);
    lines
        .filter(|line| !line.is_empty())
        .try_for_each(|line| writeln!(out, "{line}"))
}

/// The labels of the machines: the version, and a number if several have that version.
fn labels(machines: &[MachineSweep]) -> Vec<String> {
    let same = |machine: &MachineSweep, among: &[MachineSweep]| {
        let like = among
            .iter()
            .filter(|other| other.version == machine.version);
        like.count()
    };
    let label = |(index, machine): (usize, &MachineSweep)| {
        let short = machine.version.trim_start_matches("windows-");
        match same(machine, machines) {
            1 => short.to_owned(),
            _ => format!("{short}/{}", same(machine, &machines[..=index])),
        }
    };
    machines.iter().enumerate().map(label).collect()
}

/// The meaning of the signs that occur.
fn legend_of_signs(machines: &[MachineSweep]) -> Vec<String> {
    let rows = machines.iter().flat_map(|machine| &machine.rows);
    confidence::legend(rows.filter_map(|row| row.confidence.as_ref()))
}

/// The remarks below the table.
fn remarks(recording: &SweepRecording) -> Vec<String> {
    let machines = &recording.machines;
    let disagreements = machines.iter().flat_map(|machine| {
        let rows = machine.rows.iter();
        rows.filter_map(|row| disagreement(&machine.machine, row, &recording.question.with))
    });
    thrown_away(machines)
        .into_iter()
        .chain(disagreements)
        .collect()
}

/// Samples during which the interval changed.
fn thrown_away(machines: &[MachineSweep]) -> Option<String> {
    let rows = machines.iter().flat_map(|machine| &machine.rows);
    let count: u32 = rows.map(|row| row.samples_thrown_away).sum();
    (count > 0).then(|| {
        format!("{count} samples were discarded, because the interval in force changed during them")
    })
}

/// How the result and a publication differ, and a possible reason.
fn disagreement(machine: &str, row: &Row, with: &[Companion]) -> Option<String> {
    let published = row
        .published
        .as_ref()
        .filter(|published| !published.agrees)?;
    let mut text = format!(
        "on {machine}, the published result of a request for {} ms is about {:.1} ms ({}), not {:.2} ms",
        short_ms(row.requested_ns),
        f64::midpoint(published.from_ms, published.to_ms),
        published.case,
        ms(row.sleep_1.mean_ns),
    );
    if published.others_slept && with.is_empty() {
        text += "; other programs cut sleeps short there (try --on windows-10-2004,quantum=5.333334us --with sleepers=7)";
    }
    Some(text)
}

fn ms(nanos: u64) -> f64 {
    nanos as f64 / 1e6
}

/// Milliseconds with as many digits as necessary: `2`, `0.5`.
fn short_ms(nanos: u64) -> String {
    ms(nanos).to_string()
}

/// The mean as in the table. Curves with the same means are drawn as one.
fn mean(row: &Row) -> String {
    format!("{:.1}", ms(row.sleep_1.mean_ns))
}

/// A row of a spreadsheet.
fn cells(recording: &SweepRecording, machine: &MachineSweep, row: &Row) -> Vec<String> {
    let (least, most) = row.time_get_time_steps_ms;
    let published = row.published.as_ref();
    let before = [
        machine.machine.clone(),
        recording.question.by.to_string(),
        row.requested_ns.to_string(),
        row.interval_ns.to_string(),
        least.to_string(),
        most.to_string(),
        row.article_mean_ms.to_string(),
    ];
    let after = [
        row.samples_thrown_away.to_string(),
        or_empty(published.map(|published| &published.case)),
        or_empty(published.map(|published| published.agrees)),
        confidence::word(row.confidence.as_ref()),
    ];
    before
        .into_iter()
        .chain(row.sleep_1.exact())
        .chain(after)
        .collect()
}

// Several machines: a row per request, a column per machine.

/// The width of a request: the longest that is likely, `0.5001`, and some space.
const REQUEST: usize = 10;
/// The width of a machine: the longest label, `10-2004/2`, and a sign after a mean.
const MACHINE: usize = 9;

fn write_side_by_side(
    out: &mut Text,
    machines: &[MachineSweep],
    labels: &[String],
    curves: &[Curve],
) -> io::Result<()> {
    if machines
        .iter()
        .any(|machine| machine.machine != machine.version)
    {
        for (machine, label) in machines.iter().zip(labels) {
            describe(out, label, &machine.machine)?;
        }
    }
    let mut table_side_by_side = table_side_by_side(machines, labels);
    let glyph = |label: &String| {
        let mut curves = curves.iter();
        let curve = curves.find(|curve| curve.labels.contains(label));
        format!("{} ", curve.map_or(' ', |curve| curve.glyph))
    };
    let drawn_as = ["symbol".to_owned()].into_iter();
    table_side_by_side.push(drawn_as.chain(labels.iter().map(glyph)).collect());
    table_side_by_side.text(out)
}

fn table_side_by_side(machines: &[MachineSweep], labels: &[String]) -> Table {
    let mut columns = vec![Column::left("requested", REQUEST)];
    // A sign may stand after a mean.
    let names = labels.iter().map(|label| format!("{label} "));
    columns.extend(names.map(|name| Column::right(&name, MACHINE + 1)));
    let rows = machines[0].rows.iter().enumerate().map(|(index, row)| {
        let request = format!("{:>6} ms ", short_ms(row.requested_ns));
        let means = machines.iter().map(|machine| {
            let row = &machine.rows[index];
            format!(
                "{}{:1}",
                mean(row),
                confidence::sign(row.confidence.as_ref())
            )
        });
        [request].into_iter().chain(means).collect()
    });
    Table::of(columns).with(rows)
}

/// The machine behind a label, with its hardware and settings.
fn describe(out: &mut Text, label: &str, machine: &str) -> io::Result<()> {
    let mut label = escaped(label);
    let machine = machine.replace(',', ", ");
    for line in wrapped(&machine, WIDTH - MACHINE - 1) {
        writeln!(out, "{label:MACHINE$} {line}")?;
        label = "".into();
    }
    Ok(())
}

// One machine: a row per request, with all results.

/// The width of the last column, in a table of 80 columns.
const ENDS: usize = 15;

/// The meaning of the columns.
const LEGEND: &str = "\
Times in ms. in force: the interval, from NtQueryTimerResolution; step: of
timeGetTime; article: the output of the article's program, 1000 / sleeps within
1000 of timeGetTime; ended after: the number of intervals, rounded";

fn write_alone(out: &mut Text, machine: &MachineSweep) -> io::Result<()> {
    table_alone(machine).text(out)?;
    out.lines(LEGEND)
}

fn table_alone(machine: &MachineSweep) -> Table {
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
    Table::of(columns).with(machine.rows.iter().map(cells_alone))
}

fn cells_alone(row: &Row) -> Vec<String> {
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
