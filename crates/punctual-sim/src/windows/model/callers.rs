//! Which threads call the functions of timers, and how many there are of them.

use super::{WindowsKernel, ordinary};
use crate::Start;
use punctual_windows::WaitKind;

/// Which threads make the calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// `WT_EXECUTEDEFAULT`: threads of the pool.
    Pool,
    /// `WT_EXECUTEINTIMERTHREAD`: the thread that serves the timer queue.
    TimerThread,
    /// Threads of the pool, for a timer of the pool itself.
    PoolTimer,
    /// Multimedia timers have an urgent thread of their own.
    Multimedia,
}

/// The most threads a pool starts: the default of Windows' own.
const MOST_POOL_THREADS: usize = 500;

/// A multimedia timer's thread is time-critical.
const MULTIMEDIA_PRIORITY: u8 = 15;

impl Caller {
    pub(super) fn wait_kind(self) -> WaitKind {
        match self {
            // From Windows 7 on, timer queues are made of timers of the pool.
            Self::Pool | Self::TimerThread | Self::PoolTimer => WaitKind::TimerQueue,
            Self::Multimedia => WaitKind::Ordinary,
        }
    }

    pub(super) fn most_threads(self) -> usize {
        match self {
            Self::Pool | Self::PoolTimer => MOST_POOL_THREADS,
            Self::TimerThread | Self::Multimedia => 1,
        }
    }

    pub(super) fn start(self, kernel: &WindowsKernel) -> Start {
        let ordinary = ordinary(kernel);
        match self {
            Self::Pool | Self::TimerThread | Self::PoolTimer => ordinary,
            Self::Multimedia => Start {
                priority: MULTIMEDIA_PRIORITY,
                ..ordinary
            },
        }
    }

    pub(super) fn thread_name(self) -> &'static str {
        match self {
            Self::Pool | Self::PoolTimer => "timer pool",
            Self::TimerThread => "timer queue",
            Self::Multimedia => "multimedia timers",
        }
    }
}
