//! The clocks as a table.

use super::words;
use crate::show::{View, machine};
use punctual_data::markdown::Page;
use punctual_data::quantity::{fraction_of_nanos, write_duration};
use punctual_data::show::Show;
use punctual_data::table::{Column, Table, or_empty};
use punctual_data::text::{Text, heading, notes};
use punctual_lab::Environment;
use punctual_lab::clocks::{AcrossRecord, ClockRecord, ClocksRecording};
use punctual_lab::confidence::Confidence;
use punctual_windows::confidence::text as confidence;
use std::io;
use std::time::Duration;

/// The width of the longest name, `QueryUnbiasedInterruptTimePrecise`.
const NAME: usize = 33;

impl Show for View<'_, ClocksRecording> {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        machine(out, &self.0.environment)?;
        heading(out, "Clocks")?;
        table(self.0).text(out)?;
        confidence::write(out, &predicted(self.0))?;
        notes(out, &remarks(self.0))
    }

    fn page(&self) -> Page {
        let on = self.0.question.on.iter();
        let on = on.map(|simulated| format!(" of {}", simulated.machine));
        let title = format!("Clocks{}", on.collect::<String>());
        Page {
            tables: vec![(String::new(), table(self.0))],
            remarks: remarks(self.0)
                .into_iter()
                .chain(confidence::remarks(&predicted(self.0)))
                .collect(),
            command: Some(words(&self.0.question).to_string()),
            ..Page::of(title, self.0.environment.lines())
        }
    }

    fn sheet(&self) -> Table {
        let names = "clock counts unit_ns least_step_ns median_step_ns cost_ns compared back \
                     furthest_back_ns seen_from_ns rate_ppm rate_uncertainty_ppm";
        Table::sheet(names).with(self.0.clocks.iter().map(cells))
    }
}

/// How far the clocks of a simulated machine can be trusted.
fn predicted(recording: &ClocksRecording) -> Vec<(&str, &Confidence)> {
    let said = recording.confidence.iter();
    said.map(|said| ("steps and costs", said)).collect()
}

fn table(recording: &ClocksRecording) -> Table {
    let columns = vec![
        Column::of_rows("clock", NAME),
        Column::right("step", 9),
        Column::right("cost", 9),
        Column::right("back", 6),
        Column::right("sees", 9),
        Column::right("rate, ppm", 14),
    ];
    let clocks = recording.clocks.iter().enumerate();
    Table::of(columns).with(clocks.map(|(index, clock)| {
        let rate = if index == 0 {
            "reference".to_owned()
        } else {
            rate(clock)
        };
        vec![
            clock.clock.clone(),
            clock
                .median_step_ns
                .map_or("-".to_owned(), fraction_of_nanos),
            fraction_of_nanos(clock.cost_ns),
            back(clock.across.as_ref()),
            sees(clock.across.as_ref()),
            rate,
        ]
    }))
}

/// A row of a spreadsheet.
fn cells(clock: &ClockRecord) -> Vec<String> {
    let across = clock.across.as_ref();
    vec![
        clock.clock.clone(),
        clock.counts.clone(),
        or_empty(clock.unit_ns),
        or_empty(clock.least_step_ns),
        or_empty(clock.median_step_ns),
        clock.cost_ns.to_string(),
        or_empty(across.map(|across| across.compared)),
        or_empty(across.map(|across| across.back)),
        or_empty(across.and_then(|across| across.furthest_back_ns)),
        or_empty(across.and_then(|across| across.resolution_ns)),
        or_empty(clock.rate_ppm),
        or_empty(clock.rate_uncertainty_ppm),
    ]
}

/// The number of readings that were behind another processor's.
fn back(across: Option<&AcrossRecord>) -> String {
    match across {
        None => "-".to_owned(),
        Some(across) if across.back == 0 => "never".to_owned(),
        Some(across) => across.back.to_string(),
    }
}

fn sees(across: Option<&AcrossRecord>) -> String {
    let resolution = across.and_then(|across| across.resolution_ns);
    resolution.map_or("-".to_owned(), fraction_of_nanos)
}

fn rate(clock: &ClockRecord) -> String {
    let Some(uncertainty) = clock.rate_uncertainty_ppm else {
        return "-".to_owned();
    };
    match (clock.rate_ppm, clock.unit_ns) {
        (Some(ppm), _) => {
            // The number of digits follows the uncertainty.
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

/// What `GetSystemTimeAdjustment` tells, on a system that has it.
fn adjustment(environment: &Environment) -> Option<String> {
    let increment = environment.system_time_increment_ns?;
    let adjustment = environment.system_time_adjustment_ns?;
    let so = match adjustment == increment {
        true => "so the system clock is not adjusted".to_owned(),
        false => {
            let ppm = (adjustment as f64 / increment as f64 - 1.0) * 1e6;
            format!("so the system clock is adjusted by {ppm:+.1} ppm")
        }
    };
    let shown = |nanos| write_duration(Duration::from_nanos(nanos));
    let (increment, adjustment) = (shown(increment), shown(adjustment));
    Some(format!(
        "GetSystemTimeAdjustment: each {increment} moves the system clock on by {adjustment}, {so}"
    ))
}

fn remarks(recording: &ClocksRecording) -> Vec<String> {
    let mut remarks = vec![
        "step: the median change between two readings, which is at least the time of a \
         reading. back: how often a reading was behind an earlier one of another processor. \
         sees: the smallest difference that this comparison can show"
            .to_owned(),
    ];
    let behind = recording.clocks.iter().filter_map(|clock| {
        let across = clock.across.as_ref().filter(|across| across.back > 0)?;
        let by = across
            .furthest_back_ns
            .map_or("?".to_owned(), fraction_of_nanos);
        let (back, compared) = (across.back, across.compared);
        let name = &clock.clock;
        Some(format!(
            "{name} went back {back} times in {compared} between processors, by up to {by}"
        ))
    });
    remarks.extend(behind);
    if recording.clocks.iter().all(|clock| clock.across.is_none()) {
        remarks.push(
            "there is only one processor, so clocks were not compared between processors"
                .to_owned(),
        );
    }
    remarks.extend(adjustment(&recording.environment));
    let missing = recording.unavailable.iter();
    remarks.extend(missing.map(|missing| format!("no {}: {}", missing.name, missing.reason)));
    if recording.interrupted {
        remarks.push("stopped early, so the rates are less certain than requested".to_owned());
    }
    remarks
}
