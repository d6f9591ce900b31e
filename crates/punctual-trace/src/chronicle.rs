//! What the events of a trace mean: which thread had each processor, what each thread did, which timers
//! woke it, and where events are missing. It is made in one pass, and can forget what is long past.

mod calls;
mod forgetting;
mod history;
mod losses;
mod occupancy;
mod processor;
mod quotas;
mod stacks;
mod timers;
mod wakers;

pub use calls::{Call, Calls, Lock};
pub use history::{History, State};
pub use losses::Losses;
pub(crate) use occupancy::LONGEST_IDLE_EXIT;
pub use occupancy::{Occupancy, Span};
pub use timers::{Armed, Fired};
pub use wakers::Woken;

use crate::event::{Event, Kind, Priority, ProcessorId, ThreadId};
use crate::segment::{Occupant, Stack};
use crate::trace::Trace;
use calls::Callers;
use history::Histories;
use occupancy::Occupancies;
use processor::Processors;
use punctual::Instant;
use quotas::Quotas;
use stacks::Stacks;
use timers::Timers;
use wakers::Wakers;

/// The history of a trace's threads and processors.
#[derive(Debug, Default)]
pub struct Chronicle {
    processors: Processors,
    occupancies: Occupancies,
    histories: Histories,
    timers: Timers,
    wakers: Wakers,
    callers: Callers,
    quotas: Quotas,
    stacks: Stacks,
    losses: Losses,
    family: Family,
    /// When the trace began, and its latest event. `None` before the first.
    extent: Option<(Instant, Instant)>,
    begins: Instant,
    remembered_from: Instant,
}

/// What ends a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// A timer.
    Timer(Fired),
    /// Another thread or an interrupt. [`Chronicle::woken`] says which.
    Waker {
        /// When it woke the thread.
        at: Instant,
    },
}

/// How what the threads start belongs to them, and when they end.
#[derive(Debug, Default)]
struct Family {
    grows: bool,
    ended: Vec<(Instant, ThreadId)>,
}

impl Chronicle {
    /// Reads a trace, to explain the waits of these threads.
    pub fn new(trace: &Trace, threads: &[ThreadId]) -> Self {
        let mut chronicle = Self::of(threads);
        for event in trace.events() {
            chronicle.note(event);
        }
        chronicle
    }

    /// Knows nothing yet, and will know these threads.
    pub fn of(threads: &[ThreadId]) -> Self {
        let mut chronicle = Self::default();
        threads.iter().for_each(|&thread| chronicle.follow(thread));
        chronicle
    }

    /// Knows nothing yet, and will know these threads and all that they start, directly or indirectly.
    pub fn of_family(threads: &[ThreadId]) -> Self {
        let mut chronicle = Self::of(threads);
        chronicle.family.grows = true;
        chronicle
    }

    /// Before this instant, events are missing that the trace does not tell of.
    pub fn begins(&mut self, at: Instant) {
        self.begins = at;
    }

    /// From now on it knows also what wakes its threads where no timer does.
    pub fn follow_wakers(&mut self) {
        self.wakers.follow();
    }

    /// From now on it knows this thread, too.
    pub fn follow(&mut self, thread: ThreadId) {
        self.histories.follow(thread);
        self.timers.follow(thread);
        self.callers.follow(thread);
        self.stacks.follow(thread);
    }

    /// Takes in the next event, in the order of time. Returns one of its threads and what wakes it, if the
    /// event is this waking.
    pub fn note(&mut self, event: &Event) -> Option<(ThreadId, Ending)> {
        let (begin, _) = self.extent.unwrap_or_else(|| (first(event), event.at));
        self.extent = Some((begin, event.at));
        self.losses.note(event);
        self.stacks.note(event);
        if let Kind::Stack { .. } = event.kind {
            // It says no more of the switch before it.
            return None;
        }
        self.note_family(event);
        let processor = self.processors.of(event.processor);
        let before = (processor.running(), processor.asked_to_switch());
        processor.apply(event);
        self.occupancies.note(event, processor);
        self.quotas.note(event, &self.histories, &self.occupancies);
        self.histories.note(event, before);
        self.callers.note(event, processor.occupant());
        let fired = self.timers.note(event, processor);
        let by_timer = self.timers.run_on(event.processor);
        let follows = |thread| self.timers.follows(thread) && !by_timer;
        let woken = self.wakers.note(event, processor, follows);
        let by_timer = fired.map(|(thread, fired)| (thread, Ending::Timer(fired)));
        by_timer.or_else(|| woken.map(|thread| (thread, Ending::Waker { at: event.at })))
    }

