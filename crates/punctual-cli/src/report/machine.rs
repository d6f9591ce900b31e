//! The machine section: the facts on which a measurement depends.

use super::document::{Document, machine_name, simulated};
use punctual_data::markup::{self, Markup, table};
use punctual_data::quantity::{fraction_of_nanos, nanos, rounded};
use punctual_lab::Environment;
use punctual_lab::clocks::{AcrossRecord, ClockRecord, ClocksRecording};

/// Writes every real machine once. A simulated machine is described by its name.
pub(super) fn write(out: &mut Markup, documents: &[Document]) {
    let mut shown: Vec<&Environment> = Vec::new();
    for document in documents {
        let (name, environment) = match document {
            Document::Recording(recording) if simulated(recording).is_none() => {
                (machine_name(recording), &recording.environment)
            }
            Document::Pace(pace) if pace.question.on.is_none() => {
                let system = pace.environment.system.clone();
                (system.unwrap_or_default(), &pace.environment)
            }
            Document::Varied(curve) if !curve.is_simulated => {
                (curve.machine.clone(), &curve.environment)
            }
            Document::Clocks(found) if found.question.on.is_none() => {
                let system = found.environment.system.clone();
                (system.unwrap_or_default(), &found.environment)
            }
            _ => continue,
        };
        let facts = environment.facts();
        if facts.is_empty() || shown.iter().any(|other| same_machine(other, environment)) {
            continue;
        }
        if shown.is_empty() {
            out.leaf("h2", &[], "Machine");
        } else {
            out.leaf("h3", &[], &name);
        }
        shown.push(environment);
        markup::facts(out, &facts);
        not_known(out, environment);
    }
}

/// The load of the last minute and the cost of a clock differ in every recording.
fn same_machine(one: &Environment, other: &Environment) -> bool {
    one.system == other.system && one.differences(other).is_empty()
}

fn not_known(out: &mut Markup, environment: &Environment) {
    if environment.not_known.is_empty() {
        return;
    }
    out.element("details", &[], |out| {
        let summary = format!("What could not be read ({})", environment.not_known.len());
        out.leaf("summary", &[], &summary);
        out.element("ul", &[], |out| {
            for reason in &environment.not_known {
                out.leaf("li", &[], reason);
            }
        });
    });
}

/// Writes the table.
pub(super) fn write_clocks(out: &mut Markup, _: &str, recording: &ClocksRecording) {
    let rows: Vec<_> = recording.clocks.iter().map(clock_row).collect();
    let head = [
        "clock",
        "counts",
        "step",
        "a reading",
        "back between processors",
        "rate",
    ];
    let caption = "For each clock: its smallest step, the cost of a reading, how often one processor's \
                   reading was behind another's, and its rate against the first clock";
    table(out, caption, &head, &rows);
}

fn clock_row(clock: &ClockRecord) -> Vec<String> {
    let unknown = || "–".to_owned();
    vec![
        clock.clock.clone(),
        clock.counts.clone(),
        clock.least_step_ns.map_or_else(unknown, fraction_of_nanos),
        fraction_of_nanos(clock.cost_ns),
        clock.across.as_ref().map_or_else(unknown, back),
        rate(clock).unwrap_or_else(unknown),
    ]
}

fn back(across: &AcrossRecord) -> String {
    let compared = across.compared;
    match (across.back, across.furthest_back_ns) {
        (0, _) => format!("never in {compared}"),
        (back, Some(far)) => format!("{back} in {compared}, by up to {}", nanos(rounded(far))),
        (back, None) => format!("{back} in {compared}"),
    }
}

fn rate(clock: &ClockRecord) -> Option<String> {
    let (ppm, uncertainty) = (clock.rate_ppm?, clock.rate_uncertainty_ppm?);
    Some(format!("{ppm:+.2} ±{uncertainty:.2} ppm"))
}
