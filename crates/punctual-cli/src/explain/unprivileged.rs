//! Explains our own loop without the kernel's trace: the two parts of each lateness, and the
//! system's accounts.

use super::{ExplainArgs, SCHEMA};
use crate::os::{involuntary_switches, steal_ns};
use punctual_command::failure::Failure;
use punctual_command::stop::Stop;
use punctual_lab::Environment;
use punctual_lab::measure::{Question, SeriesRecord};
use punctual_trace::recording::RecordedWait;
use punctual_trace::report::bound::Findings;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The system's accounts for the time of the loop.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Accounts {
    schema: String,
    pub punctual_version: String,
    /// The loop.
    pub question: Question,
    /// The question.
    pub subject: String,
    /// Why the trace could not be read.
    pub refused: String,
    /// The machine before the loop.
    pub environment: Environment,
    /// The changes of the machine afterwards.
    pub environment_changes: Vec<String>,
    /// How often a processor was taken from the loop's thread. `None` if the system does not tell.
    pub involuntary_switches: Option<u64>,
    /// How often a quota made the loop, or other programs under the same quota, wait.
    pub times_throttled: Option<u64>,
    /// Time in which the hypervisor ran other machines on our processors, summed over all of them.
    pub steal_ns: Option<u64>,
    /// Whether a signal ended the loop early.
    #[serde(default)]
    pub interrupted: bool,
    /// How late the loop was.
    pub series: Option<SeriesRecord>,
    /// Each wake-up in its two parts.
    pub wakeups: Vec<Split>,
    /// Whether its text has everything.
    #[serde(skip)]
    pub is_long: bool,
}

/// A lateness in its two parts.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Split {
    /// The whole lateness.
    pub lateness_ns: u64,
    /// Until the thread was ready.
    pub timer_ns: Option<u64>,
    /// Ready, without a processor.
    pub queue_ns: Option<u64>,
}

/// The accounts during the run.
pub(super) struct Books {
    environment: Environment,
    steal_before: Option<u64>,
    switches_before: Option<u64>,
    switches: Option<u64>,
}

/// The results of the run.
pub(super) struct Run {
    pub(super) question: Question,
    pub(super) subject: String,
    pub(super) refused: String,
    pub(super) waited: Vec<(RecordedWait, Option<Duration>)>,
    pub(super) series: Option<SeriesRecord>,
    pub(super) interrupted: bool,
    pub(super) is_long: bool,
}

impl Books {
    pub(super) fn open(environment: &Environment) -> Self {
        Self {
            environment: environment.clone(),
            steal_before: steal_ns(),
            switches_before: None,
            switches: None,
        }
    }

    /// Reads the accounts of a running thread. They end with the thread.
    pub(super) fn look(&mut self, thread: u32) {
        if let Some(switches) = involuntary_switches(thread) {
            self.switches_before.get_or_insert(switches);
            self.switches = Some(switches);
        }
    }

    pub(super) fn close(self, run: Run, after: &Environment) -> Accounts {
        let before = &self.environment;
        let difference = |before: Option<u64>, after: Option<u64>| {
            let both = before.zip(after);
            both.map(|(before, after)| after.saturating_sub(before))
        };
        Accounts {
            schema: SCHEMA.to_owned(),
            punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
            question: run.question,
            subject: run.subject,
            refused: run.refused,
            environment_changes: before.differences(after),
            involuntary_switches: difference(self.switches_before, self.switches),
            times_throttled: difference(before.times_throttled, after.times_throttled),
            steal_ns: difference(self.steal_before, steal_ns()),
            interrupted: run.interrupted,
            series: run.series,
            wakeups: run
                .waited
                .iter()
                .map(|(wait, queued)| split(wait, *queued))
                .collect(),
            environment: self.environment,
            is_long: run.is_long,
        }
    }
}

fn split(wait: &RecordedWait, queued: Option<Duration>) -> Split {
    let lateness_ns = wait.woke_ns.saturating_sub(wait.deadline_ns);
    let nanos = |queued: Duration| u64::try_from(queued.as_nanos()).unwrap_or(u64::MAX);
    // Part of the queue's time may have passed before the deadline.
    let queue_ns = queued.map(|queued| nanos(queued).min(lateness_ns));
    Split {
        lateness_ns,
        timer_ns: queue_ns.map(|queue_ns| lateness_ns - queue_ns),
        queue_ns,
    }
}

/// Shows the accounts. Whether all bounds were kept.
pub(super) fn show(args: &ExplainArgs, accounts: &Accounts, stop: &Stop) -> Result<bool, Failure> {
    crate::show::in_format(args.format, accounts)?;
    let lateness = accounts.series.as_ref().filter(|series| series.count > 0);
    let findings = Findings::without_causes(lateness.map(|series| &series.per_wake));
    Ok(super::are_kept(&args.fail_if, &findings, stop))
}
