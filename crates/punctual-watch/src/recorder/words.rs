//! What made a wake-up late, in words.

use crate::late::Part;
use punctual::Instant;
use punctual_trace::{Cause, Names, ThreadId, WakeUp, Who};
use std::collections::BTreeMap;

/// How many causes are told. Of a lateness of seconds, thousands of threads may have a part.
const MOST: usize = 16;

/// The causes of a lateness, the greatest part first.
pub(super) fn causes(wake_up: &WakeUp, names: &Names) -> Vec<Part> {
    let mut parts: BTreeMap<String, u64> = BTreeMap::new();
    for (at, segment) in wake_up.timed_segments() {
        let cause = sentence(segment.cause, segment.who, names, at);
        *parts.entry(cause).or_default() += segment.ns;
    }
    let parts = parts.into_iter();
    let mut parts: Vec<_> = parts
        .map(|(cause, lateness_ns)| Part { cause, lateness_ns })
        .collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.lateness_ns));
    if parts.len() > MOST {
        let rest = parts.split_off(MOST - 1);
        parts.push(Part {
            cause: format!("{} more causes", rest.len()),
            lateness_ns: rest.iter().map(|part| part.lateness_ns).sum(),
        });
    }
    parts
}

fn sentence(cause: Cause, who: Who, names: &Names, at: Instant) -> String {
    let who = Named { who, names, at };
    match cause {
        Cause::ArmedLate => "the watch itself was late to wait".to_owned(),
        Cause::AskedLate => "the timer was set for later than the deadline".to_owned(),
        Cause::Slack => "timer slack: the kernel was free to wait longer".to_owned(),
        Cause::InterruptLate => format!("the timer interrupt was late, {}", who.meanwhile()),
        Cause::Handler => format!("the timer interrupt was handled{}", who.after_colon()),
        Cause::Thread => format!("another thread ran{}", who.after_colon()),
        Cause::TurnOver => format!("its turn was over, and another ran{}", who.after_colon()),
        Cause::GivingWay => format!("another thread was giving way{}", who.after_colon()),
        Cause::Interrupt => format!("an interrupt was handled{}", who.after_colon()),
        Cause::Deferred => format!("deferred work of interrupts ran{}", who.after_colon()),
        Cause::IdleExit => "the processor woke up from idle".to_owned(),
        Cause::Migration => "it was moved to another processor".to_owned(),
        Cause::Quota => "its group had used up its quota of processor time".to_owned(),
        Cause::Stopped => "a signal or a debugger had stopped it".to_owned(),
        Cause::Blocked => "it waited within the kernel, for a disk or for memory".to_owned(),
        Cause::Lock => format!("it waited for a lock{}", who.after_colon()),
        Cause::Sleeping => "it waited for something else".to_owned(),
        Cause::AfterSwitch => "it ran, and had not yet read the clock".to_owned(),
        Cause::Merged => {
            format!(
                "the switch to it was not recorded; until then, {}",
                who.meanwhile()
            )
        }
    }
}

struct Named<'a> {
    who: Who,
    names: &'a Names,
    at: Instant,
}

impl Named<'_> {
    fn name(&self) -> Option<String> {
        match self.who {
            Who::Unknown | Who::Idle => None,
            Who::Thread(thread) if thread.is_idle() => None,
            Who::Thread(ThreadId(number)) => {
                let name = self.names.thread_name(ThreadId(number), self.at);
                Some(format!("{name} ({number})"))
            }
            who => Some(who.name(self.names, self.at)),
        }
    }

    fn after_colon(&self) -> String {
        self.name()
            .map_or(String::new(), |name| format!(": {name}"))
    }

    fn meanwhile(&self) -> String {
        match (self.name(), self.who) {
            (Some(name), _) => format!("while this had the processor: {name}"),
            (None, Who::Unknown) => "while nobody knows who had the processor".to_owned(),
            (None, _) => "while the processor was idle".to_owned(),
        }
    }
}
