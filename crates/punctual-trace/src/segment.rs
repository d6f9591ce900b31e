//! A wake-up that was explained: its lateness, cut into consecutive segments that add up to it.

use crate::event::ThreadId;
use crate::names::{Names, Symbol};
use punctual::Instant;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a part of a wake-up's lateness passed. The classes follow `rtla timerlat`, which calls them
/// timer interrupt latency, interference (of threads, interrupts and softirqs) and thread latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The deadline had passed when the wait began: the program's own overrun.
    ArmedLate,
    /// The timer was armed for later than the deadline: what remained was computed from a reading of
    /// the clock that was old by the time the system used it.
    AskedLate,
    /// The system was free to let the timer expire later: timer slack, tolerable delay.
    Slack,
    /// The timer interrupt should have come and had not.
    InterruptLate,
    /// The interrupt had come; its handlers ran until the thread was ready.
    Handler,
    /// Ready; another thread had the processor, and nobody had asked it to give it up.
    Thread,
    /// Ready; another thread had the processor, had been asked to give it up, and had not yet. A few
    /// microseconds are the switch itself; more, and the kernel did not preempt it there.
    GivingWay,
    /// An interrupt had the processor.
    Interrupt,
    /// Deferred work of interrupts had the processor: a softirq, a DPC.
    Deferred,
    /// Ready; the processor was idle: it woke up, chose the thread, and switched to it.
    IdleExit,
    /// Ready; on its way to another processor.
    Migration,
    /// Running, until the program read the clock.
    AfterSwitch,
    /// Ready or running, until the program was next seen: the switch between them was not recorded.
    /// Who had the processor before it is known, and that nobody else was seen on it.
    Merged,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Self; 13] = [
        Self::ArmedLate,
        Self::AskedLate,
        Self::Slack,
        Self::InterruptLate,
        Self::Handler,
        Self::Thread,
        Self::GivingWay,
        Self::Interrupt,
        Self::Deferred,
        Self::IdleExit,
        Self::Migration,
        Self::AfterSwitch,
        Self::Merged,
    ];

    /// Whether somebody else brought it about, so that it says little without a name.
    pub fn is_about_someone(self) -> bool {
        matches!(
            self,
            Self::InterruptLate
                | Self::Handler
                | Self::Thread
                | Self::GivingWay
                | Self::Interrupt
                | Self::Deferred
        )
    }

    /// The name it has in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::ArmedLate => "armed-late",
            Self::AskedLate => "asked-late",
            Self::Slack => "slack",
            Self::InterruptLate => "interrupt-late",
            Self::Handler => "handler",
            Self::Thread => "thread",
            Self::GivingWay => "giving-way",
            Self::Interrupt => "interrupt",
            Self::Deferred => "deferred",
            Self::IdleExit => "idle-exit",
            Self::Migration => "migration",
            Self::AfterSwitch => "after-switch",
            Self::Merged => "merged",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Who had the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Who {
    /// The trace does not say.
    Unknown,
    /// Nobody: the processor was idle.
    Idle,
    /// A thread.
    Thread(ThreadId),
    /// An interrupt.
    Interrupt(Symbol),
    /// Deferred work of interrupts.
    Deferred(Symbol),
}

impl Who {
    /// Its name.
    pub fn name(self, names: &Names) -> String {
        match self {
            Self::Unknown => "unknown".to_owned(),
            Self::Idle => "idle".to_owned(),
            Self::Thread(thread) => names.thread(thread),
            Self::Interrupt(symbol) | Self::Deferred(symbol) => names.text(symbol).to_owned(),
        }
    }
}

/// A part of a wake-up's lateness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Why it passed.
    pub cause: Cause,
    /// Who had the processor that mattered: the timer's until the thread was ready, then the
    /// thread's.
    pub who: Who,
    /// How long it was, in nanoseconds.
    pub ns: u64,
}

/// How much is known of a wake-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// All its events were found, in order.
    Exact,
    /// A switch was not recorded, out of idle as a rule: "ready" and "after the switch" are one
    /// segment.
    Merged,
    /// It cannot be told; there are no segments.
    Unexplained(Reason),
}

/// Why a wake-up could not be explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Events of a processor were lost while it was under way.
    EventsLost,
    /// It began before the trace did, or ended after it.
    OutsideTrace,
    /// The timer that ended it was not recorded.
    NoTimer,
    /// Nothing says when the thread became ready.
    NoReady,
    /// Nothing says when the thread got the processor.
    NoSwitch,
    /// Its events contradict each other, as when a clock jumps.
    OutOfOrder,
}

impl Reason {
    /// The name it has in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::EventsLost => "events-lost",
            Self::OutsideTrace => "outside-trace",
            Self::NoTimer => "no-timer",
            Self::NoReady => "no-ready",
            Self::NoSwitch => "no-switch",
            Self::OutOfOrder => "out-of-order",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::EventsLost => "events were lost while it was under way",
            Self::OutsideTrace => "it was not within the trace from beginning to end",
            Self::NoTimer => "the timer that ended it was not recorded",
            Self::NoReady => "nothing says when the thread became ready",
            Self::NoSwitch => "nothing says when the thread got the processor",
            Self::OutOfOrder => "its events contradict each other",
        })
    }
}

/// A timed wait, as it was asked for and as it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// The thread that waited.
    pub thread: ThreadId,
    /// When it began to wait.
    pub began: Instant,
    /// When the wait should have ended.
    pub deadline: Instant,
    /// When it had ended: by the thread's own reading of the clock, or by the first event that shows
    /// it running.
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

/// A wake-up and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WakeUp {
    /// The wait that it ended.
    pub wait: Wait,
    /// How much is known.
    pub verdict: Verdict,
    /// What the lateness consists of, in the order of time. They add up to the lateness to the
    /// nanosecond; there are none if it is unexplained.
    pub segments: Vec<Segment>,
}
