//! Ways to wait: each has one name and one summary, and is made once for a thread of a machine.
//!
//! A [`Waiter`] says what it can do: wait for a length, wait until a deadline, keep a beat. Calls of systems, Punctual's own
//! waits and the waits of runtimes are waiters. One is declared with what its call takes, and `lengths` or `deadlines`
//! makes the other of it.

pub(crate) mod contenders;
pub(crate) mod portable;
mod tuned;
pub mod windows;

pub use portable::{PUNCTUAL, TICKER, portable};
pub use tuned::{requested, sliced, tuned};

use crate::Native;
use punctual::margin::{Budget, LateRate};
use punctual::os::Slice;
use punctual::{Error, Instant, Os, Period};
use serde::{Deserialize, Serialize};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;
use std::{fmt, thread};

/// The unit of what takes deadlines.
pub(crate) const NANOSECOND: Duration = Duration::from_nanos(1);

/// A wait that was made for a thread.
pub trait Wait {
    /// A turn begins, after a pause in which others had their turns. What accounts for time leaves the pause out.
    fn begin_turn(&mut self) {}

    /// A turn ends. A periodic timer stops, so that it does not disturb the others.
    fn end_turn(&mut self) {}

    /// Waits, and returns the first reading of the machine's clock after the wait. If the system ends the wait early, it
    /// returns early: the experiment counts that.
    fn wait_until(&mut self, deadline: Instant) -> Instant;

    /// Waits for this long from now on, as the system sees it: the wait may end late, or early.
    ///
    /// # Errors
    /// If the system refuses to wait, or if this can only wait for deadlines.
    fn wait_for(&mut self, length: Duration) -> Result<(), Error> {
        let _ = length;
        Err(Error::unsupported("it waits for deadlines only"))
    }
}

/// A way to wait that a machine offers.
#[derive(Clone)]
pub struct Waiter<M> {
    /// The name in flags, tables and recordings.
    pub name: &'static str,
    /// A description in one line, of at most 51 characters.
    pub summary: &'static str,
    /// Whether the thread's timer slack or leeway delays it.
    pub slack_applies: bool,
    /// Makes it for waits of some length, which it takes in this unit.
    pub lengths: Option<(Duration, Make<M>)>,
    /// Makes it for deadlines.
    pub deadlines: Option<Make<M>>,
    /// Makes it for a beat, with the rule for when each wait ends.
    pub beats: Option<(Keeping, Make<M>)>,
}

/// What waiters are tried for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// To wait for deadlines.
    Deadlines,
    /// To keep a beat.
    Beats,
    /// To wait for lengths.
    Lengths,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Deadlines => "waits for deadlines",
            Self::Beats => "keeps a beat",
            Self::Lengths => "waits for a length",
        })
    }
}

/// Makes a wait for the calling thread; no other thread may use it. Fails with the reason if this machine cannot.
pub type Make<M> = fn(&M, WaiterOptions) -> Result<Box<dyn Wait>, Error>;

/// Settings for the waiters that have such settings.
#[derive(Debug, Clone, Copy)]
pub struct WaiterOptions {
    /// The name that was asked for. Several waiters can have one maker, which tells them apart by it.
    pub name: &'static str,
    /// The time between deadlines, for periodic timers.
    pub period: Period,
    /// The share of waits that may end late.
    pub late_rate: LateRate,
    /// The share of time that may be spent spinning.
    pub budget: Budget,
    /// What a sleeper does with the thread's slice.
    pub slice: Slice,
}

impl WaiterOptions {
    /// This period, and nothing else in particular.
    pub fn of(period: Period) -> Self {
        Self {
            name: "",
            period,
            late_rate: LateRate::default(),
            budget: Budget::default(),
            slice: Slice::default(),
        }
    }
}

