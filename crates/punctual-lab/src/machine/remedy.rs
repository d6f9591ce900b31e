//! Actions that let a program wait better, as data. The command line turns them into shell commands.

use punctual::Error;

/// An action that makes a machine fitter for punctual waiting. With `contained`, the program runs in a
/// container, which gets its permissions from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Permit priorities above normal.
    PermitPriority {
        /// Whether in a container.
        contained: bool,
    },
    /// Permit real-time priorities.
    PermitRealtime {
        /// Whether in a container.
        contained: bool,
    },
    /// Permit any amount of locked memory.
    PermitLocking {
        /// Whether in a container.
        contained: bool,
    },
    /// Permit programs to keep processors from deep sleep.
    PermitLatency {
        /// Whether in a container.
        contained: bool,
    },
    /// Give a container the device by which processors are kept from deep sleep.
    AddLatencyDevice,
    /// Permit these processors.
    WidenProcessors(String),
    /// Lift the quota of processor time.
    LiftQuota {
        /// Whether in a container.
        contained: bool,
    },
    /// Set the timer slack of a shell, and of the programs it starts, to a nanosecond.
    LeastSlack,
    /// Make the time-stamp counter the clock source.
    UseTimeStampCounter,
    /// Mount the file system that shows the mode of preemption.
    MountDebugFs,
    /// Let threads in the kernel be preempted.
    PreemptFully,
    /// Forbid idle states that take longer than this many microseconds to leave.
    LimitIdleStates {
        /// How many.
        microseconds: u64,
    },
    /// Keep the processors at their highest frequency.
    HighestFrequency,
    /// Permit io_uring.
    EnableIoUring,
    /// Start the container without its filter of system calls.
    Unconfined,
    /// Run as an administrator.
    BecomeAdministrator,
    /// Choose the power plan for high performance.
    HighPerformancePlan,
    /// A command that another crate names.
    Command(&'static str),
}

/// Something that a machine does not permit, and the action that would permit it.
#[derive(Debug)]
pub struct Refused {
    /// Why not.
    pub error: Error,
    /// The action, if there is one.
    pub remedy: Option<Remedy>,
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self {
            error,
            remedy: None,
        }
    }
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        refused.error
    }
}
