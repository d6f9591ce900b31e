//! An explained wake-up: its lateness, split into consecutive segments that add up to it.

use crate::event::{Priority, ProcessorId, Symbol, ThreadId};
use crate::names::Names;
use punctual::Instant;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// The cause of a part of a wake-up's lateness. The classes follow those of `rtla timerlat`: timer
/// interrupt latency, interference (of threads, interrupts and softirqs) and thread latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The wait began after its deadline, because the program was late.
    ArmedLate,
    /// The timer was set for later than the deadline. A relative wait is computed from a reading of the
    /// clock, which is old by the time the system uses it.
    AskedLate,
    /// The system was free to let the timer expire later: timer slack, tolerable delay.
    Slack,
    /// The timer interrupt was due but had not come.
    InterruptLate,
    /// The interrupt had come, and its handlers ran until the thread was ready.
    IrqHandler,
    /// The thread was ready. Another thread had had the processor before it was, and had not been asked to
    /// give it up.
    RunQueueWait,
    /// The thread was ready. It had had the processor since it woke and wanted to keep it, but its slice
    /// had expired: the processor was asked to choose another, and chose one that was no more urgent than
    /// an ordinary thread. This happens to a thread that spins or works.
    SliceExpired,
    /// The thread was ready. It had had the processor since it woke and wanted to keep it, and a thread
    /// more urgent than any ordinary one got it.
    Preempted,
    /// The thread was ready when the processor chose what to run, and it chose another that was no more
    /// urgent than an ordinary thread. On Linux that is one whose turn comes first.
    PickedAnother,
    /// The thread was ready. Another thread had the processor, had been asked to give it up, but had not
    /// yet. The switch itself takes a few microseconds. If it takes more, the kernel could not preempt
    /// the other thread there.
    WakeUpPreemptionDelay,
    /// An interrupt had the processor.
    Interrupt,
    /// Work that interrupts had left for later had the processor: a softirq, a DPC.
    Softirq,
    /// The thread was ready. The processor was idle: it woke up, chose the thread, and switched to it.
    IdleExit,
    /// The thread was ready, and moved to another processor.
    Migration,
    /// The thread was ready. Its group had used up its quota of processor time, and none of its threads was
    /// let run.
    Throttled,
    /// A signal or a debugger had stopped the thread.
    Stopped,
    /// The thread waited in the kernel and could not be interrupted: for a disk, for memory.
    Blocked,
    /// The thread waited for a lock that another thread of its program had: that which set it free, if
    /// the trace shows it.
    Lock,
    /// The thread waited for something else, which is not known.
    Sleeping,
    /// The thread was running, until the program read the clock.
    AfterSwitch,
    /// The thread was ready or running: the switch between the two was not recorded. It is known which
    /// thread had the processor before, and that no other was seen on it.
    Ambiguous,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Self; 21] = [
        Self::ArmedLate,
        Self::AskedLate,
        Self::Slack,
        Self::InterruptLate,
        Self::IrqHandler,
        Self::RunQueueWait,
        Self::SliceExpired,
        Self::Preempted,
        Self::PickedAnother,
        Self::WakeUpPreemptionDelay,
        Self::Interrupt,
        Self::Softirq,
        Self::IdleExit,
        Self::Migration,
        Self::Throttled,
        Self::Stopped,
        Self::Blocked,
        Self::Lock,
        Self::Sleeping,
        Self::AfterSwitch,
        Self::Ambiguous,
    ];

    /// Whether something else brought it about, so that it says little without a name.
    pub fn names_occupant(self) -> bool {
        matches!(
            self,
            Self::InterruptLate
                | Self::IrqHandler
                | Self::RunQueueWait
                | Self::SliceExpired
                | Self::Preempted
                | Self::PickedAnother
                | Self::WakeUpPreemptionDelay
                | Self::Interrupt
                | Self::Softirq
                | Self::Lock
        )
    }

    /// Its name in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::ArmedLate => "armed-late",
            Self::AskedLate => "asked-late",
            Self::Slack => "slack",
            Self::InterruptLate => "interrupt-late",
            Self::IrqHandler => "irq-handler",
            Self::RunQueueWait => "run-queue-wait",
            Self::SliceExpired => "slice-expired",
            Self::Preempted => "preempted",
            Self::PickedAnother => "picked-another",
            Self::WakeUpPreemptionDelay => "wake-up-preemption-delay",
            Self::Interrupt => "interrupt",
            Self::Softirq => "softirq",
            Self::IdleExit => "idle-exit",
            Self::Migration => "migration",
            Self::Throttled => "throttled",
            Self::Stopped => "stopped",
            Self::Blocked => "blocked",
            Self::Lock => "lock",
            Self::Sleeping => "sleeping",
            Self::AfterSwitch => "after-switch",
            Self::Ambiguous => "ambiguous",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What had the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Occupant {
    /// The trace does not say.
    Unknown,
    /// Nothing: the processor was idle.
    Idle,
    /// A thread.
    Thread(ThreadId),
    /// An interrupt.
    Interrupt(Symbol),
    /// Work that interrupts left for later: a softirq, a DPC.
    Softirq(Symbol),
}

impl Occupant {
    /// Its name at an instant.
    pub fn name(self, names: &Names, at: Instant) -> String {
        match self {
            Self::Unknown => "unknown".to_owned(),
            Self::Idle => "idle".to_owned(),
            Self::Thread(thread) => names.thread(thread, at),
            Self::Interrupt(symbol) | Self::Softirq(symbol) => names.text(symbol).to_owned(),
        }
    }
}

/// What made a thread ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waker {
    /// The thread that did it, or the interrupt.
    pub occupant: Occupant,
    /// When.
    pub at: Instant,
}

