//! Stacks at the switches of threads.

use super::forgetting::forget;
use crate::event::{Event, Kind, ProcessorId, ThreadId};
use crate::segment::Stack;
use punctual::Instant;
use std::collections::BTreeMap;

/// Those of several threads, while the trace is read: at their own switches, and at those of other threads
/// that left a processor to them.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    of: BTreeMap<ThreadId, Vec<Stack>>,
    /// The processors whose last event was a switch of such a thread, from what to what.
    switched: BTreeMap<ProcessorId, (ThreadId, ThreadId)>,
}

impl Stacks {
    pub(super) fn follow(&mut self, thread: ThreadId) {
        self.of.entry(thread).or_default();
    }

    pub(super) fn remove(&mut self, thread: ThreadId) {
        self.of.remove(&thread);
    }

    /// Takes in an event. A stack belongs to the event before it on its processor.
    pub(super) fn note(&mut self, event: &Event) {
        match event.kind {
            Kind::Switch { previous, next, .. }
                if self.of.contains_key(&previous) || self.of.contains_key(&next) =>
            {
                self.switched.insert(event.processor, (previous, next));
            }
            Kind::Stack { text } => {
                if let Some((thread, next)) = self.over(event.processor) {
                    let at = event.at;
                    let stack = Stack { at, thread, text };
                    for of in [thread, next] {
                        self.of.entry(of).and_modify(|stacks| stacks.push(stack));
                    }
                }
            }
            _ => {
                self.over(event.processor);
            }
        }
    }

    fn over(&mut self, processor: ProcessorId) -> Option<(ThreadId, ThreadId)> {
        match self.switched.is_empty() {
            true => None,
            false => self.switched.remove(&processor),
        }
    }

    /// The stacks of a thread's switches from `from` to `to`, those of idle threads left out, which say
    /// nothing.
    pub(super) fn between(&self, thread: ThreadId, from: Instant, to: Instant) -> Vec<Stack> {
        let all = self.of.get(&thread).map_or(&[][..], Vec::as_slice);
        let first = all.partition_point(|stack| stack.at < from);
        let within = all[first..].iter().take_while(|stack| stack.at <= to);
        let within = within.filter(|stack| !stack.thread.is_idle());
        within.copied().collect()
    }

    pub(super) fn forget(&mut self, before: Instant) {
        for stacks in self.of.values_mut() {
            forget(stacks, before, |stack| stack.at);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.of.values().map(Vec::len).sum()
    }
}
