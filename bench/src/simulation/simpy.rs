//! SimPy: the program in `python/`, where Python has it installed.

use super::workload::{LONGEST_NANOS, Workload};
use crate::failure::Failure;
use std::process::Command;
use std::time::Duration;

pub const NAME: &str = "SimPy";

const PYTHON: &str = "python3";
const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/python/sleepers.py");

/// Python with SimPy; or why there is none.
pub fn find() -> Result<(), String> {
    match Command::new(PYTHON).args(["-c", "import simpy"]).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(_) | Err(_) => Err("not installed".to_owned()),
    }
}

/// The processor time that the workload takes, the making of processes excluded. Python has its own
/// chance, so the delays are as long, not the same.
pub fn run(workload: Workload) -> Result<Duration, Failure> {
    let output = Command::new(PYTHON)
        .arg(PROGRAM)
        .arg(workload.threads.to_string())
        .arg(workload.sleeps_each.to_string())
        .arg(LONGEST_NANOS.to_string())
        .output()?;
    let answer = String::from_utf8_lossy(&output.stdout);
    parse(&answer).ok_or_else(|| format!("{NAME}: unexpected answer {answer:?}").into())
}

/// An answer is a number of nanoseconds.
fn parse(answer: &str) -> Option<Duration> {
    let nanos = answer.trim().parse().ok()?;
    (nanos > 0).then(|| Duration::from_nanos(nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_an_answer() {
        assert_eq!(parse("1500\n"), Some(Duration::from_nanos(1_500)));
        for refused in ["", "0", "1.5", "Traceback"] {
            assert_eq!(parse(refused), None, "{refused}");
        }
    }
}
