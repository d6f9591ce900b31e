//! What can be said of our own loop where the kernel's trace may not be read: the two parts of each
//! lateness, and what the system's accounts name.

use super::SCHEMA;
use super::steal::steal_ns;
use crate::args::ExplainArgs;
use crate::failure::Failure;
use crate::output;
use crate::run::EXIT_INTERRUPTED;
use punctual_lab::Environment;
use punctual_lab::recording::SeriesRecord;
use punctual_trace::recording::RecordedWait;
use serde::Serialize;
use std::fs;
use std::process::ExitCode;
use std::time::Duration;

/// The system's accounts of the time in which a loop ran.
#[derive(Debug, Serialize)]
pub struct Accounts {
    schema: &'static str,
    punctual_version: &'static str,
    /// What was asked.
    pub subject: String,
    /// Why the trace could not be read.
    pub refused: String,
    /// Where it ran, as it was before.
    pub environment: Environment,
    /// What was different afterwards.
    pub environment_changes: Vec<String>,
    exact: usize,
    merged: usize,
    of: usize,
    /// How often a processor was taken from the loop's thread. `None` where nobody tells.
    pub involuntary_switches: Option<u64>,
    /// How often a quota made the loop, or others under it, wait.
    pub times_throttled: Option<u64>,
    /// Time in which the hypervisor ran others on our processors, in all of them together.
    pub steal_ns: Option<u64>,
    /// How late the loop was.
    pub series: Option<SeriesRecord>,
    /// Each wake-up in its two parts.
    pub wakeups: Vec<Split>,
}

/// A lateness in its two parts.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Split {
    /// All of it.
    pub lateness_ns: u64,
    /// Until the thread was ready.
    pub timer_ns: Option<u64>,
    /// Ready, without a processor.
    pub queue_ns: Option<u64>,
}

/// The accounts while they are kept.
pub(super) struct Books {
    environment: Environment,
    steal_before: Option<u64>,
    switches_before: Option<u64>,
    switches: Option<u64>,
}

/// What the run left.
pub(super) struct Run {
    pub(super) subject: String,
    pub(super) refused: String,
    pub(super) waited: Vec<(RecordedWait, Option<Duration>)>,
    pub(super) series: Option<SeriesRecord>,
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

    /// Looks at a thread that is alive; of one that has ended, nobody tells any more.
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
            schema: SCHEMA,
            punctual_version: env!("CARGO_PKG_VERSION"),
            subject: run.subject,
            refused: run.refused,
            environment_changes: before.differences(after),
            exact: 0,
            merged: 0,
            of: run.waited.len(),
            involuntary_switches: difference(self.switches_before, self.switches),
            times_throttled: difference(before.times_throttled, after.times_throttled),
            steal_ns: difference(self.steal_before, steal_ns()),
            series: run.series,
            wakeups: run
                .waited
                .iter()
                .map(|(wait, queued)| split(wait, *queued))
                .collect(),
            environment: self.environment,
        }
    }
}

fn split(wait: &RecordedWait, queued: Option<Duration>) -> Split {
    let lateness_ns = wait.woke_ns.saturating_sub(wait.deadline_ns);
    let nanos = |queued: Duration| u64::try_from(queued.as_nanos()).unwrap_or(u64::MAX);
    // Of the queue's time some may have passed before the deadline.
    let queue_ns = queued.map(|queued| nanos(queued).min(lateness_ns));
    Split {
        lateness_ns,
        timer_ns: queue_ns.map(|queue_ns| lateness_ns - queue_ns),
        queue_ns,
    }
}

/// <https://man7.org/linux/man-pages/man5/proc_pid_status.5.html>
fn involuntary_switches(thread: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/self/task/{thread}/status")).ok()?;
    let mut lines = status.lines();
    let count = lines.find_map(|line| line.strip_prefix("nonvoluntary_ctxt_switches:"))?;
    count.trim().parse().ok()
}

/// Shows them.
pub(super) fn show(
    args: &ExplainArgs,
    accounts: &Accounts,
    interrupted: bool,
) -> Result<ExitCode, Failure> {
    if args.save.is_some() || args.perfetto.is_some() {
        let problem = format!("there is no trace to write: {}", accounts.refused);
        return Err(Failure::run(problem));
    }
    output::show(args.format, accounts)?;
    Ok(match interrupted {
        true => ExitCode::from(EXIT_INTERRUPTED),
        false => ExitCode::SUCCESS,
    })
}
