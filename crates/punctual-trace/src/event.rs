//! The events of a trace, for every kernel. Wake-ups are explained from them.

use punctual::Instant;

/// A thread, by the number its system gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ThreadId(pub u32);

impl ThreadId {
    /// The idle thread, which runs when a processor has nothing to do. Every processor has one, and all
    /// have this number, on Linux and on Windows.
    pub const IDLE: Self = Self(0);

    /// Whether this is an idle thread.
    pub fn is_idle(self) -> bool {
        self == Self::IDLE
    }
}

/// A processor, by the number its system gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ProcessorId(pub u16);

/// A timer, by its number in the trace. The number is valid only while the timer is armed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimerId(pub u64);

/// A name, as a number. Only the [`Names`](crate::Names) that made it can read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub(crate) u32);

/// One event: what happened on a processor, when, and to whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// When, on the clock on which deadlines are given.
    pub at: Instant,
    /// Where.
    pub processor: ProcessorId,
    /// The thread that had the processor, or that was interrupted, if the trace names it in every event.
    /// It reveals lost switches. For a switch, the thread before it.
    pub running: Option<ThreadId>,
    /// Whether the processor had already been asked to choose another thread. Until it does, the running
    /// code cannot be preempted.
    pub asked_to_switch: bool,
    /// What.
    pub kind: Kind,
}

/// What happened in an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The running thread armed a timer, to expire between two instants, which are equal without a
    /// tolerance.
    TimerArmed {
        /// Which timer.
        timer: TimerId,
        /// The requested instant.
        earliest: Instant,
        /// The instant of the requested interrupt, if no other comes sooner.
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
    /// A timer was cancelled.
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
    /// The waking of a thread begins. It may still be running, on its way to sleep.
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

impl Kind {
    /// What happened, in a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::TimerArmed { .. } => "timer armed",
            Self::TimerExpired { .. } => "timer expired",
            Self::TimerHandled { .. } => "timer handled",
            Self::TimerCancelled { .. } => "timer cancelled",
            Self::InterruptEntry { .. } => "interrupt begins",
            Self::InterruptExit => "interrupt ends",
            Self::DeferredEntry { .. } => "deferred work begins",
            Self::DeferredExit => "deferred work ends",
            Self::Waking { .. } => "thread is woken",
            Self::Ready { .. } => "thread is ready",
            Self::Switch { .. } => "switch of threads",
            Self::Migrated { .. } => "thread moves to another processor",
            Self::Started { .. } => "thread starts",
            Self::Exited { .. } => "thread ends",
            Self::Lost => "events were lost",
        }
    }
}

/// The state of a thread that lost its processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// It is still ready.
    Ready,
    /// It waits.
    Waiting,
    /// It has ended.
    Ended,
}
