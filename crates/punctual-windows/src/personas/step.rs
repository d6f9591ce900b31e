//! What a persona is told, and what it asks next.

use crate::confidence::Call;
use serde::Deserialize;
use std::time::Duration;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The program starts: a runtime that holds a request for its whole life makes it now.
    Start,
    /// The program asks for a wait of this length.
    Begin(Duration),
    /// The wait that was asked for is over.
    Woken {
        /// Whether its time was over. If not, what the program waits for has come.
        timed_out: bool,
    },
    /// This Windows lacks the call that was asked for.
    Refused,
    /// What was asked for and is no wait has been done.
    Done,
}

/// What a runtime asks next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// A wait. [`Event::Woken`] or [`Event::Refused`] answers it.
    Wait(Wait),
    /// `timeBeginPeriod` of this many milliseconds. [`Event::Done`] answers it, as it
    /// answers the other requests.
    BeginPeriod(u32),
    /// `timeEndPeriod` of this many milliseconds.
    EndPeriod(u32),
    /// Make a high-resolution timer, to see whether there are any. [`Event::Done`] or
    /// [`Event::Refused`] answers it.
    MakeHighResolutionTimer,
    /// Keep the processor busy until the performance counter has come to this many nanoseconds.
    Spin {
        /// A reading of [`Clock::Performance`].
        until_ns: u64,
    },
    /// Nothing more: the program goes on.
    Nothing,
}

/// A wait as Windows is asked for it: the call, and its length in the call's own unit.
///
/// All of them are relative to the moment of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wait {
    /// An ordinary wait in whole milliseconds: `Sleep`, `WaitForSingleObject`, `SleepConditionVariable`,
    /// `WaitOnAddress`, `MsgWaitForMultipleObjects`. 0 does not wait.
    Ordinary {
        /// Its length.
        milliseconds: u32,
    },
    /// `GetQueuedCompletionStatus`: an ordinary wait in whole milliseconds.
    Port {
        /// Its length.
        milliseconds: u32,
    },
    /// An ordinary waitable timer, then a wait for it without a timeout.
    Waitable {
        /// Its due time, in units of 100 ns.
        units: u64,
        /// Whether the runtime makes a timer for each wait, or sets one again and again.
        is_new: bool,
        /// How much later it may end, in milliseconds: `SetWaitableTimerEx` if above zero.
        tolerable_delay_ms: u32,
    },
    /// A high-resolution waitable timer, then a wait for it without a timeout. Windows before version
    /// 1803 of 10 refuses it.
    HighResolution {
        /// Its due time, in units of 100 ns.
        units: u64,
        /// Whether the runtime makes a timer for each wait, or sets one again and again.
        is_new: bool,
    },
    /// Both a high-resolution timer and a completion port's timeout, whichever ends first. Windows
    /// before version 1803 of 10 refuses it.
    HighResolutionOrPort {
        /// The timer's due time, in units of 100 ns.
        units: u64,
        /// The port's timeout.
        milliseconds: u32,
    },
    /// `timeSetEvent`, whose request is its own.
    TimeSetEvent {
        /// Its delay or period.
        milliseconds: u32,
        /// As exactly as this many milliseconds.
        resolution_ms: u32,
        /// Whether one timer fires again and again, and each wait ends with its next firing.
        is_periodic: bool,
    },
    /// A thread-pool timer, set once.
    Pool {
        /// Its due time, in units of 100 ns.
        units: u64,
    },
    /// `SetTimer` and the message that it sends.
    Message {
        /// Its time.
        milliseconds: u32,
    },
    /// A periodic timer-queue timer, and each wait ends with its next firing.
    Queue {
        /// Its period.
        milliseconds: u32,
    },
    /// Winsock's `select` with a `timeval`. Published measurements of it are unknown; it is taken for
    /// an ordinary wait of its length.
    Select {
        /// Its length.
        microseconds: u64,
    },
}

impl Wait {
    /// The call, as far as rules tell calls apart.
    pub fn call(self) -> Call {
        match self {
            Self::Ordinary { .. } | Self::Port { .. } => Call::Ordinary,
            Self::Waitable { .. } => Call::Waitable,
            Self::HighResolution { .. } | Self::HighResolutionOrPort { .. } => Call::HighResolution,
            Self::TimeSetEvent { .. } => Call::Multimedia,
            Self::Pool { .. } => Call::Pool,
            Self::Message { .. } => Call::Message,
            Self::Queue { .. } => Call::TimerQueue,
            Self::Select { .. } => Call::Select,
        }
    }

