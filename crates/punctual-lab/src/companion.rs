//! Who else is on a machine while it is measured: other programs and drivers, as data.
//!
//! On the machine itself companions are child processes, as [loads](crate::load) are; on a
//! simulated one they are simulated processes. Not every machine can have every companion:
//! [`Machine::offers`] says.

use crate::Machine;
use crate::load::{Part, Running};
use punctual::Error;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

/// Somebody who asks for a timer interval, or who merely sleeps.
///
/// ```
/// use punctual_lab::Companion;
/// use std::time::Duration;
///
/// let requester = Companion::Requester { interval: Duration::from_millis(2) };
/// assert_eq!(requester.to_string(), "requester=2ms");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Companion {
    /// A process that asks for a timer interval and does nothing else.
    Requester {
        /// What it asks for.
        interval: Duration,
    },
    /// A kernel driver that asks for one.
    Driver {
        /// What it asks for.
        interval: Duration,
    },
    /// A process whose threads sleep for [`SLEEP_MILLIS`], evenly distributed, and work for up to
    /// [`MOST_WORK`] after each sleep.
    Sleepers {
        /// How many threads.
        threads: NonZeroUsize,
    },
}

/// Whole milliseconds that other programs' threads sleep for: with [`MOST_WORK`], what accounts best
/// for how often an interval of 8 ms is cut short on Windows 10 2004 (grc-2004-8).
pub const SLEEP_MILLIS: RangeInclusive<u32> = 1..=40;

/// The longest piece of work between two of those sleeps.
pub const MOST_WORK: Duration = Duration::from_millis(1);

impl Companion {
    /// Starts it on the machine that this program runs on, and returns when it is there. `program`
    /// is the executable to start, which must know
    /// [`CHILD_SUBCOMMAND`](crate::load::CHILD_SUBCOMMAND); `number` tells companions apart, and
    /// theirs is the same chance each time.
    ///
    /// # Errors
    /// As [`Load::start`](crate::Load::start); and [unsupported](Error::is_unsupported) if the
    /// machine cannot have it.
    pub fn start(&self, program: &Path, number: u32) -> Result<Running, Error> {
        let part = match *self {
            Self::Requester { interval } => Part::Requester { interval },
            Self::Sleepers { threads } => Part::Sleepers { threads, number },
            Self::Driver { .. } => return Err(no_driver()),
        };
        Running::start(format!("the companion {self}"), &part, program, 1)
    }
}

/// Whether the machine that this program runs on can have such a companion.
pub(crate) fn native<M: Machine>(companion: &Companion) -> Result<(), Error> {
    match companion {
        Companion::Sleepers { .. } => Ok(()),
        Companion::Requester { .. } if M::HAS_INTERVAL => Ok(()),
        Companion::Requester { .. } => Err(Error::unsupported(
            "nobody can ask this system for a timer interval",
        )),
        Companion::Driver { .. } => Err(no_driver()),
    }
}

/// Why no native machine has a driver's request.
fn no_driver() -> Error {
    Error::unsupported("only a kernel driver can make a driver's request, and Punctual has none")
}

/// As the flag `--with` has it.
impl fmt::Display for Companion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // The shortest exact text: 2ms, 15.6ms, 500µs.
            Self::Requester { interval } => write!(f, "requester={interval:?}"),
            Self::Driver { interval } => write!(f, "driver={interval:?}"),
            Self::Sleepers { threads } => write!(f, "sleepers={threads}"),
        }
    }
}
