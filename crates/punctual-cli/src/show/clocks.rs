//! What clocks are worth, as a table.

use super::{heading, notes};
use punctual_lab::clocks::{AcrossRecord, ClockRecord, ClocksRecording};
use std::io::{self, Write};

/// Columns of a name: the longest, `GetSystemTimePreciseAsFileTime`.
const NAME: usize = 31;

/// Writes all of it.
pub fn clocks(out: &mut dyn Write, recording: &ClocksRecording) -> io::Result<()> {
    heading(out, "Machine")?;
    for line in recording.environment.lines() {
        writeln!(out, "  {line}")?;
    }
    heading(out, "Clocks")?;
    writeln!(
        out,
        "{:NAME$}{:>9}{:>9}{:>7}{:>9}{:>15}",
        "", "step", "cost", "back", "sees", "rate, ppm"
    )?;
    for (index, clock) in recording.clocks.iter().enumerate() {
        writeln!(
            out,
            "{:NAME$}{:>9}{:>9}{:>7}{:>9}{:>15}",
            clock.clock,
            clock.median_step_ns.map_or("-".to_owned(), short),
            short(clock.cost_ns),
            back(clock.across.as_ref()),
            sees(clock.across.as_ref()),
            if index == 0 {
                "reference".to_owned()
            } else {
                rate(clock)
            },
        )?;
    }
    notes(out, &remarks(recording))
}

/// Nanoseconds in three digits and a unit, with the fractions of a nanosecond that a cost has.
fn short(ns: f64) -> String {
    match ns {
        ..9.95 => format!("{ns:.1} ns"),
        ..999.5 => format!("{ns:.0} ns"),
        ..9_995.0 => format!("{:.2} µs", ns / 1e3),
        ..999_500.0 => format!("{:.1} µs", ns / 1e3),
        _ => format!("{:.2} ms", ns / 1e6),
    }
}

/// How often a reading was behind another processor's.
fn back(across: Option<&AcrossRecord>) -> String {
    match across {
        None => "-".to_owned(),
        Some(across) if across.back == 0 => "never".to_owned(),
        Some(across) => across.back.to_string(),
    }
}

fn sees(across: Option<&AcrossRecord>) -> String {
    let resolution = across.and_then(|across| across.resolution_ns);
    resolution.map_or("-".to_owned(), short)
}

fn rate(clock: &ClockRecord) -> String {
    let Some(uncertainty) = clock.rate_uncertainty_ppm else {
        return "-".to_owned();
    };
    match (clock.rate_ppm, clock.unit_ns) {
        (Some(ppm), _) => {
            // No more digits than mean something.
            let digits = match uncertainty {
                ..9.95 => 2,
                ..99.5 => 1,
                _ => 0,
            };
            format!("{ppm:+.digits$} ±{uncertainty:.digits$}")
        }
        (None, Some(unit)) => format!("{:.3} MHz", 1e3 / unit),
        (None, None) => "-".to_owned(),
    }
}

fn remarks(recording: &ClocksRecording) -> Vec<String> {
    let mut remarks = vec![
        "a step is what half the changes between two readings were at most, so no less than a \
         reading takes; back says how often a reading was behind one that another processor had \
         made before, and sees is the least difference that this could show"
            .to_owned(),
    ];
    let behind = recording.clocks.iter().filter_map(|clock| {
        let across = clock.across.as_ref().filter(|across| across.back > 0)?;
        let by = across.furthest_back_ns.map_or("?".to_owned(), short);
        let (back, compared) = (across.back, across.compared);
        let name = &clock.clock;
        Some(format!(
            "{name} went back {back} times in {compared}, by up to {by}, from processor to processor"
        ))
    });
    remarks.extend(behind);
    if recording.clocks.iter().all(|clock| clock.across.is_none()) {
        remarks.push("there is one processor, so no clock can differ between two".to_owned());
    }
    let missing = recording.unavailable.iter();
    remarks.extend(missing.map(|missing| format!("no {}: {}", missing.method, missing.reason)));
    if recording.interrupted {
        remarks.push("stopped early: the rates are less certain than was asked for".to_owned());
    }
    remarks
}
