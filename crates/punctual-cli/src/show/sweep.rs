//! Sweeps as text, at most 80 columns wide: a table, the curve, and what to make of them.

mod curve;
mod side_by_side;
mod single;
mod slack;

pub use slack::slack_sweep;

use super::{WIDTH, heading, note, wrapped};
use curve::Curve;
use punctual_lab::simulated::sweep::{By, MachineSweep, Row, SweepRecording};
use std::io::{self, Write};

/// Writes all of it.
pub fn sweep(mut out: &mut dyn Write, recording: &SweepRecording) -> io::Result<()> {
    let machines = &recording.machines;
    let asks = match recording.by {
        By::Other => "the other process".to_owned(),
        by => by.to_string(),
    };
    let labels = labels(machines);
    let curves = curve::group(machines, &labels);
    heading(
        &mut out,
        &format!("Sleep(1) while {} requests an interval", recording.by),
    )?;
    setting(out, recording)?;
    match &machines[..] {
        [machine] => single::table(out, machine)?,
        _ => side_by_side::table(out, machines, &labels, &curves)?,
    }
    legend_of_marks(out, machines)?;
    heading(
        &mut out,
        &format!("Mean of Sleep(1) in ms, by the interval that {asks} requests"),
    )?;
    curve::draw(out, &curves, &machines[0].rows)?;
    thrown_away(out, machines)?;
    disagreements(out, recording)
}

/// Where one machine is shown, which; and who else is there.
fn setting(out: &mut dyn Write, recording: &SweepRecording) -> io::Result<()> {
    let mut words = Vec::new();
    if let [machine] = &recording.machines[..] {
        words.push(format!("on {}", machine.machine.replace(',', ", ")));
    }
    words.extend(recording.with.iter().map(|who| format!("with {who}")));
    let words = words.join(", ");
    let lines = wrapped(&words, WIDTH);
    lines
        .filter(|line| !line.is_empty())
        .try_for_each(|line| writeln!(out, "{line}"))
}

/// What tells the machines apart: the version, and which of several with that version.
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

/// After a mean: whether it is published.
fn mark(row: &Row) -> char {
    match &row.published {
        None => '?',
        Some(published) if published.agrees => ' ',
        Some(_) => '!',
    }
}

fn legend_of_marks(out: &mut dyn Write, machines: &[MachineSweep]) -> io::Result<()> {
    let occurs = |wanted| {
        let mut rows = machines.iter().flat_map(|machine| &machine.rows);
        rows.any(|row| mark(row) == wanted)
    };
    for (wanted, meaning) in [
        (' ', "no mark: published, and so it comes out"),
        ('?', "?: a prediction; no publication states it"),
        ('!', "!: published otherwise; see below"),
    ] {
        if occurs(wanted) {
            writeln!(out, "{meaning}")?;
        }
    }
    Ok(())
}

/// Samples during which the interval changed.
fn thrown_away(out: &mut dyn Write, machines: &[MachineSweep]) -> io::Result<()> {
    let rows = machines.iter().flat_map(|machine| &machine.rows);
    let count: u32 = rows.map(|row| row.samples_thrown_away).sum();
    if count == 0 {
        return Ok(());
    }
    writeln!(out)?;
    note(
        out,
        &format!("{count} samples were thrown away: the interval in force changed meanwhile"),
    )
}

/// Where the rules and a publication differ, and why that may be.
fn disagreements(out: &mut dyn Write, recording: &SweepRecording) -> io::Result<()> {
    for machine in &recording.machines {
        for row in &machine.rows {
            if let Some(text) = disagreement(&machine.machine, row, &recording.with) {
                writeln!(out)?;
                note(out, &text)?;
            }
        }
    }
    Ok(())
}

fn disagreement(machine: &str, row: &Row, with: &[String]) -> Option<String> {
    let published = row
        .published
        .as_ref()
        .filter(|published| !published.agrees)?;
    let mut text = format!(
        "on {machine}, a request for {} ms is published to give about {:.1} ms ({}), not {:.2} ms",
        short_ms(row.requested_ns),
        f64::midpoint(published.from_ms, published.to_ms),
        published.case,
        ms(row.sleep_1.mean_ns),
    );
    if published.others_slept && with.is_empty() {
        text += "; other programs cut sleeps short there (try --with sleepers=20)";
    }
    Some(text)
}

fn ms(nanos: u64) -> f64 {
    nanos as f64 / 1e6
}

/// Milliseconds with as many digits as it takes: `2`, `0.5`.
fn short_ms(nanos: u64) -> String {
    ms(nanos).to_string()
}

/// The mean as the table shows it, by which curves are told apart, too.
fn mean(row: &Row) -> String {
    format!("{:.1}", ms(row.sleep_1.mean_ns))
}
