//! What a kernel's trace says, whichever kernel: the events from which wake-ups are explained.

use crate::names::Symbol;
use punctual::Instant;

/// A thread, by the number its system gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ThreadId(pub u32);

impl ThreadId {
    /// What a processor runs when it has nothing to run. Every processor has one, and all have this
    /// number, on Linux and on Windows.
    pub const IDLE: Self = Self(0);

    /// Whether it is what a processor runs when it has nothing to run.
    pub fn is_idle(self) -> bool {
        self == Self::IDLE
    }
}

/// A processor, by the number its system gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ProcessorId(pub u16);

/// A timer, by whatever number the trace has for it. Means nothing but while it is armed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimerId(pub u64);

/// One event: what happened on a processor, when, and to whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// When, on the clock on which deadlines are given.
    pub at: Instant,
    /// Where.
    pub processor: ProcessorId,
    /// Whose turn it was on that processor, or which thread was interrupted, if the trace says so
    /// with every event. Tells of switches that were lost. For a switch, who had the processor
    /// before it.
    pub running: Option<ThreadId>,
    /// Whether the processor had already been asked to choose another thread. While it has, and
    /// does not, whatever runs cannot be preempted.
    pub asked_to_switch: bool,
    /// What.
    pub kind: Kind,
}

/// What an event tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The running thread armed a timer, to expire between these two instants (equal where no
    /// tolerance applies).
    TimerArmed {
        /// Which timer.
        timer: TimerId,
        /// The instant that was asked for.
        earliest: Instant,
        /// The instant at which an interrupt was asked for, if no other comes sooner.
        latest: Instant,
    },
    /// A timer's handler begins.
    TimerExpired {
        /// Which timer.
        timer: TimerId,
    },
    /// A timer's handler is done.
    TimerHandled {
        /// Which timer.
        timer: TimerId,
    },
    /// A timer will not expire.
    TimerCancelled {
        /// Which timer.
        timer: TimerId,
    },
    /// An interrupt begins.
    InterruptEntry {
        /// Its name.
        who: Symbol,
    },
    /// The interrupt that began last on this processor is done.
    InterruptExit,
    /// Work that interrupts left for later begins: a softirq, a DPC.
    DeferredEntry {
        /// Its name.
        who: Symbol,
    },
    /// The deferred work that began last on this processor is done.
    DeferredExit,
    /// Somebody begins to wake a thread, which may still be running, on its way to sleep.
    Waking {
        /// The thread that is woken.
        thread: ThreadId,
    },
    /// The thread is ready: it stands in a processor's queue.
    Ready {
        /// The thread that was woken.
        thread: ThreadId,
        /// In whose queue.
        processor: ProcessorId,
    },
    /// The processor changes from one thread to another.
    Switch {
        /// Who had it.
        previous: ThreadId,
        /// What the previous thread does now.
        previous_state: Left,
        /// Who has it now.
        next: ThreadId,
    },
    /// A ready thread moves to another processor's queue.
    Migrated {
        /// Which thread.
        thread: ThreadId,
        /// Into whose queue.
        to: ProcessorId,
    },
    /// The running thread starts another, of its own process or of a new one.
    Started {
        /// The new thread.
        thread: ThreadId,
    },
    /// A thread ends. It still runs, for the last time.
    Exited {
        /// Which thread.
        thread: ThreadId,
    },
    /// Events of this processor are missing between its event before this one and this.
    Lost,
}

/// What a thread does that a processor was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// It is still ready.
    Ready,
    /// It waits.
    Waiting,
    /// It has ended.
    Ended,
}