impl<M> Waiter<M> {
    /// One whose call takes a length, in this unit.
    pub const fn after(
        name: &'static str,
        summary: &'static str,
        unit: Duration,
        make: Make<M>,
    ) -> Self {
        Self {
            lengths: Some((unit, make)),
            ..Self::until(name, summary, make)
        }
    }

    /// One that waits for deadlines only.
    pub const fn until(name: &'static str, summary: &'static str, make: Make<M>) -> Self {
        Self {
            name,
            summary,
            slack_applies: false,
            lengths: None,
            deadlines: Some(make),
            beats: None,
        }
    }

    /// One that only keeps a beat.
    pub const fn beating(
        name: &'static str,
        summary: &'static str,
        keeping: Keeping,
        make: Make<M>,
    ) -> Self {
        Self {
            deadlines: None,
            beats: Some((keeping, make)),
            ..Self::until(name, summary, make)
        }
    }

    /// The same, which waits for a length, too: until now and the length.
    #[must_use]
    pub const fn and_lengths(self) -> Self {
        Self {
            lengths: match self.deadlines {
                Some(make) => Some((NANOSECOND, make)),
                None => None,
            },
            ..self
        }
    }

    /// The same, and the thread's timer slack delays it.
    #[must_use]
    pub const fn with_slack(self) -> Self {
        Self {
            slack_applies: true,
            ..self
        }
    }

    /// The same, which keeps a beat by waiting for deadlines, too.
    #[must_use]
    pub const fn keeping(self, keeping: Keeping) -> Self {
        Self {
            beats: match self.deadlines {
                Some(make) => Some((keeping, make)),
                None => None,
            },
            ..self
        }
    }

    /// How it is made for this.
    pub fn make(&self, kind: Kind) -> Option<Make<M>> {
        match kind {
            Kind::Deadlines => self.deadlines,
            Kind::Beats => self.beats.map(|(_, make)| make),
            Kind::Lengths => self.lengths.map(|(_, make)| make),
        }
    }

    /// How it keeps a beat.
    pub fn keeping_of_beats(&self) -> Keeping {
        self.beats.map_or(REMAINDER, |(keeping, _)| keeping)
    }

    /// The length that the system is asked for: whole units.
    pub fn asked(&self, length: Duration) -> Duration {
        self.lengths.map_or(length, |(unit, _)| whole(unit, length))
    }
}

/// The time in whole units, rounded up: rounded down, the wait would end early.
fn whole(unit: Duration, time: Duration) -> Duration {
    let unit = unit.as_nanos().max(1);
    let nanos = time.as_nanos().div_ceil(unit).saturating_mul(unit);
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

// What calls take, and what is made of that.

/// A wait by a call that takes a length. Until a deadline it waits for what remains, in whole units.
#[expect(clippy::unnecessary_wraps, reason = "what a maker returns")]
pub(crate) fn lengths<O: Os>(
    os: &O,
    unit: Duration,
    wait: impl FnMut(Duration) -> Result<(), Error> + 'static,
) -> Result<Box<dyn Wait>, Error> {
    let os = os.clone();
    Ok(Box::new(Lengths { os, unit, wait }))
}

struct Lengths<O, F> {
    os: O,
    unit: Duration,
    wait: F,
}

impl<O: Os, F: FnMut(Duration) -> Result<(), Error>> Wait for Lengths<O, F> {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let remaining = deadline.duration_since(self.os.now());
        // A wait that the system refuses or interrupts is early, which is counted.
        let _ = (self.wait)(whole(self.unit, remaining));
        self.os.now()
    }

    fn wait_for(&mut self, length: Duration) -> Result<(), Error> {
        (self.wait)(length)
    }
}

/// A wait by a call that takes a deadline. For a length it waits until now and the length, as programs do.
#[expect(clippy::unnecessary_wraps, reason = "what a maker returns")]
pub(crate) fn deadlines<O: Os>(
    os: &O,
    wait: impl FnMut(Instant) + 'static,
) -> Result<Box<dyn Wait>, Error> {
    let os = os.clone();
    Ok(Box::new(Deadlines { os, wait }))
}

