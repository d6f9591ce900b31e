//! What a program's waits have been, as versioned JSON. Units are in the names of the keys.

use crate::statistics::{Key, Row};
use crate::windows::Windows;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.run/1";

/// What the waits of a program were under a Windows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The waits by process and call, those with the most first.
    pub calls: Vec<CallRecord>,
    /// What each executable was taken for.
    pub runtimes: Vec<RuntimeRecord>,
    /// What could not be steered.
    pub not_steered: Vec<NotSteered>,
    /// How often timers that repeat have fired.
    pub firings: u64,
}

/// The waits of one process by one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    /// The process's executable.
    pub process: String,
    /// Its number; `None` for those of a name that has too many processes to show each.
    pub pid: Option<u32>,
    /// The system call.
    pub call: String,
    /// What it was taken for: a persona's name, or the nearest call of Windows.
    pub rule: String,
    /// How many waits.
    pub waits: u64,
    /// How many ended because their time had come.
    pub timed_out: u64,
    /// How many ended earlier, by what they waited for.
    pub ended_by_events: u64,
    /// How many ended earlier, by a signal or the end of their thread.
    pub interrupted: u64,
    /// How many of those that timed out ended later than was asked for.
    pub lengthened: u64,
    /// By how much on average.
    pub mean_longer_ns: u64,
    /// What those that timed out had asked for.
    pub asked: Option<Lengths>,
    /// How long they took.
    pub taken: Option<Lengths>,
}

/// The distribution of lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lengths {
    /// The median.
    pub p50_ns: u64,
    /// Only one in a hundred was longer.
    pub p99_ns: u64,
    /// The longest.
    pub max_ns: u64,
}

/// What an executable was taken for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuntimeRecord {
    /// Its name.
    pub process: String,
    /// The runtime, in words.
    pub runtime: String,
}

/// Something that could not be steered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotSteered {
    /// The process's executable.
    pub process: String,
    /// What it was, in words.
    pub what: String,
    /// How often.
    pub times: u64,
}

impl Summary {
    /// That of a run.
    pub fn of(windows: &Windows) -> Self {
        let statistics = windows.statistics();
        let mut calls: Vec<CallRecord> = statistics.rows().map(CallRecord::from).collect();
        calls.sort_by_key(|call| std::cmp::Reverse(call.waits));
        let runtimes = statistics.runtimes();
        let not_steered = statistics.not_steered();
        Self {
            calls,
            runtimes: runtimes
                .map(|(process, runtime)| RuntimeRecord {
                    process: process.to_owned(),
                    runtime: runtime.to_owned(),
                })
                .collect(),
            not_steered: not_steered
                .map(|(process, what, times)| NotSteered {
                    process: process.to_owned(),
                    what: what.to_owned(),
                    times,
                })
                .collect(),
            firings: statistics.firings(),
        }
    }
}

impl From<(&Key, &Row)> for CallRecord {
    fn from((key, row): (&Key, &Row)) -> Self {
        let mean = row.longer.as_nanos() / u128::from(row.lengthened.max(1));
        Self {
            process: key.name.clone(),
            pid: key.process.map(|process| process.0),
            call: key.call.name().to_owned(),
            rule: key.rule.to_owned(),
            waits: row.waits,
            timed_out: row.timed_out,
            ended_by_events: row.events,
            interrupted: row.interrupted,
            lengthened: row.lengthened,
            mean_longer_ns: u64::try_from(mean).unwrap_or(u64::MAX),
            asked: Lengths::of(row, |(asked, _)| *asked),
            taken: Lengths::of(row, |(_, taken)| *taken),
        }
    }
}

impl Lengths {
    fn of(row: &Row, which: impl Fn(&(Duration, Duration)) -> Duration) -> Option<Self> {
        let nanos = |share| {
            let length = row.quantile(share, &which)?;
            u64::try_from(length.as_nanos()).ok()
        };
        Some(Self {
            p50_ns: nanos(0.5)?,
            p99_ns: nanos(0.99)?,
            max_ns: nanos(1.0)?,
        })
    }
}
