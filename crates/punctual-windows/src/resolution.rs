//! The time between Windows' timer interrupts: what it is, and requests for another. Everything here is written once for
//! every Windows, real or simulated.

use crate::NANOS_PER_UNIT;
use crate::os::windows::{Win32Lab, calls};
use punctual::os::windows::{PowerThrottling, Win32, Win32Error, WindowsOs};
use punctual::{Error, Os};
use punctual_data::quantity::whole_nanos;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// The error message for a failed query.
fn unanswered(error: Win32Error) -> Error {
    Error::system(format!("cannot query the timer interval ({error})"))
}

/// The call to use: `timeBeginPeriod` takes whole milliseconds, `NtSetTimerResolution` units of 100
/// ns.
#[derive(Debug, Clone, Copy)]
enum Request {
    Milliseconds(u32),
    Units(u32),
}

impl Request {
    /// Uses the documented call if possible; else the kernel's own call, and rounds up. A process has one request of the
    /// latter kind: a second call replaces it.
    fn of(interval: Duration) -> Self {
        let milliseconds = u32::try_from(interval.as_millis()).unwrap_or(u32::MAX);
        if Duration::from_millis(milliseconds.into()) == interval {
            return Self::Milliseconds(milliseconds);
        }
        let units = interval.as_nanos().div_ceil(NANOS_PER_UNIT.into());
        Self::Units(u32::try_from(units).unwrap_or(u32::MAX))
    }

    fn begin<W: Win32Lab>(self, win32: &W) -> Result<(), Win32Error> {
        match self {
            Self::Milliseconds(period) => win32.time_begin_period(period),
            Self::Units(units) => win32.nt_set_timer_resolution(units, true).map(drop),
        }
    }

    fn end<W: Win32Lab>(self, win32: &W) -> Result<(), Win32Error> {
        match self {
            Self::Milliseconds(period) => win32.time_end_period(period),
            Self::Units(units) => win32.nt_set_timer_resolution(units, false).map(drop),
        }
    }
}

/// This process requests a timer interval until this is dropped.
#[must_use = "the request ends when it is dropped"]
pub struct Held<W: Win32Lab> {
    os: WindowsOs<W>,
    interval: Duration,
    request: Request,
    /// What the process had told Windows to do with its requests, if that was changed.
    found: Option<PowerThrottling>,
}

/// The effect of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InForce {
    /// The requested interval.
    pub requested_ns: u64,
    /// The interval in force.
    pub interval_ns: u64,
    /// The shortest interval that can be requested.
    pub minimum_ns: u64,
    /// Whether interrupts come at least as often as requested.
    pub honoured: bool,
    /// How long `Sleep(1)` takes in this process meanwhile, on average.
    pub sleep_1_mean_ns: u64,
}

/// Windows 7 and 8 give slightly more than requested: up to this much is published.
const HAIR_NS: u64 = NANOS_PER_UNIT;

/// The number of sleeps for the average: half a second at the default interval.
const SLEEPS: u32 = 32;

impl<W: Win32Lab> Held<W> {
    /// Makes the request. While it holds, this process is exempt from Windows 11's throttling, which ignores the requests
    /// of processes without a visible window.
    ///
    /// # Errors
    /// [System](Error::is_system) if the request is refused.
    pub fn ask(os: &WindowsOs<W>, interval: Duration) -> Result<Self, Error> {
        let win32 = os.win32();
        // Versions before Windows 11 have no such setting, and return an error.
        let found = win32.get_process_information().unwrap_or_default();
        let honouring = found.honouring_requests();
        let set = found != honouring && win32.set_process_information(honouring).is_ok();
        let found = set.then_some(found);
        match Self::ask_as_it_stands(os, interval) {
            Ok(mut held) => {
                held.found = found;
                Ok(held)
            }
            Err(error) => {
                restore(win32, found);
                Err(error)
            }
        }
    }