struct Deadlines<O, F> {
    os: O,
    wait: F,
}

impl<O: Os, F: FnMut(Instant)> Wait for Deadlines<O, F> {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        (self.wait)(deadline);
        self.os.now()
    }

    fn wait_for(&mut self, length: Duration) -> Result<(), Error> {
        (self.wait)(self.os.now() + length);
        Ok(())
    }
}

// How a beat is kept.

/// For the rest of the period, as it is after the last beat.
pub(crate) const REMAINDER: Keeping = Keeping::Remainder {
    early: Duration::ZERO,
};

/// The rule for when each wait of a beat ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeping {
    /// One period after the last beat, less `early`. Each wait that ends late delays the whole
    /// schedule.
    Remainder {
        /// How much shorter each wait is.
        early: Duration,
    },
    /// At deadlines computed from the start. The loop waits until `margin` before each deadline and
    /// reads the clock for the rest.
    Schedule {
        /// How long to read the clock; with zero, the wait lasts until the deadline itself.
        margin: Duration,
    },
    /// It has its own schedule, and got the period when it was made.
    Itself,
}

/// The two parts of a loop's wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parts {
    /// The waiter waits until here, unless this has passed.
    pub(crate) sleep_until: Instant,
    /// Then the loop reads the clock until here.
    pub(crate) spin_until: Instant,
}

impl Keeping {
    /// For the beat with this number, counted from 1 at the start. `None` past the end of 64-bit
    /// time.
    pub(crate) fn deadlines(
        self,
        period: Period,
        start: Instant,
        last: Instant,
        index: u64,
    ) -> Option<Parts> {
        let (sleep_until, spin_until) = match self {
            Self::Remainder { early } => (period.deadline(last, 1)? - early, Instant::ZERO),
            Self::Schedule { margin } if margin.is_zero() => {
                (period.deadline(start, index)?, Instant::ZERO)
            }
            Self::Schedule { margin } => {
                let deadline = period.deadline(start, index)?;
                (deadline - margin, deadline)
            }
            Self::Itself => (period.deadline(start, index)?, Instant::ZERO),
        };
        Some(Parts {
            sleep_until,
            spin_until,
        })
    }
}

/// The standard library's sleep. Its maker tries first whether the call is permitted, where it would panic otherwise.
pub(crate) const fn std_sleep(make: Make<Native>) -> Waiter<Native> {
    Waiter::after("std-sleep", "std::thread::sleep", NANOSECOND, make).with_slack()
}

/// What its maker makes.
pub(crate) fn sleeping(os: &Native) -> Result<Box<dyn Wait>, Error> {
    lengths(os, NANOSECOND, |length| {
        thread::sleep(length);
        Ok(())
    })
}

/// A condition variable that is never notified.
pub(crate) const CONDVAR: Waiter<Native> = Waiter::after(
    "condvar",
    "Condvar::wait_timeout_while",
    NANOSECOND,
    |os, _| {
        let (never, condvar) = (Mutex::new(()), Condvar::new());
        lengths(os, NANOSECOND, move |length| {
            let guard = never.lock().unwrap_or_else(PoisonError::into_inner);
            // The wait always times out, because the condition never changes.
            drop(condvar.wait_timeout_while(guard, length, |()| true));
            Ok(())
        })
    },
)
.with_slack();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_rounded_up_to_whole_units() {
        let asked = |unit, length| {
            let [unit, length] = [unit, length].map(Duration::from_nanos);
            whole(unit, length).as_nanos()
        };
        assert_eq!(asked(1_000_000, 0), 0);
        assert_eq!(asked(1_000_000, 1), 1_000_000);
        assert_eq!(asked(1_000_000, 15_000_000), 15_000_000);
        assert_eq!(asked(100, 499_901), 500_000);
        assert_eq!(asked(1, 7), 7);
    }
}
