//! Documents that other commands print with `--json`. Each is read with the type that wrote it.

use crate::explain;
use crate::measure::{self, Printed, Varied};
use crate::show::circumstances;
use crate::words::Words;
use punctual_lab::Environment;
use punctual_lab::calls::Lengths;
use punctual_lab::clocks::{self, ClocksRecording};
use punctual_lab::languages;
use punctual_lab::measure::{Deadlines, Question, Recording};
use punctual_lab::pace::{Beats, PaceRecording};
use punctual_lab::recording;
use punctual_lab::waiters::Kind;
use punctual_trace::report::{CauseRow, SegmentRow};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

/// A document to show.
#[derive(Debug)]
pub(super) enum Document {
    Recording(Box<Recording>),
    Varied(Box<Curve>),
    Explanation(Box<Explanation>),
    Pace(Box<PaceRecording>),
    Clocks(Box<ClocksRecording>),
    Languages(Box<languages::Recording>),
}

/// The documents of a kind.
macro_rules! found {
    ($documents:expr, $kind:ident) => {
        $documents.iter().filter_map(|document| match document {
            Document::$kind(found) => Some(&**found),
            _ => None,
        })
    };
}
pub(super) use found;

/// Late wake-ups and their causes, from the kernel's trace or from the system's accounts.
#[derive(Debug, Clone)]
pub(super) struct Explanation {
    pub(super) punctual_version: String,
    /// The question of the explained loop; none for other programs.
    pub(super) question: Option<Question>,
    pub(super) subject: String,
    /// Whether a signal ended it early.
    pub(super) interrupted: bool,
    /// Why the trace could not be read.
    pub(super) refused: Option<String>,
    pub(super) exact: usize,
    pub(super) ambiguous: usize,
    pub(super) of: usize,
    pub(super) causes: Vec<CauseRow>,
    pub(super) wakeups: Vec<WakeUp>,
}

/// A late wake-up, in the order of time.
#[derive(Debug, Clone)]
pub(super) struct WakeUp {
    pub(super) lateness_ns: u64,
    pub(super) segments: Vec<Segment>,
}

/// A part of a lateness.
#[derive(Debug, Clone)]
pub(super) struct Segment {
    pub(super) cause: String,
    pub(super) occupant: String,
    pub(super) ns: u64,
}

impl Explanation {
    pub(super) fn of_trace(found: explain::Explanation) -> Self {
        let report = found.report;
        let segment = |part: SegmentRow| Segment {
            cause: part.cause.to_string(),
            occupant: part.occupant,
            ns: part.ns,
        };
        let wakeups = report.wakeups.into_iter().filter_map(|up| {
            Some(WakeUp {
                lateness_ns: up.lateness_ns?,
                segments: up.segments.into_iter().map(segment).collect(),
            })
        });
        Self {
            punctual_version: found.punctual_version,
            question: found.question,
            subject: found.subject,
            interrupted: found.interrupted,
            refused: None,
            exact: report.exact,
            ambiguous: report.ambiguous,
            of: report.of,
            causes: report.causes,
            wakeups: wakeups.collect(),
        }
    }

    /// The two parts of each lateness, if the system tells them.
    pub(super) fn of_accounts(found: explain::Accounts) -> Self {
        let part = |cause: &str, ns: Option<u64>| {
            ns.map(|ns| Segment {
                cause: cause.to_owned(),
                occupant: String::new(),
                ns,
            })
        };
        let wakeups = found.wakeups.iter().map(|up| WakeUp {
            lateness_ns: up.lateness_ns,
            segments: [part("timer", up.timer_ns), part("queue", up.queue_ns)]
                .into_iter()
                .flatten()
                .collect(),
        });
        Self {
            punctual_version: found.punctual_version,
            question: Some(found.question),
            subject: found.subject,
            interrupted: found.interrupted,
            refused: Some(found.refused),
            exact: 0,
            ambiguous: 0,
            of: found.wakeups.len(),
            causes: Vec::new(),
            wakeups: wakeups.collect(),
        }
    }
}

/// A measurement in which a condition is varied, of any schedule.
#[derive(Debug)]
pub(super) struct Curve {
    pub(super) found: Varied,
    /// What was measured, and on which machine.
    pub(super) title: String,
    /// The simulated machine, or the system of this one.
    pub(super) machine: String,
    pub(super) is_simulated: bool,
    pub(super) environment: Environment,
    /// The command that measures the same again.
    pub(super) words: Words,
    pub(super) punctual_version: String,
}

