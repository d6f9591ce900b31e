//! When a quota of processor time held a thread back.
//!
//! The kernel says when it refills a group's quota, but not when a group has used its quota up. A thread
//! whose group has is taken off its processor: since Linux 6.18 on its way back to its program, before
//! that at once. It is ready all the while. So a thread was held back if it was ready until after a
//! refill, and one of these is seen:
//!
//! - it gave its processor up on its way back to its program, though nothing had asked it to;
//! - its processor was idle for longer than any takes to wake.

use super::forgetting::forget;
use super::history::{Histories, Queued};
use super::occupancy::{LONGEST_IDLE_EXIT, Occupancies};
use crate::event::{Event, Kind, ThreadId, TimerId};
use crate::segment::Occupant;
use punctual::Instant;
use std::collections::BTreeMap;
use std::time::Duration;

/// A thread that a refill sets free runs within this time, unless others have its processor.
const SOON: Duration = Duration::from_millis(1);

/// Which threads were held back, and when.
#[derive(Debug, Default)]
pub(super) struct Quotas {
    /// The last refill of each group.
    refilled: BTreeMap<TimerId, Instant>,
    /// How often a group's refill set a thread free: nothing else says to which group it belongs.
    freed: BTreeMap<(ThreadId, TimerId), u64>,
    held: BTreeMap<ThreadId, Vec<(Instant, Instant)>>,
}

impl Quotas {
    /// Takes in an event, with what the threads did until then.
    pub(super) fn note(&mut self, event: &Event, threads: &Histories, processors: &Occupancies) {
        match event.kind {
            Kind::QuotaRefilled { timer } => {
                self.refilled.insert(timer, event.at);
            }
            _ if self.refilled.is_empty() => {}
            Kind::Switch { next, .. } => self.runs(next, event.at, threads, processors),
            _ => {}
        }
        // The switch to it may not have been recorded.
        if let Some(running) = event.running {
            self.runs(running, event.at, threads, processors);
        }
    }

    /// A thread that may have been ready until now has a processor.
    fn runs(&mut self, thread: ThreadId, at: Instant, threads: &Histories, on: &Occupancies) {
        if let Some(queued) = threads.queued(thread)
            && (queued.gave_up || was_idle(&queued, at, on))
        {
            self.was_held(thread, queued.since, at);
        }
    }

    fn was_held(&mut self, thread: ThreadId, from: Instant, to: Instant) {
        let within = self.refilled.iter();
        let within = within.filter(|&(_, &refilled)| (from..=to).contains(&refilled));
        let within: Vec<_> = within.map(|(&timer, &at)| (timer, at)).collect();
        for &(timer, at) in &within {
            if to.duration_since(at) < SOON {
                *self.freed.entry((thread, timer)).or_default() += 1;
            }
        }
        let often = |timer| self.freed.get(&(thread, timer)).copied().unwrap_or(0);
        let own = within.iter().max_by_key(|&&(timer, at)| (often(timer), at));
        if let Some(&(_, refilled)) = own {
            let held = self.held.entry(thread).or_default();
            held.push((from, refilled));
        }
    }

    pub(super) fn forget(&mut self, before: Instant) {
        for held in self.held.values_mut() {
            forget(held, before, |&(from, _)| from);
        }
    }

    /// A thread has ended.
    pub(super) fn remove(&mut self, thread: ThreadId) {
        self.held.remove(&thread);
        self.freed.retain(|&(freed, _), _| freed != thread);
    }

    pub(super) fn len(&self) -> usize {
        self.held.values().map(Vec::len).sum()
    }

    /// Until when a thread was held back, if it was at an instant.
    pub(super) fn held_until(&self, thread: ThreadId, at: Instant) -> Option<Instant> {
        let held = self.held.get(&thread)?;
        let next = held.partition_point(|&(from, _)| from <= at);
        let (_, until) = held[next.checked_sub(1)?];
        (at < until).then_some(until)
    }
}

/// Whether the processor in whose queue a thread stood was idle for longer than it takes to wake.
fn was_idle(queued: &Queued, to: Instant, processors: &Occupancies) -> bool {
    let mut spans = processors.of(queued.on).between(queued.since, to);
    spans.any(|(span, end)| {
        span.occupant == Occupant::Idle && end.duration_since(span.from) > LONGEST_IDLE_EXIT
    })
}
