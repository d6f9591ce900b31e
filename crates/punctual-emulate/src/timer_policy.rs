//! What decides when a wait ends, and hears of everything that it needs to know.
//!
//! The tracer knows Linux and no rule; a policy knows rules and nothing of Linux. Times are readings of
//! `CLOCK_MONOTONIC`, and calls come in their order.

use crate::call::Asked;
use punctual::Instant;
use std::path::Path;
use std::time::Duration;

/// A process of the program, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId(pub u32);

/// A thread of the program, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadId(pub u32);

/// A wait that goes on, or a timer that is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WaitId(pub u64);

/// When a wait is to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Begun {
    /// The wait. The tracer names it when it is over.
    pub wait: WaitId,
    /// When Windows would end it, if nothing changes meanwhile.
    pub end: Instant,
    /// Whether the policy must hear at once that it is over: because a request ends with it, or because the
    /// runtime may wait again. Otherwise the tracer may tell it late.
    pub hear_of_end: bool,
}

/// How a wait was over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// Its time had come.
    TimedOut,
    /// What the program waited for had come.
    Event,
    /// A signal's handler ran, or the thread ended.
    Interrupted,
}

/// What follows the end of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The program goes on.
    Nothing,
    /// Windows ended the wait, and the runtime waits on: the same wait, with another end.
    Again(Begun),
}

/// Decides when waits end.
pub trait TimerPolicy {
    /// A process began, by a fork of this parent, or as the first.
    fn process_began(&mut self, now: Instant, process: ProcessId, parent: Option<ProcessId>);

    /// A process runs another executable from now on: the file that the kernel started, which for a
    /// script is its interpreter.
    fn executes(&mut self, now: Instant, process: ProcessId, executable: &Path);

    /// A process ended: what it requested is released.
    fn process_ended(&mut self, now: Instant, process: ProcessId);

    /// A thread begins a timed wait, or sets a timer.
    fn begin(&mut self, now: Instant, process: ProcessId, thread: ThreadId, asked: Asked) -> Begun;

    /// A wait is over, since this instant: it may lie before other calls' if the policy need not hear at
    /// once, but the thread's next wait has not begun. What is told late has no [`Next`].
    ///
    /// A timer that fires once is over when it does, and one that repeats when it is set anew or disarmed; its
    /// firings are told by [`TimerPolicy::next_firing`].
    fn over(&mut self, at: Instant, wait: WaitId, over: Over) -> Next;

    /// The next firing of a timer that repeats, after the one at this instant: told some time after it.
    fn next_firing(&mut self, wait: WaitId, fired: Instant) -> Instant;

    /// From one firing of a timer that repeats to the next, on the whole, if it asked for this period. Linux repeats a timer evenly, so its single firings cannot be steered.
    fn period(&mut self, wait: WaitId, asked: Duration) -> Duration {
        _ = wait;
        asked
    }

    /// The waits whose end has changed since the last call of this: because a request began or ended
    /// meanwhile.
    ///
    /// An end may move either way. The tracer asks after every other call.
    fn changed(&mut self, now: Instant) -> Vec<Begun>;

    /// What could not be steered, in words: shown once in the summary.
    fn cannot_steer(&mut self, process: ProcessId, what: &str);
}
