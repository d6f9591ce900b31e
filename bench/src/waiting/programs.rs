//! Programs of their own, where they are installed: Go's ticker in `go/ticker`, and cyclictest of rt-tests.

use super::grid::{Block, Outcome};
use crate::answering::Process;
use crate::failure::Failure;
use crate::go::first_line;
use std::io::{self, ErrorKind};
use std::process::{Command, Output};
use std::time::Duration;

/// The folder of Go's program.
pub const TICKER: &str = "ticker";

/// A block of Go's ticker.
pub fn ticker(program: &mut Process, block: Block) -> Result<Outcome, Failure> {
    let ask = format!("{} {}", block.period.as_nanos(), block.periods);
    let answer = program.ask(&ask)?;
    answered(&answer).ok_or_else(|| format!("{TICKER}: unexpected answer {answer:?}").into())
}

/// An answer is a line of "missed processor_ns elapsed_ns", followed by how late each of the missed
/// was found to be, and then the latenesses.
fn answered(answer: &str) -> Option<Outcome> {
    let numbers = answer.split_whitespace().map(str::parse::<u64>);
    let numbers = numbers.collect::<Result<Vec<_>, _>>().ok()?;
    let [missed, processor, elapsed, rest @ ..] = &numbers[..] else {
        return None;
    };
    let (passed, latenesses) = rest.split_at_checked(usize::try_from(*missed).ok()?)?;
    Some(Outcome {
        latenesses: latenesses.to_vec(),
        passed: Some(passed.to_vec()),
        processor: Some(Duration::from_nanos(*processor)),
        elapsed: Duration::from_nanos(*elapsed),
        ..Outcome::default()
    })
}

/// Whether there is a cyclictest, or why not.
pub fn try_cyclictest() -> Result<(), String> {
    match run_cyclictest(Duration::from_millis(1), 1) {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("refuses: {}", first_line(&output.stderr))),
        Err(error) if error.kind() == ErrorKind::NotFound => Err("not installed".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// A run of cyclictest as an ordinary thread on an untuned machine: what the others have. Its processor time cannot be
/// told from what starting it takes.
pub fn cyclictest(block: Block) -> Result<Outcome, Failure> {
    let output = run_cyclictest(block.period, block.periods)?;
    if !output.status.success() {
        return Err(format!("cyclictest: {}", first_line(&output.stderr)).into());
    }
    let latenesses = samples(&String::from_utf8_lossy(&output.stdout));
    if latenesses.is_empty() {
        return Err("cyclictest printed no latencies".into());
    }
    Ok(Outcome {
        latenesses,
        elapsed: block.period * block.periods,
        ..Outcome::default()
    })
}

fn run_cyclictest(period: Duration, periods: u32) -> io::Result<Output> {
    Command::new("cyclictest")
        // Otherwise it holds all processors out of their idle states, for everybody.
        .arg("--default-system")
        .args(["--policy=other", "--threads=1", "--nsecs", "--verbose"])
        .arg(format!("--interval={}", period.as_micros()))
        .arg(format!("--loops={periods}"))
        .output()
}

/// The lines of "thread: cycle: nanoseconds" among others.
fn samples(output: &str) -> Vec<u64> {
    let sample = |line: &str| {
        let fields = line.split(':').map(|field| field.trim().parse::<u64>());
        match fields.collect::<Result<Vec<_>, _>>().ok()?[..] {
            [_, _, nanos] => Some(nanos),
            _ => None,
        }
    };
    output.lines().filter_map(sample).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_an_answer_and_refuses_anything_else() {
        let outcome = answered("1 40000 3000000 500 100 70000\n").unwrap();
        assert_eq!(outcome.latenesses, [100, 70_000]);
        assert_eq!(outcome.passed, Some(vec![500]));
        assert_eq!(outcome.processor, Some(Duration::from_micros(40)));
        assert_eq!(outcome.elapsed, Duration::from_millis(3));
        for refused in ["", "1 2", "1 2 3", "1 2 3 four", "panic: runtime error"] {
            assert!(answered(refused).is_none(), "{refused}");
        }
    }

    #[test]
    fn picks_the_samples_out_of_the_output() {
        let output = "Max CPUs = 2\n\
                      Thread 0 Interval: 1500\n\
                      \x20      0:       0:   69465\n\
                      \x20      0:       1:   65139\n\
                      T: 0 (11881) P: 0 I:1000 C:      2 Min:  64388 Act:   64460\n";
        assert_eq!(samples(output), [69_465, 65_139]);
    }
}
