//! cyclictest of rt-tests, where it is installed.

use super::{Contender, Entry};
use crate::failure::Failure;
use crate::go::first_line;
use crate::waiting::grid::{Block, Outcome};
use std::io::ErrorKind;
use std::process::{Command, Output};
use std::time::Duration;

const NAME: &str = "cyclictest";

/// One run of cyclictest for each block, as an ordinary thread on an untuned machine: what the
/// others have. Its processor time cannot be told from what starting it takes.
struct Cyclictest;

pub fn enter() -> Entry {
    let trial = Block {
        period: Duration::from_millis(1),
        periods: 1,
    };
    let refused = match run(trial) {
        Ok(output) if output.status.success() => return Entry::new(Cyclictest),
        Ok(output) => format!("refuses: {}", first_line(&output.stderr)),
        Err(error) if error.kind() == ErrorKind::NotFound => "not installed".to_owned(),
        Err(error) => error.to_string(),
    };
    Entry::Absent {
        name: NAME.to_owned(),
        reason: refused,
    }
}

fn run(block: Block) -> std::io::Result<Output> {
    Command::new("cyclictest")
        // Otherwise it holds all processors out of their idle states, for everybody.
        .arg("--default-system")
        .args(["--policy=other", "--threads=1", "--nsecs", "--verbose"])
        .arg(format!("--interval={}", block.period.as_micros()))
        .arg(format!("--loops={}", block.periods))
        .output()
}

impl Contender for Cyclictest {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn wait(&mut self, block: Block) -> Result<Outcome, Failure> {
        let output = run(block)?;
        if !output.status.success() {
            return Err(format!("{NAME}: {}", first_line(&output.stderr)).into());
        }
        let latenesses = latenesses(&String::from_utf8_lossy(&output.stdout));
        if latenesses.is_empty() {
            return Err(format!("{NAME} printed no latencies").into());
        }
        Ok(Outcome {
            latenesses,
            missed: None,
            passed: Vec::new(),
            processor: None,
            spun: None,
            elapsed: block.period * block.periods,
        })
    }
}

/// The lines of "thread: cycle: nanoseconds" among others.
fn latenesses(output: &str) -> Vec<u64> {
    let lateness = |line: &str| {
        let mut fields = line.split(':').map(|field| field.trim().parse::<u64>());
        match [fields.next(), fields.next(), fields.next(), fields.next()] {
            [Some(Ok(_)), Some(Ok(_)), Some(Ok(nanos)), None] => Some(nanos),
            _ => None,
        }
    };
    output.lines().filter_map(lateness).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_the_samples_out_of_the_output() {
        let output = "Max CPUs = 2\n\
                      Thread 0 Interval: 1500\n\
                      \x20      0:       0:   69465\n\
                      \x20      0:       1:   65139\n\
                      T: 0 (11881) P: 0 I:1000 C:      2 Min:  64388 Act:   64460\n";
        assert_eq!(latenesses(output), [69_465, 65_139]);
    }
}
