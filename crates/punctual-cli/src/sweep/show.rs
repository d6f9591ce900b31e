//! Sweeps as text, at most 80 columns wide: a table, the curve, and remarks.

mod curve;
mod side_by_side;
mod single;
mod slack;

use super::words;
use crate::show::{Show, confidence, standing_in_words};
use curve::Curve;
use punctual_data::distribution::columns;
use punctual_data::markdown::Page;
use punctual_data::table::{Table, or_empty};
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
            [machine] => single::write(out, machine)?,
            _ => side_by_side::write(out, machines, &labels, &curves)?,
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
            [machine] => (single::LEGEND.replace('\n', " "), single::table(machine)),
            _ => (
                "Mean of Sleep(1) in ms".to_owned(),
                side_by_side::table(machines, &labels(machines)),
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
