//! The events of a trace, for every kernel. Wake-ups are explained from them.

use punctual::Instant;
use std::fmt;

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

/// One event: what happened on a processor, when, and to which thread.
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
        /// The requested instant, on the timer's own clock.
        earliest: Instant,
        /// The instant of the requested interrupt, if no other comes sooner.
        latest: Instant,
    },
    /// A timer's handler begins.
    TimerExpired {
        /// Which timer.
        timer: TimerId,
        /// How far the timer's clock is ahead of the trace's now, in nanoseconds; 0 if the two are one.
        clock_ahead_ns: i64,
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
        name: Symbol,
    },
    /// The interrupt that began last on this processor is done.
    InterruptExit,
    /// Work that interrupts left for later begins: a softirq, a DPC.
    SoftirqEntry {
        /// Its name.
        name: Symbol,
    },
    /// The softirq that began last on this processor is done.
    SoftirqExit,
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
        /// What had it.
        previous: ThreadId,
        /// What the previous thread does now.
        previous_state: Left,
        /// The priority of the previous thread, if the trace says so.
        previous_priority: Option<Priority>,
        /// What has it now.
        next: ThreadId,
        /// The priority of the next thread, if the trace says so.
        next_priority: Option<Priority>,
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
    /// The running thread begins a system call. Only calls of the explained threads are recorded.
    CallEntered {
        /// Its name, such as `futex`.
        call: Symbol,
        /// Whether it may wait for a lock.
        is_lock: bool,
    },
    /// A system call of the running thread is done. It is still in the kernel, which may stop it before
    /// the program goes on.
    CallReturned,
    /// The kernel gives a group of threads its processor time for the next period of its quota.
    QuotaRefilled {
        /// The group's timer, by which groups are told apart.
        timer: TimerId,
    },
    /// The running thread wrote a text into the trace.
    Marked {
        /// The text.
        text: Symbol,
    },
    /// The running thread came to the place in its program that begins a frame.
    Framed,
    /// The calls that led to the event before this one on the same processor.
    Stack {
        /// The addresses of the calls, the innermost first, separated by newlines. The head of a
        /// [`Recording`](crate::Recording) has the names of the functions there.
        text: Symbol,
    },
    /// Events of this processor are missing between its event before this one and this.
    Lost,
}

impl Kind {
    /// The expiry of a timer of the trace's own clock.
    pub(crate) fn expired(timer: TimerId) -> Self {
        Self::TimerExpired {
            timer,
            clock_ahead_ns: 0,
        }
    }

    /// What happened, in a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::TimerArmed { .. } => "timer armed",
            Self::TimerExpired { .. } => "timer expired",
            Self::TimerHandled { .. } => "timer handled",
            Self::TimerCancelled { .. } => "timer cancelled",
            Self::InterruptEntry { .. } => "interrupt begins",
            Self::InterruptExit => "interrupt ends",
            Self::SoftirqEntry { .. } => "a softirq begins",
            Self::SoftirqExit => "a softirq ends",
            Self::Waking { .. } => "thread is woken",
            Self::Ready { .. } => "thread is ready",
            Self::Switch { .. } => "switch of threads",
            Self::Migrated { .. } => "thread moves to another processor",
            Self::Started { .. } => "thread starts",
            Self::Exited { .. } => "thread ends",
            Self::CallEntered { .. } => "system call begins",
            Self::CallReturned => "system call ends",
            Self::QuotaRefilled { .. } => "quota is refilled",
            Self::Marked { .. } => "text of a program",
            Self::Framed => "frame begins",
            Self::Stack { .. } => "stack",
            Self::Lost => "events were lost",
        }
    }
}

/// The state of a thread that lost its processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// It is still ready.
    Ready,
    /// It waits, and can be interrupted: for a timer, for input, for another thread.
    Waiting,
    /// It waits in the kernel and cannot be interrupted: for a disk, for memory, for a lock in there.
    Blocked,
    /// A signal or a debugger stopped it.
    Stopped,
    /// It has ended.
    Ended,
}

/// How urgently a thread wants a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// A real-time thread of Linux, 1 (the lowest) to 99. 0 does not occur.
    RealTime(u8),
    /// An ordinary thread of Linux, -20 (the most urgent) to 19.
    Nice(i8),
    /// A thread of Linux that has a deadline of its own (`SCHED_DEADLINE`).
    Deadline,
    /// A thread of Windows, 0 (the lowest) to 31.
    Windows(u8),
}

impl Priority {
    /// The number that Linux uses within: negative for deadlines, 0 to 99 for real time, and 120 for
    /// an ordinary thread that is neither nice nor the opposite.
    ///
    /// ```
    /// use punctual_trace::event::Priority;
    ///
    /// assert_eq!(Priority::of_linux(49), Priority::RealTime(50));
    /// assert_eq!(Priority::of_linux(115).to_string(), "nice -5");
    /// ```
    pub fn of_linux(number: i64) -> Self {
        // `MAX_RT_PRIO` and `DEFAULT_PRIO` of `include/linux/sched/prio.h`.
        const ORDINARY: i64 = 100;
        const NOT_NICE: i64 = 120;
        match number {
            ..0 => Self::Deadline,
            0..ORDINARY => Self::RealTime(u8::try_from(ORDINARY - 1 - number).unwrap_or(u8::MAX)),
            _ => Self::Nice(i8::try_from(number.saturating_sub(NOT_NICE)).unwrap_or(i8::MAX)),
        }
    }
}

impl Priority {
    /// Whether it is that of a thread of Linux that takes turns with others: neither real-time nor with
    /// a deadline.
    pub fn is_ordinary(self) -> bool {
        matches!(self, Self::Nice(_))
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RealTime(priority) => write!(f, "real-time {priority}"),
            Self::Nice(nice) => write!(f, "nice {nice}"),
            Self::Deadline => f.pad("deadline"),
            Self::Windows(priority) => write!(f, "priority {priority}"),
        }
    }
}