/// One part of a wake-up's lateness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Why it passed.
    pub cause: Cause,
    /// What had the processor: that of the timer until the thread was ready, then that of the thread.
    pub occupant: Occupant,
    /// The priority of another thread that had the processor, if the trace says so.
    pub priority: Option<Priority>,
    /// How long it was, in nanoseconds.
    pub ns: u64,
}

/// How much is known about a wake-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// All its events were found, in order.
    Exact,
    /// A switch was not recorded, usually one out of idle. "Ready" and "after the switch" are then one
    /// segment.
    Ambiguous,
    /// The wake-up cannot be explained. It has no segments.
    Unexplained(Reason),
}

/// Why a wake-up could not be explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Events of a processor were lost during the wait.
    EventsLost,
    /// It began before the trace did, or ended after it.
    OutsideTrace,
    /// It was late for longer than what happened is remembered.
    TooLong,
    /// The timer that ended it was not recorded.
    NoTimer,
    /// The trace does not say when the thread became ready.
    NoReady,
    /// The trace does not say when the thread got the processor.
    NoSwitch,
    /// Its processor was idle for long, though the thread was ready.
    IdleWhileReady,
    /// Its events contradict each other, as when a clock jumps.
    OutOfOrder,
}

impl Reason {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::EventsLost => "events-lost",
            Self::OutsideTrace => "outside-trace",
            Self::TooLong => "too-long",
            Self::NoTimer => "no-timer",
            Self::NoReady => "no-ready",
            Self::NoSwitch => "no-switch",
            Self::IdleWhileReady => "idle-while-ready",
            Self::OutOfOrder => "out-of-order",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::EventsLost => "events were lost while it was under way",
            Self::OutsideTrace => "it was not within the trace from beginning to end",
            Self::TooLong => "it was late for longer than what happened is remembered",
            Self::NoTimer => "the timer that ended it was not recorded",
            Self::NoReady => "nothing says when the thread became ready",
            Self::NoSwitch => "nothing says when the thread got the processor",
            Self::IdleWhileReady => {
                "its processor was idle for over a millisecond though it was ready, and nothing says why"
            }
            Self::OutOfOrder => "its events contradict each other",
        })
    }
}

/// A timed wait: its deadline, and when it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// The thread that waited.
    pub thread: ThreadId,
    /// When it began to wait.
    pub began: Instant,
    /// When the wait should have ended.
    pub deadline: Instant,
    /// When it ended, by the thread's own reading of the clock, or by the first event that shows the
    /// thread running.
    pub woke: Instant,
}

impl Wait {
    /// How late it ended, in nanoseconds.
    pub fn lateness_ns(&self) -> u64 {
        self.woke
            .as_nanos()
            .saturating_sub(self.deadline.as_nanos())
    }
}

/// How well a lateness is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lateness {
    /// To the nanosecond.
    Known,
    /// The thread may have run sooner: the first event that shows it running ends the wait, and the
    /// switch to it was not recorded.
    AtMost,
    /// Nothing says when the wait should have ended, or when it did. The wait holds instants nearby.
    Unknown,
}

/// Where in the kernel a thread was when it left its processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stack {
    /// When.
    pub at: Instant,
    /// The thread that left its processor.
    pub thread: ThreadId,
    /// The addresses of the calls that had led there, the innermost first, separated by newlines.
    pub text: Symbol,
}

/// A processor that was taken from a thread while the thread wanted to keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preemption {
    /// When.
    pub at: Instant,
    /// Since when the thread had had it, if that was recorded.
    pub had_since: Option<Instant>,
}

/// A wake-up and its explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WakeUp {
    /// The wait that it ended.
    pub wait: Wait,
    /// How well its lateness is known.
    pub lateness: Lateness,
    /// The processor on which the thread ran at the end of the wait, if that is known.
    pub processor: Option<ProcessorId>,
    /// How much is known.
    pub verdict: Verdict,
    /// The parts of the lateness, in the order of time. They add up to it, to the nanosecond. Empty if
    /// the wake-up is unexplained.
    pub segments: Vec<Segment>,
    /// What ended the wait if no timer did, then what had woken that, and so on. Empty if a timer
    /// did, or if the trace does not say.
    pub woken_by: Vec<Waker>,
    /// When the processor was taken from the thread, if it is late in part because of that:
    /// the last time. In a box, because few wake-ups have it.
    pub preemption: Option<Box<Preemption>>,
    /// Where in the kernel the thread was when it left a processor during the wait, and where others were
    /// that left one to it, in the order of time. Empty if the trace has no stacks.
    pub stacks: Vec<Stack>,
}

impl WakeUp {
    /// Its segments, each with the instant at which it begins.
    pub fn timed_segments(&self) -> impl Iterator<Item = (Instant, &Segment)> {
        let mut next = self.wait.deadline;
        self.segments.iter().map(move |segment| {
            let begins = next;
            next += Duration::from_nanos(segment.ns);
            (begins, segment)
        })
    }
}

impl WakeUp {
    /// How late it was, in nanoseconds, or how late at most; `None` if that is not known.
    pub fn lateness_ns(&self) -> Option<u64> {
        (self.lateness != Lateness::Unknown).then(|| self.wait.lateness_ns())
    }

    /// Whether it is known to be later than a limit.
    pub fn is_later_than(&self, limit: Duration) -> bool {
        let late = self.lateness_ns().map(Duration::from_nanos);
        late.is_some_and(|late| late > limit)
    }

    /// Whether it has an explanation.
    pub fn is_explained(&self) -> bool {
        !matches!(self.verdict, Verdict::Unexplained(_))
    }
}
