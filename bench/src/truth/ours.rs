//! What `punctual explain --json` says, in the words of both.

use super::parts::{Part, Parts};
use crate::failure::Failure;
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// A wake-up that Punctual found.
#[derive(Debug, Clone)]
pub struct Found {
    pub thread: u32,
    /// The thread's name at that time.
    pub name: String,
    /// None if it is not known.
    pub deadline: Option<u64>,
    pub end: u64,
    /// `exact`, `ambiguous`, or why it is not explained.
    pub verdict: String,
    pub parts: Parts,
}

#[derive(Deserialize)]
struct Explanation {
    wakeups: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    thread: String,
    /// None if it is not known.
    deadline_ns: Option<u64>,
    woke_ns: u64,
    verdict: String,
    segments: Vec<Segment>,
}

#[derive(Deserialize)]
struct Segment {
    cause: String,
    occupant: String,
    ns: u64,
}

pub fn read(path: &Path) -> Result<Vec<Found>, Failure> {
    let explanation: Explanation = serde_json::from_str(&fs::read_to_string(path)?)?;
    explanation.wakeups.into_iter().map(found).collect()
}

fn found(row: Row) -> Result<Found, Failure> {
    let (name, thread) = numbered(&row.thread)
        .ok_or_else(|| format!("a thread without a number: {}", row.thread))?;
    let mut parts = Parts::default();
    for segment in &row.segments {
        parts.add(part(segment)?, segment.ns);
    }
    Ok(Found {
        thread,
        name: name.to_owned(),
        deadline: row.deadline_ns,
        end: row.woke_ns,
        verdict: row.verdict,
        parts,
    })
}

/// `name-number`.
fn numbered(thread: &str) -> Option<(&str, u32)> {
    let (name, number) = thread.rsplit_once('-')?;
    Some((name, number.parse().ok()?))
}

fn part(segment: &Segment) -> Result<Part, Failure> {
    let Segment {
        cause, occupant, ..
    } = segment;
    Ok(match cause.as_str() {
        "armed-late" => Part::Own,
        "asked-late" | "slack" => Part::Slack,
        "interrupt-late" => Part::InterruptLate,
        "irq-handler" => Part::IrqHandler,
        "run-queue-wait"
        | "preempted"
        | "slice-expired"
        | "picked-another"
        | "wake-up-preemption-delay" => match numbered(occupant) {
            Some((_, thread)) => Part::Thread(thread),
            None => return Err(format!("a thread without a number: {occupant}").into()),
        },
        "interrupt" | "softirq" => Part::Interrupts,
        "idle-exit" | "migration" => Part::Idle,
        "after-switch" => Part::After,
        "ambiguous" => Part::Ambiguous,
        "throttled" => Part::Throttled,
        "stopped" => Part::Stopped,
        "blocked" => Part::Blocked,
        "lock" => Part::Lock,
        "sleeping" => Part::Sleeping,
        other => return Err(format!("an unknown cause: {other}").into()),
    })
}
