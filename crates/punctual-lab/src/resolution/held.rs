//! A held request, and its effect.

use super::unanswered;
use crate::machine::{NANOS_PER_UNIT, Request, Tuning};
use punctual::os::windows::{PowerThrottling, WindowsOs};
use punctual::{Error, Os};
use punctual_data::histogram::Histogram;
use punctual_data::quantity::whole_nanos;
use punctual_windows::os::windows::Win32Lab;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// This process requests a timer interval until this is dropped. Meanwhile it is exempt from
/// Windows 11's throttling, which ignores the requests of processes without a visible window.
#[must_use = "the request ends when it is dropped"]
pub struct Held<W: Win32Lab> {
    os: WindowsOs<W>,
    interval: Duration,
    request: Request,
    /// Dropped after the request has ended.
    _opt_out: Option<OptOut<W>>,
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
const SLEEPS: u64 = 32;

impl<W: Win32Lab> Held<W> {
    /// Makes the request.
    ///
    /// # Errors
    /// [System](Error::is_system) if the request is refused.
    pub fn ask(os: &WindowsOs<W>, interval: Duration) -> Result<Self, Error> {
        Self::ask_under(os, interval, Some(OptOut::of_throttling(os.win32())))
    }

    /// The same, and leaves it at what the process has told Windows to do with its requests.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub(crate) fn ask_as_it_stands(os: &WindowsOs<W>, interval: Duration) -> Result<Self, Error> {
        Self::ask_under(os, interval, None)
    }

    fn ask_under(
        os: &WindowsOs<W>,
        interval: Duration,
        opt_out: Option<OptOut<W>>,
    ) -> Result<Self, Error> {
        let request = Request::of(interval);
        request
            .begin(os.win32())
            .map_err(|error| Error::system(format!("the system refused the request: {error}")))?;
        Ok(Self {
            os: os.clone(),
            interval,
            request,
            _opt_out: opt_out,
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
        let mut sleeps = Histogram::new();
        for _ in 0..SLEEPS {
            sleeps.record(sleep_1(&self.os));
        }
        Ok(InForce {
            requested_ns,
            interval_ns,
            minimum_ns: u64::from(found.minimum_time) * NANOS_PER_UNIT,
            honoured: interval_ns <= requested_ns + HAIR_NS,
            sleep_1_mean_ns: whole_nanos(sleeps.mean()),
        })
    }
}

impl<W: Win32Lab> Tuning for Held<W> {}

impl<W: Win32Lab> Drop for Held<W> {
    fn drop(&mut self) {
        // It was begun with this number, so it can be ended with it.
        let _ = self.request.end(self.os.win32());
    }
}

/// Windows honours this process's requests without a visible window, until this is dropped.
struct OptOut<W: Win32Lab> {
    win32: W,
    /// The setting to restore, if there is one and it was changed.
    found: Option<PowerThrottling>,
}

impl<W: Win32Lab> OptOut<W> {
    /// Versions before Windows 11 have no such setting, and return an error.
    fn of_throttling(win32: &W) -> Self {
        let found = win32.get_process_information().unwrap_or_default();
        let honouring = found.honouring_requests();
        let set = found != honouring && win32.set_process_information(honouring).is_ok();
        Self {
            win32: win32.clone(),
            found: set.then_some(found),
        }
    }
}

impl<W: Win32Lab> Drop for OptOut<W> {
    fn drop(&mut self) {
        if let Some(found) = self.found {
            // It was permitted before.
            let _ = self.win32.set_process_information(found);
        }
    }
}

/// Waits for a little more than one default interval: requests take effect at a tick, which has
/// come by then.
pub(super) fn settle<W: Win32Lab>(os: &WindowsOs<W>) -> Result<(), Error> {
    const UNITS_PER_MILLISECOND: u32 = 10_000;
    let found = os.win32().nt_query_timer_resolution().map_err(unanswered)?;
    os.win32()
        .sleep(found.maximum_time.div_ceil(UNITS_PER_MILLISECOND) + 1);
    Ok(())
}

/// How long one `Sleep(1)` takes.
pub(super) fn sleep_1<W: Win32Lab>(os: &WindowsOs<W>) -> Duration {
    let began = os.now();
    os.win32().sleep(1);
    os.now().duration_since(began)
}

#[cfg(all(test, feature = "sim"))]
mod tests {
    use super::*;
    use crate::simulated::{SimulatedMachine, SimulatedOs};
    use punctual::os::windows::Win32;

    fn on<T: Send + 'static>(
        machine: &str,
        body: impl FnOnce(&SimulatedOs) -> T + Send + 'static,
    ) -> T {
        let machine: SimulatedMachine = machine.parse().unwrap();
        machine.run(1, move |os| body(&os)).unwrap().value
    }

    fn in_force(machine: &str, interval: Duration) -> InForce {
        on(machine, move |os| {
            Held::ask(os, interval).unwrap().in_force().unwrap()
        })
    }

    #[test]
    fn a_request_is_honoured_as_far_as_the_machine_goes() {
        for machine in ["windows-xp", "windows-7", "windows-10-1909", "windows-11"] {
            let two = in_force(machine, Duration::from_millis(2));
            assert!(two.honoured, "{machine}: {two:?}");
            assert!(two.sleep_1_mean_ns < 4_000_000, "{machine}: {two:?}");
            let least = in_force(machine, Duration::from_micros(100));
            assert!(!least.honoured, "{machine}: {least:?}");
        }
    }

    #[test]
    fn what_is_dropped_is_given_back() {
        let (found, during, after) = on("windows-11", |os| {
            let state = || {
                let throttling = os.win32().get_process_information().unwrap();
                (os.win32().smallest_request(), throttling)
            };
            let found = state();
            let held = Held::ask(os, Duration::from_micros(500)).unwrap();
            let during = state();
            drop(held);
            (found, during, state())
        });
        assert_eq!(found, after);
        assert_eq!(during.0, Some(Duration::from_micros(500)));
        assert_eq!(during.1, found.1.honouring_requests());
    }

    #[test]
    fn a_refused_request_leaves_nothing_behind() {
        // More milliseconds than timeBeginPeriod takes.
        let (refused, same) = on("windows-11", |os| {
            let found = os.win32().get_process_information();
            let refused = Held::ask(os, Duration::from_secs(3_600)).is_err();
            (refused, found == os.win32().get_process_information())
        });
        assert!(refused && same);
    }
}
