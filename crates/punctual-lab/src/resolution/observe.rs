//! The interval over time: it can change fifteen times a second, so one reading is not enough.

use super::unanswered;
use crate::machine::NANOS_PER_UNIT;
use punctual::os::windows::{
    CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, INFINITE, SYNCHRONIZE, TIMER_MODIFY_STATE, WindowsOs,
};
use punctual::{Error, Os};
use punctual_data::quantity::whole_nanos;
use punctual_windows::os::windows::Win32Lab;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

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

/// Reads the interval again and again for this long: about every millisecond if Windows has
/// high-resolution timers, otherwise at every tick. Neither changes the interval. The processor
/// stays free between the readings, because a busy one would keep the machine from its idle
/// behaviour.
///
/// ```
/// use punctual_lab::resolution;
/// # #[cfg(feature = "sim")] {
/// use punctual_lab::simulated::SimulatedMachine;
/// use std::time::Duration;
///
/// let machine: SimulatedMachine = "windows-7".parse().unwrap();
/// let run = machine.run(1, |os| resolution::observe(&os, Duration::from_secs(1)));
/// let observed = run.unwrap().value.unwrap();
/// assert_eq!(observed.current_ns, 15_625_000);
/// assert_eq!(observed.shares.len(), 1);
/// # }
/// ```
///
/// # Errors
/// [System](Error::is_system) if the interval cannot be queried.
pub fn observe<W: Win32Lab>(os: &WindowsOs<W>, duration: Duration) -> Result<Observed, Error> {
    let query = || os.win32().nt_query_timer_resolution().map_err(unanswered);
    let pause = Pause::on(os.win32());
    let mut times: BTreeMap<u32, Duration> = BTreeMap::new();
    let began = os.now();
    let (mut looked_at, mut found, mut looks) = (began, query()?, 1);
    while looked_at.duration_since(began) < duration {
        pause.wait();
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

/// The pause between two looks.
struct Pause<'a, W: Win32Lab> {
    win32: &'a W,
    /// `None` if there are no high-resolution timers.
    timer: Option<W::Object>,
}

/// A millisecond, as a due time relative to now.
const PAUSE: i64 = -10_000;

impl<'a, W: Win32Lab> Pause<'a, W> {
    fn on(win32: &'a W) -> Self {
        let flags = CREATE_WAITABLE_TIMER_HIGH_RESOLUTION;
        let timer = win32.create_waitable_timer_ex_w(flags, SYNCHRONIZE | TIMER_MODIFY_STATE);
        Self {
            win32,
            timer: timer.ok(),
        }
    }

    fn wait(&self) {
        let waited = self.timer.as_ref().map(|timer| {
            self.win32.set_waitable_timer(timer, PAUSE, 0)?;
            self.win32.wait_for_single_object(timer, INFINITE)
        });
        if !matches!(waited, Some(Ok(_))) {
            self.win32.sleep(1);
        }
    }
}

#[cfg(all(test, feature = "sim"))]
mod tests {
    use super::*;
    use crate::simulated::{SimulatedCompanion, SimulatedMachine};

    /// A request for 30 ms of every 100.
    fn observed(machine: &str) -> Observed {
        let mut machine: SimulatedMachine = machine.parse().unwrap();
        machine.companions.push(SimulatedCompanion::Toggler {
            interval: Duration::from_millis(1),
            raised: Duration::from_millis(30),
            lowered: Duration::from_millis(70),
        });
        let run = machine.run(1, |os| observe(&os, Duration::from_secs(5)));
        run.unwrap().value.unwrap()
    }

    #[test]
    fn an_interval_that_changes_is_seen_with_its_share_of_time() {
        // A request takes effect at the next tick, so half of each of its 30 ms is lost; less where the
        // interrupts of the observer's own high-resolution timers are ticks, too.
        for (machine, share) in [("windows-7", 0.1..0.2), ("windows-10-2004", 0.25..0.35)] {
            let observed = observed(machine);
            let [raised, default] = observed.shares[..] else {
                panic!("{machine}: {observed:?}");
            };
            assert_eq!(default.interval_ns, observed.maximum_ns, "{machine}");
            assert!((raised.share + default.share - 1.0).abs() < 1e-9);
            assert!(share.contains(&raised.share), "{machine}: {observed:?}");
        }
    }

    #[test]
    fn looking_leaves_nothing_behind() {
        let machine: SimulatedMachine = "windows-10-2004".parse().unwrap();
        let run = machine.run(1, |os| {
            observe(&os, Duration::from_millis(50)).unwrap();
            os.win32().smallest_request()
        });
        assert_eq!(run.unwrap().value, None);
    }
}
