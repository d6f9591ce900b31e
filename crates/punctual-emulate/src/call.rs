//! A timed call, as the program made it: which, and for how long.

use punctual::Instant;
use std::time::Duration;

/// A call of Linux that waits for a time, or sets a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "each is the call of this name")]
pub enum Call {
    Nanosleep,
    ClockNanosleep,
    FutexWait,
    FutexWaitBitset,
    FutexLockPi,
    FutexWaitRequeuePi,
    FutexWaitv,
    Poll,
    Ppoll,
    Select,
    Pselect6,
    EpollWait,
    EpollPwait,
    EpollPwait2,
    RtSigtimedwait,
    Semtimedop,
    MqTimedsend,
    MqTimedreceive,
    IoGetevents,
    IoPgetevents,
    TimerfdSettime,
    TimerSettime,
    Setitimer,
}

/// Which of Windows' calls it stands for, where no persona says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// `Sleep`, in milliseconds rounded up.
    Sleep,
    /// A wait for something with a timeout in milliseconds, rounded up.
    Wait,
    /// A waitable timer, in units of 100 ns.
    Timer,
}

impl Call {
    /// Its name in texts: the system call's.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nanosleep => "nanosleep",
            Self::ClockNanosleep => "clock_nanosleep",
            Self::FutexWait
            | Self::FutexWaitBitset
            | Self::FutexLockPi
            | Self::FutexWaitRequeuePi => "futex",
            Self::FutexWaitv => "futex_waitv",
            Self::Poll => "poll",
            Self::Ppoll => "ppoll",
            Self::Select => "select",
            Self::Pselect6 => "pselect6",
            Self::EpollWait => "epoll_wait",
            Self::EpollPwait => "epoll_pwait",
            Self::EpollPwait2 => "epoll_pwait2",
            Self::RtSigtimedwait => "rt_sigtimedwait",
            Self::Semtimedop => "semtimedop",
            Self::MqTimedsend => "mq_timedsend",
            Self::MqTimedreceive => "mq_timedreceive",
            Self::IoGetevents => "io_getevents",
            Self::IoPgetevents => "io_pgetevents",
            Self::TimerfdSettime => "timerfd_settime",
            Self::TimerSettime => "timer_settime",
            Self::Setitimer => "setitimer",
        }
    }

    /// What it stands for without a persona.
    pub fn family(self) -> Family {
        match self {
            Self::Nanosleep | Self::ClockNanosleep => Family::Sleep,
            Self::TimerfdSettime | Self::TimerSettime | Self::Setitimer => Family::Timer,
            _ => Family::Wait,
        }
    }
}

/// A timed call, its times already on the monotonic clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// Which call.
    pub call: Call,
    /// When the program wants it to end: what it asked for, from when it asked.
    pub end: Instant,
    /// For how long, as the program said it. Of an absolute time, what is left of it.
    pub length: Duration,
    /// Between firings, for a timer that repeats.
    pub period: Option<Duration>,
}
