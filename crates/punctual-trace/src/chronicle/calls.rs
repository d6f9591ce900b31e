//! The system calls of a thread, and when its program went on after each.

use super::forgetting::forget;
use crate::event::{Event, Kind, Left, ThreadId};
use crate::segment::Occupant;
use punctual::Instant;
use std::collections::BTreeMap;
use std::time::Duration;

/// The system calls of a thread, in the order of time. They are recorded only for some traces.
#[derive(Debug, Default, Clone)]
pub struct Calls {
    steps: Vec<(Instant, Step)>,
    way_back: WayBack,
    /// Whether it has lost its processor, and nothing shows it running since.
    is_out: bool,
}

/// Whether the call that was done last has brought the thread back to its program.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum WayBack {
    /// It has, or there was none.
    #[default]
    Done,
    /// Not that one knows.
    OnIt,
    /// It has not: the thread is going to give its processor up first, as it was asked to.
    AskedToSwitch,
}

/// How long a thread may run from where a call is recorded as done, or from where it got its processor
/// back, until it loses it on its way back. Of 249 that had lost it before their programs read the clock,
/// most of them in a machine that another tracer slowed down, those without an interrupt took up to 24 µs,
/// and up to 41 µs if they were stopped.
const LONGEST_WAY_BACK: Duration = Duration::from_micros(25);
const LONGEST_WAY_TO_A_STOP: Duration = Duration::from_micros(50);

#[derive(Debug, Clone, Copy)]
enum Step {
    Entered {
        is_lock: bool,
    },
    /// It is woken in the call, by a thread.
    Woken {
        by: ThreadId,
    },
    Returned {
        back: Instant,
    },
}

/// Where a thread is, as its system calls say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// In a call that is done at the first instant. The program goes on at the second, after whatever
    /// held it back on its way; `None` if it does not before the trace ends.
    DoneAt(Instant, Option<Instant>),
    /// In a call that is not done when the trace ends.
    NeverDone,
    /// In no call, or nothing says so.
    None,
}

/// A lock for which a thread waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lock {
    /// The thread that set it free and woke the waiting one, if one did.
    pub freed_by: Option<ThreadId>,
}

impl Calls {
    /// Those of a thread without any.
    pub(super) const EMPTY: Self = Self {
        steps: Vec::new(),
        way_back: WayBack::Done,
        is_out: false,
    };

    /// The call in which a thread is at an instant.
    pub fn at(&self, at: Instant) -> Call {
        let next = self.steps.partition_point(|&(step, _)| step < at);
        match (self.before(next), self.steps.get(next)) {
            (_, Some(&(done, Step::Returned { back }))) => {
                let is_held =
                    self.is_out && self.way_back != WayBack::Done && next + 1 == self.steps.len();
                Call::DoneAt(done, (!is_held).then_some(back))
            }
            (Some(Step::Entered { .. } | Step::Woken { .. }), None) => Call::NeverDone,
            _ => Call::None,
        }
    }

    /// The lock for which it may wait at an instant, in a call that waits for locks.
    pub fn lock(&self, at: Instant) -> Option<Lock> {
        let next = self.steps.partition_point(|&(step, _)| step <= at);
        let Some(Step::Entered { is_lock: true }) = self.before(next) else {
            return None;
        };
        let freed_by = match self.steps.get(next) {
            Some(&(_, Step::Woken { by })) => Some(by),
            _ => None,
        };
        Some(Lock { freed_by })
    }

    fn before(&self, index: usize) -> Option<Step> {
        let index = index.checked_sub(1)?;
        self.steps.get(index).map(|&(_, step)| step)
    }

