//! The whole simulated Windows: its calls, its clock and ticks, its processors, its log; and the memory that it takes.

use crate::failure::Failure;
use crate::os::Meter;
use punctual::Os;
use punctual::os::windows::{INFINITE, Win32, Win32Error, WindowsOs};
use punctual_sim::windows::{SimWin32, WindowsMachine};
use punctual_sim::{Limits, Plain, Setup, simulate};
use punctual_windows::Version;
use punctual_windows::os::windows::Win32Lab;
use std::env;
use std::fs;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

pub const VERSION: &str = "windows-10-2004";

/// Threads that sleep side by side.
pub const SLEEPERS: u32 = 4;

/// Records that are kept. A sleep makes three: after some 20,000 the oldest give way.
const RECORDS: usize = 1 << 16;

const PERIOD: Duration = Duration::from_millis(1);

/// An hour of [`PERIOD`]s.
pub const SLEEPS_OF_AN_HOUR: u64 = 3_600_000;

fn machine() -> Result<WindowsMachine, Failure> {
    let limits = Limits {
        log: RECORDS,
        ..Limits::default()
    };
    Ok(WindowsMachine::new(Version::named(VERSION)?).with_limits(limits))
}

/// The processor time it takes that each of [`SLEEPERS`] threads calls `Sleep(1)` so often. They
/// request no resolution, as most programs don't: a sleep takes a tick of 15.6 ms.
pub fn sleep(times_each: u64) -> Result<Duration, Failure> {
    let run = machine()?.run(move |win32| sleep_all(win32, times_each))?;
    run.value
        .map_err(|error| format!("the simulated Windows refused a call: {error:?}").into())
}

fn sleep_all(win32: SimWin32, times_each: u64) -> Result<Duration, Win32Error> {
    let began = Meter::Process.read();
    let mut ended = Vec::new();
    for _ in 0..SLEEPERS {
        let event = Arc::new(win32.create_event_w(false)?);
        let sets = Arc::clone(&event);
        let body = move || {
            for _ in 0..times_each {
                win32.sleep(1);
            }
            // An event can be set.
            let _ = win32.set_event(&sets);
        };
        win32.create_thread("sleeper", Box::new(body))?;
        ended.push(event);
    }
    for event in ended {
        win32.wait_for_single_object(&event, INFINITE)?;
    }
    Ok(Meter::Process.read() - began)
}

/// The processor time that a loop of so many periods takes on the simulated Windows, with its log.
/// Its `Sleep` cannot keep up with 1 kHz; the high-resolution timers that Punctual waits with can.
pub fn loop_on_windows(sleeps: u64) -> Result<Duration, Failure> {
    let run = machine()?.run(move |win32| wait_periodically(&WindowsOs::on(win32), sleeps))?;
    Ok(run.value)
}

/// The processor time that the same loop takes on the plain machine, which keeps no log unless
/// asked.
pub fn loop_on_the_plain_machine(sleeps: u64) -> Result<Duration, Failure> {
    let body = move |os| wait_periodically(&os, sleeps);
    Ok(simulate(Setup::default(), Plain::default(), body)?.value)
}

fn wait_periodically(os: &impl Os, sleeps: u64) -> Duration {
    let began = Meter::Process.read();
    let bell = os.bell();
    let mut deadline = os.now();
    for _ in 0..sleeps {
        deadline += PERIOD;
        os.wait(Some(deadline), Duration::ZERO, &bell);
    }
    Meter::Process.read() - began
}

/// The hidden subcommand that a child runs. A process of its own each, because the most that a
/// process ever had never goes down again.
pub const SUBCOMMAND: &str = "simulate-minutes";

/// The most memory that a process had that simulates a loop for so long.
pub fn peak_kib(minutes: u64) -> Result<u64, Failure> {
    let mut child = Command::new(env::current_exe()?);
    let output = child.args([SUBCOMMAND, &minutes.to_string()]).output()?;
    let answer = String::from_utf8_lossy(&output.stdout);
    let peak = answer.trim().parse();
    peak.map_err(|_| format!("a simulation of {minutes} minutes ended with {answer:?}").into())
}

/// What a child does: a loop on the simulated Windows, and then a line with its peak.
pub fn report(minutes: u64) -> Result<(), Failure> {
    const MINUTES_PER_HOUR: u64 = 60;
    loop_on_windows(minutes.saturating_mul(SLEEPS_OF_AN_HOUR / MINUTES_PER_HOUR))?;
    println!("{}", peak()?);
    Ok(())
}

/// The most memory that this process ever had, in KiB.
fn peak() -> Result<u64, Failure> {
    let status = fs::read_to_string("/proc/self/status")?;
    parse_peak(&status).ok_or_else(|| "this Linux does not tell how much memory was used".into())
}

fn parse_peak(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim_end().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_peak() {
        let status =
            "Name:\tbench\nVmPeak:\t  99999 kB\nVmHWM:\t    5120 kB\nVmRSS:\t    4000 kB\n";
        assert_eq!(parse_peak(status), Some(5_120));
        assert_eq!(parse_peak("VmRSS:\t1 kB\n"), None);
        assert!(peak().unwrap() > 0);
    }

    #[test]
    fn both_machines_run() {
        assert!(!sleep(100).unwrap().is_zero());
        assert!(!loop_on_windows(100).unwrap().is_zero());
        assert!(!loop_on_the_plain_machine(100).unwrap().is_zero());
    }

    #[test]
    fn the_loop_keeps_its_rate() {
        let body = |win32| {
            let os = WindowsOs::on(win32);
            let began = os.now();
            wait_periodically(&os, 1_000);
            os.now().duration_since(began)
        };
        let took = machine().unwrap().run(body).unwrap().value;
        assert!(took >= Duration::from_secs(1) && took < Duration::from_millis(1_002));
    }

    #[test]
    fn an_hour_is_an_hour() {
        let periods = Duration::from_secs(3_600).as_nanos() / PERIOD.as_nanos();
        assert_eq!(u128::from(SLEEPS_OF_AN_HOUR), periods);
    }
}
