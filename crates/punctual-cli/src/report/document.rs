//! What other commands print with `--json`, as far as a page shows it. Every schema has its own door
//! here; what a page does not need is not read.

use crate::show::circumstances;
use punctual_lab::Recording;
use punctual_lab::clocks::ClocksRecording;
use punctual_lab::slack::SlackSweep;
use serde::Deserialize;

/// Something to show.
#[derive(Debug)]
pub(super) enum Document {
    Recording(Box<Recording>),
    Sweep(Sweep),
    Explanation(Explanation),
    Pace(Box<Pace>),
    Slack(Box<SlackSweep>),
    Clocks(Box<ClocksRecording>),
}

/// Of `punctual.sweep/1`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Sweep {
    pub(super) punctual_version: String,
    pub(super) seed: u64,
    /// Whose request it is: `other`, `self` or `parent`.
    #[serde(default = "other")]
    pub(super) by: String,
    pub(super) with: Vec<String>,
    pub(super) machines: Vec<Swept>,
}

fn other() -> String {
    "other".to_owned()
}

impl Sweep {
    /// Who requests, in words.
    pub(super) fn requester(&self) -> &'static str {
        match self.by.as_str() {
            "self" => "the process itself",
            "parent" => "its parent process",
            _ => "another process",
        }
    }

    /// Whether a machine was swept that is no simulated one.
    pub(super) fn is_native(&self) -> bool {
        self.machines
            .iter()
            .any(|machine| machine.version == NATIVE)
    }
}

/// The version of a machine that is none of the simulated ones.
const NATIVE: &str = "native";

/// A machine, under one request after the other.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Swept {
    pub(super) machine: String,
    #[serde(default)]
    pub(super) version: String,
    pub(super) rows: Vec<SweptRow>,
}

/// What a request of another process does.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct SweptRow {
    pub(super) requested_ns: u64,
    pub(super) sleep_1: Mean,
    pub(super) published: Option<Published>,
}

/// The mean of many.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Mean {
    pub(super) mean_ns: u64,
}

/// Whether what is published came out.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Published {
    pub(super) agrees: bool,
    /// Whether it is about a machine on which other programs slept, too.
    #[serde(default)]
    pub(super) others_slept: bool,
}

/// Of `punctual.explanation/1`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Explanation {
    pub(super) punctual_version: String,
    pub(super) subject: String,
    /// Why the trace could not be read.
    pub(super) refused: Option<String>,
    pub(super) exact: u64,
    pub(super) merged: u64,
    pub(super) of: u64,
    #[serde(default)]
    pub(super) causes: Vec<CauseTotal>,
    pub(super) wakeups: Vec<WakeUp>,
}

/// What a cause took of all lateness.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct CauseTotal {
    pub(super) cause: String,
    pub(super) who: String,
    pub(super) total_ns: u64,
    pub(super) share: f64,
}

/// A late wake-up: in segments, or where the trace could not be read in two parts.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct WakeUp {
    pub(super) lateness_ns: u64,
    #[serde(default)]
    pub(super) segments: Vec<Segment>,
    pub(super) timer_ns: Option<u64>,
    pub(super) queue_ns: Option<u64>,
}

/// A part of a lateness.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Segment {
    pub(super) cause: String,
    pub(super) who: String,
    pub(super) ns: u64,
}

/// Of `punctual.pace/1`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Pace {
    pub(super) punctual_version: String,
    pub(super) environment: punctual_lab::Environment,
    pub(super) asked: PaceAsked,
    pub(super) ways: Vec<PaceWay>,
}

/// What beat was asked for.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct PaceAsked {
    pub(super) period_ns: f64,
    pub(super) duration_ns: u64,
    pub(super) work_ns: u64,
    pub(super) on: Option<String>,
    pub(super) with: Vec<String>,
}

/// How one way kept it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct PaceWay {
    pub(super) way: String,
    pub(super) beats: u64,
    pub(super) average_ns: Option<f64>,
    pub(super) error_ppm: Option<f64>,
    pub(super) error_s_per_day: Option<f64>,
    pub(super) jitter_ns: f64,
    pub(super) intervals: Longest,
    pub(super) missed: u64,
    pub(super) processor_share: f64,
    pub(super) stretches: Vec<Stretch>,
}

/// Of the intervals from beat to beat.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Longest {
    pub(super) max_ns: u64,
}

/// What happened in a stretch of time.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Stretch {
    pub(super) elapsed_ns: u64,
    pub(super) average_ns: f64,
}

#[derive(Deserialize)]
struct Header {
    schema: String,
}

impl Document {
    /// Reads what another command printed.
    pub(super) fn from_json(text: &str) -> Result<Self, String> {
        let wrong = |error: serde_json::Error| format!("not what Punctual prints: {error}");
        let Header { schema } = serde_json::from_str(text).map_err(wrong)?;
        match schema.as_str() {
            "punctual.sweep/1" => serde_json::from_str(text).map(Self::Sweep).map_err(wrong),
            "punctual.explanation/1" => {
                let read = serde_json::from_str(text).map(Self::Explanation);
                read.map_err(wrong)
            }
            "punctual.pace/1" => {
                let read = serde_json::from_str(text).map(|pace| Self::Pace(Box::new(pace)));
                read.map_err(wrong)
            }
            "punctual.slack-sweep/1" => {
                let read = serde_json::from_str(text).map(|swept| Self::Slack(Box::new(swept)));
                read.map_err(wrong)
            }
            "punctual.clocks/1" => {
                let read = serde_json::from_str(text).map(|found| Self::Clocks(Box::new(found)));
                read.map_err(wrong)
            }
            schema if schema.starts_with("punctual.recording/") => {
                let read = Recording::from_json(text).map_err(|error| error.to_string());
                Ok(Self::Recording(Box::new(read?)))
            }
            other => Err(format!(
                "its schema is '{other}', and a page shows what 'measure', 'sweep', 'explain', \
                 'pace' and 'clocks' print with --json"
            )),
        }
    }
}

/// The simulated machine a recording is of, if it is.
pub(super) fn simulated(recording: &Recording) -> Option<&str> {
    recording.asked.on.as_deref()
}

/// A recording's machine, and what it was like meanwhile: what tells a page's recordings apart.
pub(super) fn described(recording: &Recording) -> String {
    let asked = &recording.asked;
    let meanwhile = circumstances(
        &asked.load,
        &asked.priority,
        asked.pin,
        None,
        &asked.with,
        asked.request_ns,
    );
    machine_name(recording) + &meanwhile
}

/// What a recording's machine is called.
pub(super) fn machine_name(recording: &Recording) -> String {
    let system = recording.environment.system.as_deref();
    match (simulated(recording), system) {
        (Some(machine), _) => format!("{machine}, simulated"),
        (None, Some(system)) => system.to_owned(),
        (None, None) => "an unnamed machine".to_owned(),
    }
}