    /// The same, and leaves it at what the process has told Windows to do with its requests.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub fn ask_as_it_stands(os: &WindowsOs<W>, interval: Duration) -> Result<Self, Error> {
        let request = Request::of(interval);
        request
            .begin(os.win32())
            .map_err(|error| Error::system(format!("the system refused the request: {error}")))?;
        Ok(Self {
            os: os.clone(),
            interval,
            request,
            found: None,
        })
    }

    /// The interval in force, once the request has taken effect, which it does at the next tick.
    /// Takes up to a second.
    ///
    /// # Errors
    /// [System](Error::is_system) if the interval cannot be queried.
    pub fn in_force(&self) -> Result<InForce, Error> {
        let win32 = self.os.win32();
        settle(&self.os)?;
        let found = win32.nt_query_timer_resolution().map_err(unanswered)?;
        let interval_ns = u64::from(found.current_time) * NANOS_PER_UNIT;
        let requested_ns = whole_nanos(self.interval);
        let slept: Duration = (0..SLEEPS).map(|_| sleep_1(&self.os)).sum();
        Ok(InForce {
            requested_ns,
            interval_ns,
            minimum_ns: u64::from(found.minimum_time) * NANOS_PER_UNIT,
            honoured: interval_ns <= requested_ns + HAIR_NS,
            sleep_1_mean_ns: whole_nanos(slept / SLEEPS),
        })
    }
}

impl<W: Win32Lab> Drop for Held<W> {
    fn drop(&mut self) {
        // It was begun with this number, so it can be ended with it.
        let _ = self.request.end(self.os.win32());
        restore(self.os.win32(), self.found);
    }
}

fn restore<W: Win32>(win32: &W, found: Option<PowerThrottling>) {
    if let Some(found) = found {
        // It was permitted before.
        let _ = win32.set_process_information(found);
    }
}

/// Waits for a little more than one default interval: requests take effect at a tick, which has
/// come by then.
fn settle<W: Win32Lab>(os: &WindowsOs<W>) -> Result<(), Error> {
    const UNITS_PER_MILLISECOND: u32 = 10_000;
    let found = os.win32().nt_query_timer_resolution().map_err(unanswered)?;
    os.win32()
        .sleep(found.maximum_time.div_ceil(UNITS_PER_MILLISECOND) + 1);
    Ok(())
}

/// How long one `Sleep(1)` takes.
fn sleep_1<W: Win32Lab>(os: &WindowsOs<W>) -> Duration {
    let began = os.now();
    os.win32().sleep(1);
    os.now().duration_since(began)
}

// The interval over time: it can change fifteen times a second, so one reading is not enough.

/// What was seen of a machine's timer interval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observed {
    /// The longest interval, when no program requests less.
    pub maximum_ns: u64,
    /// The shortest interval that can be requested.
    pub minimum_ns: u64,
    /// The interval at the last look.
    pub current_ns: u64,
    /// How long it was watched.
    pub observed_ns: u64,
    /// How many times it was read.
    pub looks: u64,
    /// Every interval that was seen, ascending.
    pub shares: Vec<Share>,
}

/// An interval, and for how much of the time it was in force.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// The interval.
    pub interval_ns: u64,
    /// From 0 to 1.
    pub share: f64,
}

/// A millisecond, as a due time relative to now.
const PAUSE: i64 = -10_000;

/// Reads the interval again and again for this long: about every millisecond if Windows has
/// high-resolution timers, otherwise at every tick. Neither changes the interval. The processor
/// stays free between the readings, because a busy one would keep the machine from its idle
/// behaviour.
///
/// # Errors
/// [System](Error::is_system) if the interval cannot be queried.
pub fn observe<W: Win32Lab>(os: &WindowsOs<W>, duration: Duration) -> Result<Observed, Error> {
    let query = || os.win32().nt_query_timer_resolution().map_err(unanswered);
    // `None` if there are no high-resolution timers.
    let timer = calls::high_resolution_timer(os.win32()).ok();
    let pause = || {
        let waited = timer
            .as_ref()
            .map(|timer| calls::await_timer(os.win32(), timer, PAUSE));
        if !matches!(waited, Some(Ok(()))) {
            os.win32().sleep(1);
        }
    };
    let mut times: BTreeMap<u32, Duration> = BTreeMap::new();
    let began = os.now();
    let (mut looked_at, mut found, mut looks) = (began, query()?, 1);
    while looked_at.duration_since(began) < duration {
        pause();
        let now = os.now();
        *times.entry(found.current_time).or_default() += now.duration_since(looked_at);
        (looked_at, found, looks) = (now, query()?, looks + 1);
    }
    let observed = looked_at.duration_since(began);
    let interval_ns = |units: u32| u64::from(units) * NANOS_PER_UNIT;
    let share = |(&units, time): (&u32, &Duration)| Share {
        interval_ns: interval_ns(units),
        share: time.as_secs_f64() / observed.as_secs_f64(),
    };
    Ok(Observed {
        maximum_ns: interval_ns(found.maximum_time),
        minimum_ns: interval_ns(found.minimum_time),
        current_ns: interval_ns(found.current_time),
        observed_ns: whole_nanos(observed),
        looks,
        shares: times.iter().map(share).collect(),
    })
}
