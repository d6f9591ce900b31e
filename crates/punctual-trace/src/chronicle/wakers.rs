//! What woke a thread, where no timer did, and what had woken that.

use super::forgetting::forget;
use super::processor::Processor;
use crate::event::{Event, Kind, ProcessorId, ThreadId};
use crate::segment::{Occupant, Waker};
use punctual::Instant;
use std::collections::{BTreeMap, HashMap};

/// The most wakers that are named: the one that woke the thread, and what woke that, and so on.
const MOST_WAKERS: usize = 4;

/// A waking of a thread that no timer's handler did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Woken {
    /// When it began.
    pub at: Instant,
    /// On which processor.
    pub processor: ProcessorId,
    /// What did it, then what had woken that, and so on, as far as the trace says. At least one.
    pub by: Vec<Waker>,
}

/// The wakings of threads, while a trace is read.
#[derive(Debug, Default)]
pub(super) struct Wakers {
    /// `None` if it is not asked for.
    known: Option<KnownWakers>,
}

#[derive(Debug, Default)]
struct KnownWakers {
    woken: BTreeMap<ThreadId, Vec<Woken>>,
    /// Of every thread that has been woken and lives, what woke it last.
    last: HashMap<ThreadId, Waker>,
}

impl Wakers {
    /// From now on wakings are remembered.
    pub(super) fn follow(&mut self) {
        self.known.get_or_insert_default();
    }

    pub(super) fn woken(&self, thread: ThreadId) -> &[Woken] {
        let known = self.known.as_ref();
        known
            .and_then(|known| known.woken.get(&thread))
            .map_or(&[], Vec::as_slice)
    }

    pub(super) fn forget(&mut self, before: Instant) {
        let woken = self
            .known
            .iter_mut()
            .flat_map(|known| known.woken.values_mut());
        woken.for_each(|woken| forget(woken, before, |woken| woken.at));
    }

    pub(super) fn remove(&mut self, thread: ThreadId) {
        if let Some(known) = &mut self.known {
            known.woken.remove(&thread);
        }
    }

    /// Takes in an event; `processor` is as it is after it. Returns the thread that it wakes, if that is one
    /// whose waking is to be remembered.
    pub(super) fn note(
        &mut self,
        event: &Event,
        processor: &Processor,
        is_wanted: impl FnOnce(ThreadId) -> bool,
    ) -> Option<ThreadId> {
        let known = self.known.as_mut()?;
        match event.kind {
            Kind::Waking { thread } => {
                let waker = Waker {
                    occupant: processor.occupant(),
                    at: event.at,
                };
                let is_wanted = is_wanted(thread);
                if is_wanted {
                    let woken = Woken {
                        at: event.at,
                        processor: event.processor,
                        by: known.chain(waker),
                    };
                    known.woken.entry(thread).or_default().push(woken);
                }
                known.last.insert(thread, waker);
                return is_wanted.then_some(thread);
            }
            // Another thread of this number may come, and was not woken by the same.
            Kind::Exited { thread } | Kind::Started { thread } => {
                known.last.remove(&thread);
            }
            // A later waking of any thread may be among what is missing.
            Kind::Lost => known.last.clear(),
            _ => {}
        }
        None
    }
}

impl KnownWakers {
    fn chain(&self, first: Waker) -> Vec<Waker> {
        let next = |waker: &Waker| match waker.occupant {
            // If it has been woken again since, it is not known what had woken it then.
            Occupant::Thread(thread) => {
                let last = self.last.get(&thread);
                last.filter(|last| last.at <= waker.at).copied()
            }
            _ => None,
        };
        let chain = std::iter::successors(Some(first), next);
        chain.take(MOST_WAKERS).collect()
    }
}