    /// The time until it is due, or the period. Of a wait with a timer and a port, that of the timer.
    pub fn length(self) -> Duration {
        match self {
            Self::Ordinary { milliseconds }
            | Self::Port { milliseconds }
            | Self::TimeSetEvent { milliseconds, .. }
            | Self::Message { milliseconds }
            | Self::Queue { milliseconds } => Duration::from_millis(milliseconds.into()),
            Self::Waitable { units, .. }
            | Self::HighResolution { units, .. }
            | Self::HighResolutionOrPort { units, .. }
            | Self::Pool { units } => Duration::from_nanos(units.saturating_mul(100)),
            Self::Select { microseconds } => Duration::from_micros(microseconds),
        }
    }

    /// Whether a tolerable delay is given.
    pub(super) fn is_tolerant(self) -> bool {
        matches!(self, Self::Waitable { tolerable_delay_ms, .. } if tolerable_delay_ms > 0)
    }

    /// Whether one timer fires again and again, and each wait ends with its next firing.
    pub fn is_periodic(self) -> bool {
        match self {
            Self::TimeSetEvent { is_periodic, .. } => is_periodic,
            wait => matches!(wait, Self::Queue { .. }),
        }
    }
}

/// A clock of Windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// The performance counter: exact.
    Performance,
    /// `GetTickCount64`: whole milliseconds, in steps of the default interval.
    Ticks,
    /// The time since the start as of the last tick.
    Interrupt,
    /// The system time as of the last tick.
    File,
    /// The exact system time, or `File` on a Windows that lacks it (before 8).
    Precise,
}

impl Clock {
    /// Windows' name for it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Performance => "the performance counter",
            Self::Ticks => "GetTickCount64",
            Self::Interrupt => "the interrupt time",
            Self::File => "the system time",
            Self::Precise => "the precise system time",
        }
    }
}

/// Readings of the clocks at one moment, in nanoseconds since an arbitrary zero of each clock.
///
/// Only those that [`Persona::clocks`](super::Persona::clocks) lists are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clocks {
    /// [`Clock::Performance`].
    pub performance_ns: u64,
    /// [`Clock::Ticks`], which counts whole milliseconds.
    pub ticks_ns: u64,
    /// [`Clock::Interrupt`].
    pub interrupt_ns: u64,
    /// [`Clock::File`].
    pub file_ns: u64,
    /// [`Clock::Precise`].
    pub precise_ns: u64,
}

impl Clocks {
    /// The reading of this clock.
    pub fn at(&self, clock: Clock) -> u64 {
        match clock {
            Clock::Performance => self.performance_ns,
            Clock::Ticks => self.ticks_ns,
            Clock::Interrupt => self.interrupt_ns,
            Clock::File => self.file_ns,
            Clock::Precise => self.precise_ns,
        }
    }

    /// Sets the reading of this clock.
    pub fn set(&mut self, clock: Clock, nanos: u64) {
        *match clock {
            Clock::Performance => &mut self.performance_ns,
            Clock::Ticks => &mut self.ticks_ns,
            Clock::Interrupt => &mut self.interrupt_ns,
            Clock::File => &mut self.file_ns,
            Clock::Precise => &mut self.precise_ns,
        } = nanos;
    }
}

/// The state of a program: one thread that waits, and its runtime's requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct State {
    pub(super) stage: Stage,
    /// What the program asked for, as its entry takes it.
    pub(super) asked_ns: u64,
    /// When the wait is due on the persona's clock, or its schedule.
    pub(super) due_ns: u64,
    /// When the wait is over by the persona's arithmetic: due, or rounded.
    pub(super) end_ns: u64,
    /// What was left when the clock was last looked at.
    pub(super) left_ns: u64,
    /// How often this wait has been asked for.
    pub(super) round: u32,
    /// Whether the runtime's request for a timer interval is in force.
    pub(super) is_held: bool,
    /// Whether this Windows has refused a high-resolution timer.
    pub(super) is_refused: bool,
    /// Of a wait that probes: the longest probe, when the last one ended, and whether all are over.
    pub(super) longest_ns: u64,
    pub(super) probed_ns: u64,
    pub(super) is_probed: bool,
}

/// What the last thing asked was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// Nothing: the program does something else.
    #[default]
    Idle,
    /// What is done at the start of the program.
    Starting,
    /// A change of the request before a wait.
    Preparing,
    /// A wait.
    Waiting,
    /// The end of a request between two rounds.
    Between,
    /// A spin.
    Spinning,
    /// A change of the request after a wait.
    Leaving,
}
