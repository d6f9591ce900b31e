//! What commands print as JSON and read again, and reports of `powercfg`.

use punctual_lab::calls;
use punctual_lab::clocks::ClocksRecording;
use punctual_lab::compare::compare;
use punctual_lab::measure::{self, Recording};
use punctual_lab::pace::PaceRecording;
use punctual_lab::resolution::{Asked, Now};
use punctual_lab::simulated::SimulatedOs;
use punctual_windows::requesters::Requesters;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// JSON of any command.
pub fn document(json: &[u8]) -> bool {
    if let Some(recording) = comes_back::<Recording>(json) {
        let found = compare(&recording, &recording);
        assert!(found.unmatched.is_empty());
        can_be_asked(&recording.question);
        return true;
    }
    comes_back::<PaceRecording>(json).is_some()
        | comes_back::<calls::Recording>(json).is_some()
        | comes_back::<ClocksRecording>(json).is_some()
        | comes_back::<Now>(json).is_some()
        | comes_back::<Asked>(json).is_some()
}

/// A question out of a file is checked before anything runs.
fn can_be_asked(question: &measure::Question) {
    if question.on.is_some() {
        let _ = (
            question.plan::<SimulatedOs>(),
            question.steps::<SimulatedOs>(),
        );
    }
}

/// What is read, if it is one. Written and read again, it is the same text.
fn comes_back<T: Serialize + DeserializeOwned>(json: &[u8]) -> Option<T> {
    let document: T = serde_json::from_slice(json).ok()?;
    let written = serde_json::to_string(&document).expect("what was read can be written");
    let again: T = serde_json::from_str(&written).expect("what was written can be read");
    let twice = serde_json::to_string(&again).expect("what was read can be written");
    assert_eq!(written, twice);
    Some(document)
}

/// The report of `powercfg /energy`, HTML or XML.
pub fn energy_report(bytes: &[u8]) -> bool {
    let Ok(requesters) = Requesters::of_report(bytes) else {
        return false;
    };
    let intervals = requesters
        .requests
        .iter()
        .map(|request| request.interval_ns);
    assert!(intervals.is_sorted());
    true
}
