//! What is found in a trace to be explained, and may not be explained yet.

use crate::chronicle::{Chronicle, Ending, Fired};
use crate::event::{Event, Kind, ThreadId};
use crate::scope::Scope;
use crate::segment::{Wait, WakeUp};
use crate::waits::ended_by;
use crate::wakers::woken_at;
use punctual::{Instant, Period};
use std::time::Duration;

/// A wake-up or a frame whose explanation may still change.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Pending {
    /// A wait that our own loop told of.
    Told(Wait),
    /// One that this timer ended.
    Fired(ThreadId, Fired),
    /// One that a thread or an interrupt ended at this instant.
    Woken(ThreadId, Instant),
    /// The beginning of a frame.
    Frame {
        thread: ThreadId,
        at: Instant,
        /// When the frame before it began.
        previous: Option<Instant>,
    },
}

/// Finds what is to be explained of a program.
#[derive(Debug, Default)]
pub(crate) struct Finder {
    scope: Scope,
    last_frame: Option<Instant>,
}

impl Finder {
    pub(crate) fn of(scope: Scope) -> Self {
        Self {
            scope,
            last_frame: None,
        }
    }

    /// Prepares a chronicle for it.
    pub(crate) fn prepare(&self, chronicle: &mut Chronicle) {
        if self.scope.wakeups || self.scope.frames {
            chronicle.follow_wakers();
        }
    }

    /// Adds an event to the chronicle, and returns what it shows.
    pub(crate) fn note(&mut self, chronicle: &mut Chronicle, event: &Event) -> Option<Pending> {
        let ended = chronicle.note(event);
        if self.scope.frames {
            return self.frame(chronicle, event);
        }
        match ended? {
            (thread, Ending::Timer(fired)) => Some(Pending::Fired(thread, fired)),
            (thread, Ending::Waker { at }) => {
                self.scope.wakeups.then_some(Pending::Woken(thread, at))
            }
        }
    }

    fn frame(&mut self, chronicle: &Chronicle, event: &Event) -> Option<Pending> {
        let thread = event.running?;
        let begins = matches!(event.kind, Kind::Framed | Kind::Marked { .. });
        (begins && chronicle.follows(thread)).then(|| Pending::Frame {
            thread,
            at: event.at,
            previous: self.last_frame.replace(event.at),
        })
    }
}

/// Deadlines of a grid may lie so much before what a wait asked for: whatever they will be, its lateness
/// is explained from then on.
pub(crate) fn lead(period: Option<Period>) -> Duration {
    period.map_or(Duration::ZERO, Period::to_duration)
}

impl Pending {
    /// The instant from which on the explanation needs to know everything.
    pub(crate) fn needs_from(&self, lead: Duration) -> Instant {
        match *self {
            Self::Told(wait) => wait.deadline,
            Self::Fired(_, fired) => match fired.armed {
                Some(armed) if lead.is_zero() => armed.earliest.max(armed.at),
                Some(armed) => armed.earliest - lead,
                None => fired.expired_at,
            },
            Self::Woken(_, at) => at - lead,
            Self::Frame { at, previous, .. } => previous.unwrap_or(at - lead),
        }
    }

    /// The wait to explain, if there was one.
    ///
    /// It has the earliest deadline that it may get: its own, less the lead. A frame's is later than the
    /// beginning of the frame before.
    pub(crate) fn wait(
        &self,
        chronicle: &Chronicle,
        lead: Duration,
    ) -> Option<Result<Wait, WakeUp>> {
        let wait = match *self {
            Self::Told(wait) => return Some(Ok(wait)),
            Self::Fired(thread, fired) => Some(ended_by(chronicle, thread, &fired)),
            Self::Woken(thread, at) => woken_at(chronicle, thread, at),
            Self::Frame {
                thread,
                at,
                previous,
            } => Some(Ok(Wait {
                thread,
                began: chronicle.history(thread).last_wait(at).unwrap_or(at),
                deadline: previous.unwrap_or(at - lead),
                woke: at,
            })),
        };
        let is_frame = matches!(self, Self::Frame { .. });
        let sooner = |wait: Wait| Wait {
            deadline: wait.deadline - lead,
            ..wait
        };
        wait.map(|wait| wait.map(|wait| if is_frame { wait } else { sooner(wait) }))
    }

    /// The thread among whose waits it has a place. Frames are one series, whichever threads begin them.
    pub(crate) fn in_order_of(&self) -> ThreadId {
        match *self {
            Self::Told(wait) => wait.thread,
            Self::Fired(thread, _) | Self::Woken(thread, _) => thread,
            Self::Frame { .. } => ThreadId::IDLE,
        }
    }

    /// The instant that a wait asked for, or at which a frame began.
    pub(crate) fn asked(&self) -> Instant {
        match *self {
            Self::Told(wait) => wait.deadline,
            Self::Fired(_, fired) => fired.armed.map_or(fired.expired_at, |armed| armed.earliest),
            Self::Woken(_, at) | Self::Frame { at, .. } => at,
        }
    }
}
