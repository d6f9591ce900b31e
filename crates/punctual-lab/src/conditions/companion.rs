//! Other programs and drivers on a machine during a measurement, as data.
//!
//! On this machine companions are [child processes](crate::children), as loads are. On a simulated
//! machine they are simulated processes. Not every machine can have every companion: see
//! [`Machine::offers`](crate::Machine::offers).

use super::Standing;
use punctual::Error;
use punctual_data::as_text;
use punctual_data::quantity::{parse_duration, write_duration};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// A program or driver that requests a timer interval, or a program that only sleeps. Written as
/// `requester=2ms`, `driver=1ms` or `sleepers=20`. What a [`Standing`] says may follow a requester:
/// `requester=2ms,hidden,honour`.
///
/// ```
/// use punctual_lab::conditions::Companion;
/// use std::time::Duration;
///
/// let requester = Companion::requester(Duration::from_millis(2));
/// assert_eq!(requester.to_string(), "requester=2ms");
/// assert_eq!("requester=2ms".parse::<Companion>()?, requester);
/// assert_eq!("requester=2ms,hidden".parse::<Companion>()?.to_string(), "requester=2ms,hidden");
/// # Ok::<(), punctual::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Companion {
    /// A process that requests a timer interval and does nothing else.
    Requester {
        /// The interval.
        interval: Duration,
        /// How it stands with Windows.
        standing: Standing,
    },
    /// A kernel driver that requests a timer interval.
    Driver {
        /// The interval.
        interval: Duration,
    },
    /// A process whose threads sleep for [`SLEEP_MILLIS`], evenly distributed, and work for up to
    /// [`MOST_WORK`] after each sleep.
    Sleepers {
        /// The number of threads.
        threads: NonZeroUsize,
    },
}

/// The sleeps of other programs' threads, in whole milliseconds. With [`MOST_WORK`], this range
/// explains how often an interval of 8 ms is cut short on Windows 10 2004 (grc-2004-8).
pub const SLEEP_MILLIS: RangeInclusive<u32> = 1..=40;

/// The longest work between two of those sleeps.
pub const MOST_WORK: Duration = Duration::from_millis(1);

impl Companion {
    /// A visible process that requests this interval and has told Windows nothing.
    pub fn requester(interval: Duration) -> Self {
        let standing = Standing::default();
        Self::Requester { interval, standing }
    }

    /// Whether a process can be that companion. `has_interval` says whether the system has a timer
    /// interval that programs can request.
    pub(crate) fn as_process(&self, has_interval: bool) -> Result<(), Error> {
        match self {
            Self::Sleepers { .. } => Ok(()),
            Self::Requester { standing, .. } if has_interval => {
                super::as_process(*standing, has_interval)
            }
            Self::Requester { .. } => Err(Error::unsupported(
                "this system has no timer interval to request",
            )),
            Self::Driver { .. } => Err(Self::no_driver()),
        }
    }

    /// Why no native machine can have a driver's request.
    pub(crate) fn no_driver() -> Error {
        Error::unsupported(
            "only a kernel driver can make a driver's request, and Punctual has none",
        )
    }
}

impl fmt::Display for Companion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Requester { interval, standing } => {
                write!(f, "requester={}{standing}", write_duration(*interval))
            }
            Self::Driver { interval } => write!(f, "driver={}", write_duration(*interval)),
            Self::Sleepers { threads } => write!(f, "sleepers={threads}"),
        }
    }
}

/// More than any program has, and few enough to simulate.
const MOST_SLEEPERS: usize = 1_000;

impl FromStr for Companion {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text.split_once('=') {
            Some(("requester", requester)) => parse_requester(requester),
            Some(("driver", interval)) => Ok(Self::Driver {
                interval: parse_interval(interval)?,
            }),
            Some(("sleepers", threads)) => parse_sleepers(threads),
            _ => Err(Error::invalid_input(format!(
                "'{text}' is not a companion; write requester=2ms, driver=1ms or sleepers=20"
            ))),
        }
    }
}

fn parse_requester(text: &str) -> Result<Companion, Error> {
    let (interval, standing) = match text.split_once(',') {
        Some((interval, words)) => (interval, words.parse().map_err(Error::invalid_input)?),
        None => (text, Standing::default()),
    };
    let interval = parse_interval(interval.trim())?;
    Ok(Companion::Requester { interval, standing })
}

fn parse_interval(text: &str) -> Result<Duration, Error> {
    let interval = parse_duration(text).map_err(Error::invalid_input)?;
    if interval.is_zero() {
        return Err(Error::invalid_input(
            "an interval of zero cannot be requested; write one such as 1ms",
        ));
    }
    Ok(interval)
}

fn parse_sleepers(text: &str) -> Result<Companion, Error> {
    let threads = text
        .parse()
        .ok()
        .filter(|threads: &NonZeroUsize| threads.get() <= MOST_SLEEPERS);
    let threads = threads.ok_or_else(|| {
        Error::invalid_input(format!(
            "'{text}' is not a number of threads; write 1 to {MOST_SLEEPERS}"
        ))
    })?;
    Ok(Companion::Sleepers { threads })
}

as_text!(Companion);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn companions_are_written_as_they_are_read() {
        for text in [
            "requester=2ms",
            "requester=15.6ms",
            "requester=1ms,hidden",
            "requester=1ms,hidden,honour",
            "requester=1ms,ignore",
            "driver=500us",
            "sleepers=20",
        ] {
            let companion: Companion = text.parse().unwrap();
            assert_eq!(companion.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_companion_is_refused_with_what_is() {
        for wrong in [
            "requester",
            "requester=0ms",
            "requester=2",
            "requester=2ms,loud",
            "driver=1ms,hidden",
            "sleepers=0",
            "cat=1",
        ] {
            let refused = wrong.parse::<Companion>().unwrap_err();
            assert!(refused.to_string().contains("write"), "{wrong}");
        }
    }
}
