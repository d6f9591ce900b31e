//! How each part was measured: the command that repeats it.

use super::document::{Curve, Document, Explanation, is_of_a_run, simulated};
use crate::doctor::clocks;
use crate::words::Words;
use crate::{explain, measure};
use punctual_data::quantity;
use punctual_lab::clocks::ClocksRecording;
use punctual_lab::languages;
use punctual_lab::measure::Recording;
use punctual_lab::pace::PaceRecording;
use std::time::Duration;

/// A command, and a remark about its run.
pub(super) struct Made {
    pub(super) command: String,
    pub(super) by_version: String,
    pub(super) remark: String,
}

impl Made {
    fn by(mut words: Words, version: &str, remark: String) -> Self {
        words.switch("--json", true);
        Self {
            command: words.to_string(),
            by_version: version.to_owned(),
            remark,
        }
    }
}

/// How a document was made.
pub(super) fn made(document: &Document) -> Made {
    match document {
        Document::Recording(recording) => measured(recording),
        Document::Varied(curve) => varied(curve),
        Document::Explanation(explanation) => explained(explanation),
        Document::Pace(pace) => paced(pace),
        Document::Clocks(found) => clocked(found),
        Document::Languages(found) => spoken(found),
    }
}

fn stopped(early: bool) -> &'static str {
    if early { "; stopped early" } else { "" }
}

/// What ran is not in the recording.
fn ran(recording: &Recording) -> Made {
    Made {
        command: format!(
            "punctual run --as {} --record FILE -- PROGRAM",
            simulated(recording).unwrap_or_default()
        ),
        by_version: recording.punctual_version.clone(),
        remark: "each call of the program that it made ten times or more".to_owned(),
    }
}

fn measured(recording: &Recording) -> Made {
    if is_of_a_run(recording) {
        return ran(recording);
    }
    let plan = &recording.plan;
    let mut remark = format!(
        "{} waits of each method in turns of {}, after {} uncounted ones",
        plan.count, plan.block_count, plan.warm_up_count
    );
    remark += stopped(recording.interrupted);
    for change in &recording.environment_changes {
        remark += &format!("; during the run {change}");
    }
    for missing in &recording.unavailable {
        remark += &format!("; {} is missing here: {}", missing.name, missing.reason);
    }
    let words = measure::words(&recording.question);
    Made::by(words, &recording.punctual_version, remark)
}

fn varied(curve: &Curve) -> Made {
    // A title says whether it was stopped early.
    let (words, title) = (curve.words.clone(), curve.title.clone());
    Made::by(words, &curve.punctual_version, title)
}

fn clocked(found: &ClocksRecording) -> Made {
    let unavailable = found.unavailable.iter();
    let unavailable = unavailable.map(|missing| format!("; {} is missing here", missing.name));
    let mut remark = "each clock was read alone and against the first".to_owned()
        + &unavailable.collect::<String>();
    remark += stopped(found.interrupted);
    Made::by(
        clocks::words(&found.question),
        &found.punctual_version,
        remark,
    )
}

fn spoken(found: &languages::Recording) -> Made {
    let remark = format!(
        "{} waits behind each mean, in virtual time, on simulated machines{}",
        found.question.count,
        stopped(found.interrupted)
    );
    let words = crate::windows::languages::words(&found.question);
    Made::by(words, &found.punctual_version, remark)
}

fn explained(explanation: &Explanation) -> Made {
    let refused = explanation.refused.as_ref();
    let refused = refused.map(|reason| format!("; without the kernel's trace: {reason}"));
    let mut remark = explanation.subject.clone() + &refused.unwrap_or_default();
    remark += stopped(explanation.interrupted);
    let version = &explanation.punctual_version;
    match &explanation.question {
        Some(question) => Made::by(explain::words(question), version, remark),
        // A program's run cannot be repeated.
        None => Made {
            command: "punctual explain … --json".to_owned(),
            by_version: version.clone(),
            remark,
        },
    }
}

fn paced(pace: &PaceRecording) -> Made {
    let plan = &pace.plan;
    let mut remark = format!(
        "each way for {}, after {} uncounted beats",
        quantity::show_asked(Duration::from_nanos(plan.duration_ns)),
        plan.warm_up_count
    );
    remark += stopped(pace.interrupted);
    Made::by(
        measure::words(&pace.question),
        &pace.punctual_version,
        remark,
    )
}
