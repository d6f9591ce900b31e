//! Linux' numbers for x86-64: of its calls, flags and errors. They never change.
//!
//! <https://github.com/torvalds/linux/blob/master/arch/x86/entry/syscalls/syscall_64.tbl>

pub(crate) const POLL: u32 = 7;
pub(crate) const MMAP: u32 = 9;
pub(crate) const MPROTECT: u32 = 10;
pub(crate) const SELECT: u32 = 23;
pub(crate) const MADVISE: u32 = 28;
pub(crate) const SHMAT: u32 = 30;
pub(crate) const NANOSLEEP: u32 = 35;
pub(crate) const SETITIMER: u32 = 38;
pub(crate) const CLONE: u32 = 56;
pub(crate) const FORK: u32 = 57;
pub(crate) const VFORK: u32 = 58;
pub(crate) const SEMOP: u32 = 65;
pub(crate) const SHMDT: u32 = 67;
pub(crate) const PTRACE: u32 = 101;
pub(crate) const RT_SIGTIMEDWAIT: u32 = 128;
pub(crate) const PRCTL: u32 = 157;
pub(crate) const FUTEX: u32 = 202;
pub(crate) const IO_GETEVENTS: u32 = 208;
pub(crate) const SEMTIMEDOP: u32 = 220;
pub(crate) const TIMER_SETTIME: u32 = 223;
pub(crate) const CLOCK_NANOSLEEP: u32 = 230;
pub(crate) const EPOLL_WAIT: u32 = 232;
pub(crate) const MQ_TIMEDSEND: u32 = 242;
pub(crate) const MQ_TIMEDRECEIVE: u32 = 243;
pub(crate) const PSELECT6: u32 = 270;
pub(crate) const PPOLL: u32 = 271;
pub(crate) const EPOLL_PWAIT: u32 = 281;
pub(crate) const TIMERFD_SETTIME: u32 = 286;
pub(crate) const SECCOMP: u32 = 317;
pub(crate) const IO_PGETEVENTS: u32 = 333;
pub(crate) const IO_URING_SETUP: u32 = 425;
pub(crate) const CLONE3: u32 = 435;
pub(crate) const EPOLL_PWAIT2: u32 = 441;
pub(crate) const FUTEX_WAITV: u32 = 449;

/// Commands of futex, without its flags.
pub(crate) mod futex {
    pub(crate) const WAIT: u32 = 0;
    pub(crate) const LOCK_PI: u32 = 6;
    pub(crate) const WAIT_BITSET: u32 = 9;
    pub(crate) const WAIT_REQUEUE_PI: u32 = 11;
    pub(crate) const LOCK_PI2: u32 = 13;
    /// The flag for memory that one process alone uses.
    pub(crate) const PRIVATE: u32 = 128;
    /// The flag for absolute times on the clock of the day.
    pub(crate) const REALTIME: u32 = 256;
    /// A wait for any waker.
    pub(crate) const ANY: u64 = 0xffff_ffff;
}

/// The command of prctl that installs a filter of calls.
pub(crate) const PR_SET_SECCOMP: u32 = 22;
/// clone's flag that hides the child from a tracer.
pub(crate) const CLONE_UNTRACED: u32 = 0x0080_0000;
/// clone's flag for one memory.
pub(crate) const CLONE_VM: u64 = 0x0000_0100;
/// clone's flag for one process.
pub(crate) const CLONE_THREAD: u64 = 0x0001_0000;

/// The flag of absolute times: of `clock_nanosleep`, `timer_settime`, and `timerfd_settime`.
pub(crate) const ABSOLUTE: u64 = 1;

/// The errors that waits end with.
pub(crate) mod error {
    pub(crate) const INTERRUPTED: i64 = -4;
    pub(crate) const AGAIN: i64 = -11;
    pub(crate) const EXISTS: i64 = -17;
    pub(crate) const NO_CALL: i64 = -38;
    pub(crate) const TIMED_OUT: i64 = -110;
    /// The first and the last of the kernel's own: the call is repeated, or fails with `INTERRUPTED`, as the
    /// signal has it.
    pub(crate) const RESTARTS: std::ops::RangeInclusive<i64> = -516..=-512;
    /// Repeated unless a handler runs.
    pub(crate) const RESTART_NO_HANDLER: i64 = -514;
    /// Repeated by `restart_syscall`, unless a handler runs.
    pub(crate) const RESTART_BLOCK: i64 = -516;
}

/// A clock whose times a call takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    Realtime,
    Monotonic,
    Boottime,
    Tai,
}

impl Clock {
    /// By Linux' number. None for those of processor time, which no Windows timer goes by, and unknown ones.
    pub(crate) fn of(number: u64) -> Option<Self> {
        // The kernel looks at the low half only.
        match number & 0xffff_ffff {
            0 | 8 => Some(Self::Realtime),
            1 => Some(Self::Monotonic),
            7 | 9 => Some(Self::Boottime),
            11 => Some(Self::Tai),
            _ => None,
        }
    }

    /// Linux' number.
    pub(crate) fn number(self) -> u64 {
        match self {
            Self::Realtime => 0,
            Self::Monotonic => 1,
            Self::Boottime => 7,
            Self::Tai => 11,
        }
    }
}

/// A call as a thread made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Made {
    pub(crate) number: u32,
    pub(crate) args: [u64; 6],
}