    /// Takes in an event that shows it running.
    fn runs(&mut self, event: &Event) {
        if self.is_out {
            self.gets_processor(event.at);
        }
        match event.kind {
            Kind::CallEntered { is_lock, .. } => {
                self.steps.push((event.at, Step::Entered { is_lock }));
                self.way_back = WayBack::Done;
            }
            Kind::CallReturned => {
                let back = event.at;
                self.steps.push((event.at, Step::Returned { back }));
                self.way_back = match event.asked_to_switch {
                    true => WayBack::AskedToSwitch,
                    false => WayBack::OnIt,
                };
            }
            // While it still has to give way, interrupts come in the kernel. Else they come in the
            // program, but for those within the few microseconds of the way back.
            Kind::InterruptEntry { .. }
                if self.way_back == WayBack::AskedToSwitch && event.asked_to_switch => {}
            Kind::InterruptEntry { .. } | Kind::Framed | Kind::Lost => {
                self.way_back = WayBack::Done;
            }
            _ => {}
        }
    }

    /// A thread wakes it. Only the first that does while it waits for a lock is remembered.
    fn is_woken(&mut self, at: Instant, by: ThreadId) {
        if let Some((_, Step::Entered { is_lock: true })) = self.steps.last() {
            self.steps.push((at, Step::Woken { by }));
        }
    }

    /// It loses its processor. On its way back, it can only be stopped or have to give way: what it
    /// waits for then is waited for in another call, of a kind that is not recorded. And if it has run
    /// for longer than the way back takes, its program ran.
    fn loses_processor(&mut self, at: Instant, left: Left) {
        self.is_out = true;
        let longest = match left {
            Left::Ready => LONGEST_WAY_BACK,
            Left::Stopped => LONGEST_WAY_TO_A_STOP,
            _ => Duration::ZERO,
        };
        let is_too_long = match self.steps.last() {
            Some((_, Step::Returned { back })) => at.duration_since(*back) > longest,
            _ => true,
        };
        // A thread that is asked to give way does so at the end of what interrupts it.
        if is_too_long && !(self.way_back == WayBack::AskedToSwitch && left == Left::Ready) {
            self.way_back = WayBack::Done;
        }
    }

    /// It gets a processor.
    fn gets_processor(&mut self, at: Instant) {
        self.is_out = false;
        if self.way_back != WayBack::Done
            && let Some((_, Step::Returned { back })) = self.steps.last_mut()
        {
            *back = at;
            self.way_back = WayBack::OnIt;
        }
    }
}

/// The calls of several threads, while the trace is read.
#[derive(Debug, Default)]
pub(super) struct Callers(BTreeMap<ThreadId, Calls>);

impl Callers {
    pub(super) fn follow(&mut self, thread: ThreadId) {
        self.0.entry(thread).or_default();
    }

    pub(super) fn remove(&mut self, thread: ThreadId) {
        self.0.remove(&thread);
    }

    pub(super) fn of(&self, thread: ThreadId) -> &Calls {
        const NONE: &Calls = &Calls::EMPTY;
        self.0.get(&thread).unwrap_or(NONE)
    }

    pub(super) fn forget(&mut self, before: Instant) {
        for calls in self.0.values_mut() {
            forget(&mut calls.steps, before, |&(at, _)| at);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.values().map(|calls| calls.steps.len()).sum()
    }

    /// Takes in an event; `occupant` has the processor after it.
    pub(super) fn note(&mut self, event: &Event, occupant: Occupant) {
        if let (Kind::Waking { thread }, Occupant::Thread(by)) = (event.kind, occupant)
            && let Some(calls) = self.0.get_mut(&thread)
        {
            calls.is_woken(event.at, by);
        }
        if let Some(calls) = event.running.and_then(|thread| self.0.get_mut(&thread)) {
            calls.runs(event);
        }
        if let Kind::Switch {
            previous,
            previous_state,
            next,
            ..
        } = event.kind
        {
            if let Some(calls) = self.0.get_mut(&previous) {
                calls.loses_processor(event.at, previous_state);
            }
            if let Some(calls) = self.0.get_mut(&next) {
                calls.gets_processor(event.at);
            }
        }
    }
}
