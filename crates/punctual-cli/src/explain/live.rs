//! A trace of this machine that is explained while it is recorded.
//! With it goes what quotas of processor time did to the explained threads meanwhile.

use super::ExplainArgs;
use super::capture::{After, Before, Known};
use crate::os::own_thread;
use punctual_command::failure::{Failure, complain};
use punctual_command::output;
use punctual_command::stop::{SignalGuard, Stop};
use punctual_lab::environment::ProcessorQuota;
use punctual_lab::limits::{GroupQuota, quotas_of_thread};
use punctual_trace::outcome::Outcome;
use punctual_trace::recorder::{self, Options, Unsaved};
use punctual_trace::recording::{RecordedWait, Throttled};
use punctual_trace::{Capture, ThreadId};
use std::collections::BTreeMap;

/// How many of the worst wake-ups a report lists, unless `--keep` says so: ten seconds of a loop of
/// 1 ms.
pub(super) const MOST_ROWS: usize = 10_000;

/// A running trace, and what else is looked at meanwhile.
pub(super) struct Live {
    pub(super) trace: recorder::Live,
    before: Before,
    quotas: Quotas,
    stop: Stop,
}

/// What came of a trace.
pub(super) struct Ended {
    pub(super) outcome: Outcome,
    /// Why it is not saved as was asked for.
    pub(super) unsaved: Option<Failure>,
}

impl Live {
    /// Prepares a trace; nothing is recorded yet. The system calls of the callers, and of all that they
    /// start, will be recorded, too.
    pub(super) fn prepare(
        args: &ExplainArgs,
        known: Known,
        before: Before,
        stop: &Stop,
    ) -> Result<Self, punctual::Error> {
        let mut capture = Capture::prepare()?;
        let callers: Vec<_> = known.callers.iter().copied().map(ThreadId).collect();
        if !callers.is_empty() {
            let own = ThreadId(own_thread().unwrap_or_default());
            capture.record_calls(&callers, own)?;
        }
        known.extras.record(&mut capture)?;
        if args.stacks {
            capture.record_stacks(&callers)?;
        }
        let mut head = before.head(known)?;
        if head.waits.is_none() {
            head.scope = args.scope();
        }
        let options = Options {
            keep: args.on_late.map_or(MOST_ROWS, |_| args.keep()),
            ring: args.ring,
            is_whole: args.perfetto.is_some(),
            save: args.save.clone(),
            on_late: args.on_late,
            until: args.until,
            stacks: args.stacks,
        };
        Ok(Self {
            trace: recorder::Live::prepare(capture, head, options)?,
            before,
            quotas: Quotas::default(),
            stop: stop.clone(),
        })
    }

    /// Takes what was recorded since the last time, and the waits of our own loop. Call it ten times a
    /// second.
    pub(super) fn look(&mut self, waits: &[RecordedWait]) -> Result<(), Failure> {
        if let Some(&(thread, _)) = self.trace.head.threads.first() {
            self.quotas.look(thread);
        }
        self.trace.look(waits).map_err(Failure::run)?;
        self.tell();
        Ok(())
    }

    fn tell(&mut self) {
        for sentence in self.trace.said() {
            complain(format_args!("{sentence}"));
        }
    }

    /// Records no more, but keeps what was recorded.
    pub(super) fn pause(&self) -> Result<(), Failure> {
        self.trace.starter().pause().map_err(Failure::run)
    }

    /// Ends the trace, and completes the files. A signal until now has ended it early.
    pub(super) fn finish(
        mut self,
        waits: &[RecordedWait],
        after: &After,
        guard: SignalGuard,
    ) -> Result<Ended, Failure> {
        self.trace.end(waits).map_err(Failure::run)?;
        self.tell();
        let head = &mut self.trace.head;
        head.environment_changes = self.before.changes(after);
        head.throttled = self.quotas.throttled();
        if head.waits.is_none() {
            // The machine's changes have the quotas of our own loop.
            let said = head.throttled.iter().filter_map(sentence);
            head.environment_changes.extend(said);
        }
        head.interrupted = guard.end();
        let mut ring = None;
        let completed = self.trace.complete(|file, recording| {
            ring = output::file(&self.stop, file, |out| recording.write(out)).err();
        });
        let (outcome, unsaved) = completed.map_err(Failure::run)?;
        Ok(Ended {
            outcome,
            unsaved: ring.or(unsaved.map(why)),
        })
    }
}

fn why(Unsaved { file, error }: Unsaved) -> Failure {
    match file {
        Some(file) => output::unwritten(&file, &error),
        None => Failure::run(error),
    }
}

/// The groups in which the threads were seen, as they were at first and at last.
#[derive(Debug, Default)]
struct Quotas(BTreeMap<String, (GroupQuota, GroupQuota)>);

impl Quotas {
    /// Looks at the groups of a thread. It may be in others than it was.
    pub(super) fn look(&mut self, thread: u32) {
        self.note(quotas_of_thread(thread));
    }

    fn note(&mut self, quotas: Vec<GroupQuota>) {
        for quota in quotas {
            let first_and_last = self.0.entry(quota.group.clone());
            let (_, last) = first_and_last.or_insert_with(|| (quota.clone(), quota.clone()));
            *last = quota;
        }
    }

    /// What they did.
    fn throttled(&self) -> Vec<Throttled> {
        let groups = self.0.iter();
        let groups = groups.map(|(group, (first, last))| Throttled {
            group: group.clone(),
            quota_ns: last.quota_us.saturating_mul(1_000),
            period_ns: last.period_us.saturating_mul(1_000),
            times: last.times_throttled.saturating_sub(first.times_throttled),
        });
        groups.collect()
    }
}

/// What a quota did, as a sentence.
pub(super) fn sentence(throttled: &Throttled) -> Option<String> {
    let quota = ProcessorQuota::Limited {
        quota_us: throttled.quota_ns / 1_000,
        period_us: throttled.period_ns / 1_000,
    };
    let times = match throttled.times {
        0 => return None,
        1 => "once".to_owned(),
        times => format!("{times} times"),
    };
    Some(format!(
        "the group {} used up its processor quota of {quota} {times}",
        throttled.group
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quota(group: &str, times_throttled: u64) -> GroupQuota {
        GroupQuota {
            group: group.to_owned(),
            quota_us: 3_000,
            period_us: 20_000,
            times_throttled,
            throttled_ns: None,
        }
    }

    #[test]
    fn only_what_happened_meanwhile_counts_in_whichever_group() {
        let mut quotas = Quotas::default();
        quotas.note(vec![quota("/a", 7), quota("/a/b", 2)]);
        quotas.note(vec![quota("/a", 9), quota("/a/b", 2)]);
        quotas.note(vec![quota("/c", 1)]);
        quotas.note(Vec::new());
        let throttled = quotas.throttled();
        let times: Vec<_> = throttled
            .iter()
            .map(|it| (it.group.as_str(), it.times))
            .collect();
        assert_eq!(times, [("/a", 2), ("/a/b", 0), ("/c", 0)]);
        let said: Vec<_> = throttled.iter().filter_map(sentence).collect();
        let expected = "the group /a used up its processor quota of 3 of every 20 ms 2 times";
        assert_eq!(said, [expected]);
    }
}
