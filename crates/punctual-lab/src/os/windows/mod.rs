//! The machine that this program runs on, if that is Windows.

#![allow(unsafe_code, reason = "system calls")]

mod environment;
pub(crate) mod process;

use super::everywhere;
use crate::conditions::Companion;
use crate::machine::{Clock, Finding, Machine, Matter, Remedy, ThreadTimes, Tuning};
use crate::waiters::{CONDVAR, Waiter, portable, sleeping, std_sleep, windows};
use crate::{Environment, Native, clocks};
use punctual::os::Spin;
use punctual::{Error, Os};
use punctual_windows::NANOS_PER_UNIT;
use punctual_windows::resolution::Held;
use std::time::Duration;
use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Threading::{GetCurrentThread, GetThreadTimes};
use windows_sys::Win32::System::WindowsProgramming::QueryThreadCycleTime;

/// Whether the standard library can sleep: always.
pub(crate) fn std_sleeps() -> Result<(), Error> {
    Ok(())
}

impl Machine for Native {
    const HAS_INTERVAL: bool = true;

    fn waiters() -> Vec<Waiter<Self>> {
        let mut waiters = windows::all();
        waiters.extend([std_sleep(|os, _| sleeping(os)), CONDVAR]);
        waiters.extend(portable());
        waiters
    }

    fn clocks() -> Vec<Clock<Self>> {
        let mut clocks = clocks::windows::all();
        clocks.extend(everywhere::clocks());
        clocks
    }

    fn request(&self, interval: Duration) -> Result<Box<dyn Tuning>, Error> {
        Ok(Box::new(Held::ask_as_it_stands(self, interval)?))
    }

    fn await_tick(&self) {
        windows::await_tick(self.win32());
    }

    fn request_delay(&self) -> Duration {
        windows::request_delay(self.win32())
    }

    fn offers(companion: &Companion) -> Result<(), Error> {
        companion.as_process(Self::HAS_INTERVAL)
    }

    fn environment(&self) -> Environment {
        environment::read(self)
    }

    fn findings(&self) -> Vec<Finding> {
        findings_of(self, &self.environment())
    }

    fn thread_times(&self) -> Box<dyn ThreadTimes> {
        Box::new(WindowsThreadTimes::of_this_thread(self))
    }
}

// What Windows permits a program that waits.

fn findings_of(machine: &Native, environment: &Environment) -> Vec<Finding> {
    let mut findings = vec![
        request_finding(machine, environment),
        administrator_finding(environment),
        plan_finding(environment),
    ];
    if let Some(version) = environment.wine.as_deref().filter(|&wine| wine != "none") {
        findings.push(Finding::limited(Matter::Wine(version.to_owned()), None));
    }
    findings
}

/// Tried, and taken back.
fn request_finding(machine: &Native, environment: &Environment) -> Finding {
    let Some(nanos) = environment.timer_interval_minimum_ns else {
        return Finding::unknown(Matter::TimerInterval(None));
    };
    let attempt = Held::ask_as_it_stands(machine, Duration::from_nanos(nanos));
    Finding::attempted(Matter::TimerInterval(Some(nanos)), attempt, None)
}

fn administrator_finding(environment: &Environment) -> Finding {
    match environment.superuser {
        Some(true) => Finding::good(Matter::Administrator),
        _ => Finding::limited(Matter::Administrator, Some(Remedy::BecomeAdministrator)),
    }
}

fn plan_finding(environment: &Environment) -> Finding {
    const BEST: [&str; 2] = ["High performance", "Ultimate Performance"];
    let plan = environment.power_plan.clone();
    let is_good = plan.as_deref().map(|plan| BEST.contains(&plan));
    Finding::judged(
        Matter::PowerPlan(plan),
        is_good,
        Remedy::HighPerformancePlan,
    )
}

// The kernel's accounts of a thread's time.

/// The accounts of the thread that made this.
///
/// `GetThreadTimes` counts whole ticks (15.6 ms), which is too coarse for a thread that runs for
/// microseconds. `QueryThreadCycleTime` counts every cycle, but no call tells the length of a
/// cycle. So the length is measured once, by spinning.
struct WindowsThreadTimes {
    /// `None` if cycles are not counted, as on Wine 8.
    nanos_per_cycle: Option<f64>,
}

/// How long to spin to find the length of a cycle. Half a percent of this is ten times the cost of
/// taking a thread off its processor and back.
const CALIBRATION: Duration = Duration::from_millis(5);

impl WindowsThreadTimes {
    fn of_this_thread(os: &Native) -> Self {
        Self {
            nanos_per_cycle: nanos_per_cycle(os),
        }
    }
}

/// The shortest of several: if the thread loses its processor, the result is too long.
#[expect(
    clippy::cast_precision_loss,
    reason = "milliseconds of cycles are exact"
)]
fn nanos_per_cycle(os: &Native) -> Option<f64> {
    const TRIALS: u32 = 3;
    let trial = || {
        let (began, cycles) = (os.now(), cycles()?);
        let ended = os.spin_until(began + CALIBRATION, Spin::Pause);
        let cycles = self::cycles()?
            .checked_sub(cycles)
            .filter(|&cycles| cycles > 0)?;
        Some(ended.duration_since(began).as_nanos() as f64 / cycles as f64)
    };
    let trials: Option<Vec<f64>> = (0..TRIALS).map(|_| trial()).collect();
    trials?.into_iter().min_by(f64::total_cmp)
}

impl ThreadTimes for WindowsThreadTimes {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a thread's cycles of days are exact, and only differences are used"
    )]
    fn processor(&self) -> Duration {
        match (self.nanos_per_cycle, cycles()) {
            (Some(nanos), Some(cycles)) => Duration::from_nanos((cycles as f64 * nanos) as u64),
            _ => whole_ticks(),
        }
    }

    /// Windows keeps no account of it that an unprivileged program can read.
    fn queue(&self) -> Option<Duration> {
        None
    }
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/realtimeapiset/nf-realtimeapiset-querythreadcycletime>
fn cycles() -> Option<u64> {
    let mut cycles = 0;
    // SAFETY: no pointers.
    let thread = unsafe { GetCurrentThread() };
    // SAFETY: `cycles` is valid for writing.
    let known = unsafe { QueryThreadCycleTime(thread, &raw mut cycles) };
    (known != 0).then_some(cycles)
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-getthreadtimes>
fn whole_ticks() -> Duration {
    let mut times = [FILETIME::default(); 4];
    let [created, exited, kernel, user] = &mut times;
    // SAFETY: no pointers.
    let thread = unsafe { GetCurrentThread() };
    // SAFETY: all four are valid for writing. The call cannot fail for the calling thread.
    unsafe { GetThreadTimes(thread, created, exited, kernel, user) };
    let units =
        |time: &FILETIME| u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
    Duration::from_nanos((units(&times[2]) + units(&times[3])) * NANOS_PER_UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_accounts_of_this_thread_do_not_go_back_and_count_what_is_spun() {
        let os = Native::detect().unwrap();
        let times = WindowsThreadTimes::of_this_thread(&os);
        let before = times.processor();
        while times.processor() == before {
            os.spin_until(os.now() + Duration::from_millis(1), Spin::Pause);
        }
        assert!(times.processor() > before);
        assert!(times.queue().is_none());
    }
}