impl Curve {
    /// `None` if nothing is varied in it.
    pub(super) fn of<S: Printed>(recording: &recording::Recording<S>) -> Option<Self> {
        let on = recording.question.on.as_ref().map(|on| on.machine.clone());
        Some(Self {
            found: Varied::of(recording)?,
            title: S::title(recording),
            is_simulated: on.is_some(),
            machine: on
                .or(recording.environment.system.clone())
                .unwrap_or_default(),
            environment: recording.environment.clone(),
            words: measure::words(&recording.question),
            punctual_version: recording.punctual_version.clone(),
        })
    }
}

#[derive(Deserialize)]
struct Header {
    schema: String,
    tried_for: Option<Kind>,
    #[serde(default)]
    points: Vec<IgnoredAny>,
    /// Of an explanation: why there was no trace.
    refused: Option<String>,
    punctual_version: Option<Value>,
}

impl Document {
    /// Reads the output of another command.
    pub(super) fn from_json(text: &str) -> Result<Self, String> {
        let header: Header = serde_json::from_str(text).map_err(unreadable)?;
        match header.schema.as_str() {
            recording::SCHEMA if !header.points.is_empty() => match header.tried_for {
                Some(Kind::Deadlines) | None => read_varied::<Deadlines>(text),
                Some(Kind::Beats) => read_varied::<Beats>(text),
                Some(Kind::Lengths) => read_varied::<Lengths>(text),
            },
            recording::SCHEMA => match header.tried_for {
                Some(Kind::Deadlines) | None => read(text, Self::Recording),
                Some(Kind::Beats) => read(text, Self::Pace),
                Some(Kind::Lengths) => Err("a page shows no waits of a length".to_owned()),
            },
            clocks::SCHEMA => read(text, Self::Clocks),
            languages::SCHEMA => read(text, Self::Languages),
            explain::SCHEMA if header.refused.is_some() => {
                read(text, |found: Box<explain::Accounts>| {
                    Self::Explanation(Box::new(Explanation::of_accounts(*found)))
                })
            }
            explain::SCHEMA => read(text, |found: Box<explain::Explanation>| {
                Self::Explanation(Box::new(Explanation::of_trace(*found)))
            }),
            other => {
                let shown =
                    "what 'measure', 'explain', 'doctor clocks' and 'windows' print with --json";
                Err(explain::of_another_version(
                    other,
                    header.punctual_version.as_ref(),
                    shown,
                ))
            }
        }
    }
}

fn read_varied<S: Printed>(text: &str) -> Result<Document, String> {
    let found = serde_json::from_str::<recording::Recording<S>>(text).map_err(unreadable)?;
    let curve = Curve::of(&found).ok_or("it does not say which condition is varied")?;
    Ok(Document::Varied(Box::new(curve)))
}

fn unreadable(error: serde_json::Error) -> String {
    format!("not the JSON of a Punctual command: {error}")
}

/// Reads a document with the type that wrote it.
fn read<T: DeserializeOwned>(
    text: &str,
    document: impl FnOnce(Box<T>) -> Document,
) -> Result<Document, String> {
    serde_json::from_str(text).map(document).map_err(unreadable)
}

/// The simulated machine of a recording, if there is one.
pub(super) fn simulated(recording: &Recording) -> Option<&str> {
    let on = recording.question.on.as_ref()?;
    Some(&on.machine)
}

/// Whether it is of a program that ran on a real machine under a Windows' rules. A simulated machine
/// has no kernel.
pub(super) fn is_of_a_run(recording: &Recording) -> bool {
    simulated(recording).is_some() && recording.environment.kernel.is_some()
}

/// A recording's machine and conditions. They tell a page's recordings apart.
pub(super) fn described(recording: &Recording) -> String {
    let asked = &recording.question;
    let meanwhile = circumstances(&asked.conditions, None, asked.request);
    machine_name(recording) + &meanwhile
}

/// The name of a recording's machine.
pub(super) fn machine_name(recording: &Recording) -> String {
    let system = recording.environment.system.as_deref();
    match (simulated(recording), system) {
        (Some(machine), _) if is_of_a_run(recording) => format!("Program as if on {machine}"),
        (Some(machine), _) => format!("{machine}, simulated"),
        (None, Some(system)) => system.to_owned(),
        (None, None) => "an unnamed machine".to_owned(),
    }
}
