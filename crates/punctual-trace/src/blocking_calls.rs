//! What a program waits in that no timer ends.

use crate::event::{Event, Kind, Left, Symbol, ThreadId};
use crate::names::Names;
use std::collections::BTreeMap;

/// A system call in which threads gave up their processors to wait.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct WaitedIn {
    /// How many times.
    pub times: u64,
    /// Its name, such as `recvfrom`.
    pub call: String,
}

/// Counts the calls in which threads wait, event by event.
#[derive(Debug, Clone, Default)]
pub struct BlockingCalls {
    inside: BTreeMap<ThreadId, Symbol>,
    waited: BTreeMap<Symbol, u64>,
    has_calls: bool,
}

impl BlockingCalls {
    /// Those in a trace.
    pub fn of(events: &[Event]) -> Self {
        let mut instead = Self::default();
        events.iter().for_each(|event| instead.note(event));
        instead
    }

    /// Takes in the next event.
    pub fn note(&mut self, event: &Event) {
        match (event.kind, event.running) {
            (Kind::CallEntered { call, .. }, Some(thread)) => {
                self.has_calls = true;
                self.inside.insert(thread, call);
            }
            (Kind::CallReturned, Some(thread)) => drop(self.inside.remove(&thread)),
            (
                Kind::Switch {
                    previous,
                    previous_state: Left::Waiting,
                    ..
                },
                _,
            ) => {
                if let Some(&call) = self.inside.get(&previous) {
                    *self.waited.entry(call).or_default() += 1;
                }
            }
            (Kind::Exited { thread }, _) => drop(self.inside.remove(&thread)),
            // The end of a call may be among what is missing.
            (Kind::Lost, _) => self.inside.clear(),
            _ => {}
        }
    }

    /// The calls in which the threads waited, the most frequent first; `None` if the trace has no
    /// system calls.
    pub fn waited_in(&self, names: &Names) -> Option<Vec<WaitedIn>> {
        let calls = self.waited.iter().map(|(&call, &times)| WaitedIn {
            times,
            call: names.text(call).to_owned(),
        });
        let mut calls: Vec<_> = calls.collect();
        calls.sort_by(|a, b| b.times.cmp(&a.times).then_with(|| a.call.cmp(&b.call)));
        self.has_calls.then_some(calls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::ProcessorId;
    use punctual::Instant;

    const THREAD: ThreadId = ThreadId(7);

    fn event(kind: Kind) -> Event {
        Event {
            at: Instant::ZERO,
            processor: ProcessorId(0),
            running: Some(THREAD),
            asked_to_switch: false,
            kind,
        }
    }

    fn leaves(previous_state: Left) -> Event {
        event(Kind::Switch {
            previous: THREAD,
            previous_state,
            previous_priority: None,
            next: ThreadId::IDLE,
            next_priority: None,
        })
    }

    fn counted(names: &Names, events: &[Event]) -> Option<Vec<(String, u64)>> {
        let calls = BlockingCalls::of(events).waited_in(names)?;
        Some(calls.into_iter().map(|row| (row.call, row.times)).collect())
    }

    #[test]
    fn a_call_counts_as_often_as_the_thread_waits_in_it() {
        let mut names = Names::default();
        let [futex, receive, read] = ["futex", "recvfrom", "read"].map(|call| names.symbol(call));
        let enters = |call| {
            event(Kind::CallEntered {
                call,
                is_lock: false,
            })
        };
        let returns = event(Kind::CallReturned);
        let events = [
            // It had to wait, it did not have to, and it only lost its processor.
            [enters(receive), leaves(Left::Waiting), returns],
            [enters(read), returns, leaves(Left::Waiting)],
            [enters(futex), leaves(Left::Ready), returns],
            [
                enters(receive),
                leaves(Left::Waiting),
                leaves(Left::Waiting),
            ],
            [enters(futex), leaves(Left::Waiting), returns],
        ];
        assert_eq!(
            counted(&names, events.as_flattened()).unwrap(),
            [("recvfrom".to_owned(), 3), ("futex".to_owned(), 1)]
        );
    }

    #[test]
    fn what_was_lost_may_have_held_the_calls_end() {
        let mut names = Names::default();
        let call = names.symbol("recvfrom");
        let entered = event(Kind::CallEntered {
            call,
            is_lock: false,
        });
        let waits = leaves(Left::Waiting);
        let events = [entered, event(Kind::Lost), waits];
        assert_eq!(counted(&names, &events), Some(Vec::new()));
        let events = [entered, event(Kind::Exited { thread: THREAD }), waits];
        assert_eq!(counted(&names, &events), Some(Vec::new()));
    }

    #[test]
    fn a_trace_without_calls_says_nothing_of_them() {
        assert_eq!(counted(&Names::default(), &[leaves(Left::Waiting)]), None);
    }
}
