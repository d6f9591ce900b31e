//! Whether simulated time takes room: the most memory that a run had, beside one ten times longer.

use super::model::{SLEEPS_OF_AN_HOUR, loop_on_windows};
use crate::failure::Failure;
use serde::Serialize;
use std::env;
use std::fs;
use std::process::Command;

/// The hidden subcommand that a child runs. A process of its own each, because the most that a
/// process ever had never goes down again.
pub const SUBCOMMAND: &str = "simulate-minutes";

const SHORT_MINUTES: u64 = 5;
const TIMES_LONGER: u64 = 10;

/// What the shorter and the longer run took, the program itself included.
#[derive(Debug, Serialize)]
pub struct Memory {
    pub simulated_minutes: u64,
    pub peak_kib: u64,
    pub longer_simulated_minutes: u64,
    pub longer_peak_kib: u64,
}

impl Memory {
    pub fn measure() -> Result<Self, Failure> {
        let longer_simulated_minutes = SHORT_MINUTES * TIMES_LONGER;
        Ok(Self {
            simulated_minutes: SHORT_MINUTES,
            peak_kib: peak_of_child(SHORT_MINUTES)?,
            longer_simulated_minutes,
            longer_peak_kib: peak_of_child(longer_simulated_minutes)?,
        })
    }

    pub fn growth(&self) -> f64 {
        self.longer_peak_kib as f64 / self.peak_kib as f64
    }
}

fn peak_of_child(minutes: u64) -> Result<u64, Failure> {
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
}