    fn note_family(&mut self, event: &Event) {
        match event.kind {
            Kind::Started { thread } if self.family.grows => {
                if event.running.is_some_and(|by| self.timers.follows(by)) {
                    self.follow(thread);
                } else if self.histories.of(thread).has_begun() {
                    // Another's, with a number that was one of ours.
                    self.timers.leave(thread);
                }
            }
            Kind::Exited { thread } if self.family.grows && self.timers.follows(thread) => {
                self.timers.leave(thread);
                self.family.ended.push((event.at, thread));
            }
            _ => {}
        }
    }

    /// Forgets what happened before an instant, except what lasted until then. Waits with an earlier
    /// deadline cannot be explained any more.
    pub fn forget(&mut self, before: Instant) {
        if before <= self.remembered_from {
            return;
        }
        self.remembered_from = before;
        self.occupancies.forget(before);
        self.histories.forget(before);
        self.timers.forget(before);
        self.wakers.forget(before);
        self.callers.forget(before);
        self.stacks.forget(before);
        self.quotas.forget(before);
        self.losses.shorten();
        let (timers, histories) = (&mut self.timers, &mut self.histories);
        let (callers, quotas) = (&mut self.callers, &mut self.quotas);
        let (wakers, stacks) = (&mut self.wakers, &mut self.stacks);
        self.family.ended.retain(|&(at, thread)| {
            let is_over = at < before;
            if is_over && !timers.follows(thread) {
                timers.remove(thread);
                wakers.remove(thread);
                histories.remove(thread);
                callers.remove(thread);
                quotas.remove(thread);
                stacks.remove(thread);
            }
            !is_over
        });
    }

    /// Whether nothing from this instant on was forgotten.
    pub fn remembers(&self, from: Instant) -> bool {
        from >= self.remembered_from
    }

    /// How many changes it remembers: that is what its memory grows with.
    pub fn len(&self) -> usize {
        let threads = self.histories.len() + self.callers.len() + self.stacks.len();
        self.occupancies.len() + threads + self.quotas.len()
    }

    /// Whether it remembers nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The stacks at the thread's switches from `from` to `to`, and at those of other threads that left a
    /// processor to it, in the order of time. They are recorded only for some traces.
    pub fn stacks(&self, thread: ThreadId, from: Instant, to: Instant) -> Vec<Stack> {
        self.stacks.between(thread, from, to)
    }

    /// What had the processor when.
    pub fn occupancy(&self, processor: ProcessorId) -> &Occupancy {
        self.occupancies.of(processor)
    }

    /// The priority with which a thread had a processor from `from` to `to`, if that is known.
    pub fn priority(&self, thread: ThreadId, from: Instant, to: Instant) -> Option<Priority> {
        let mut spans = self
            .occupancies
            .all()
            .filter_map(|occupancy| occupancy.between(from, to).next());
        let (span, _) = spans.find(|(span, _)| span.occupant == Occupant::Thread(thread))?;
        span.priority
    }

    /// What the thread did when.
    pub fn history(&self, thread: ThreadId) -> &History {
        self.histories.of(thread)
    }

    /// The timers that woke the thread, in the order in which they expired.
    pub fn fired(&self, thread: ThreadId) -> &[Fired] {
        self.timers.fired(thread)
    }

    /// The wakings of the thread that no timer did, in the order of time. They are known if the chronicle
    /// [follows wakers](Self::follow_wakers).
    pub fn woken(&self, thread: ThreadId) -> &[Woken] {
        self.wakers.woken(thread)
    }

    /// The threads that it knows, as far as they have not ended.
    pub fn threads(&self) -> impl Iterator<Item = ThreadId> {
        self.timers.followed()
    }

    /// Whether it knows a thread and goes on to do so.
    pub fn follows(&self, thread: ThreadId) -> bool {
        self.timers.follows(thread)
    }

    /// The system calls of the thread.
    pub fn calls(&self, thread: ThreadId) -> &Calls {
        self.callers.of(thread)
    }

    /// Until when the thread, ready at an instant, was held back by the quota of its group; `None` if
    /// it was not.
    pub fn held_until(&self, thread: ThreadId, at: Instant) -> Option<Instant> {
        self.quotas.held_until(thread, at)
    }

    /// Where events are missing.
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// Whether the trace had begun at an instant and went on behind it.
    pub fn holds(&self, at: Instant) -> bool {
        let within =
            |(begin, end): (Instant, Instant)| (begin.max(self.begins)..=end).contains(&at);
        self.extent.is_some_and(within)
    }
}

fn first(event: &Event) -> Instant {
    match event.kind {
        // What is missing before it began earlier, and it is not known when.
        Kind::Lost => Instant::ZERO,
        _ => event.at,
    }
}
