//! Go's timers, in the program `go/timers`.

use super::super::workload::Workload;
use super::{Contender, LEAD, Turn};
use crate::answering::Process;
use crate::failure::Failure;
use crate::go::Program;
use crate::waiting::grid::Outcome;
use std::fmt::Write;
use std::time::Duration;

pub const NAME: &str = "Go";

/// The folder of its program.
pub const PROGRAM: &str = "timers";

/// `time.AfterFunc` for each timer.
pub struct Go(Process);

impl Go {
    pub fn start(program: &Program) -> Result<Self, String> {
        Ok(Self(program.start()?))
    }
}

impl Contender for Go {
    fn name(&self) -> &'static str {
        NAME
    }

    fn tolerance(&self) -> Option<f64> {
        None
    }

    fn keep(&mut self, workload: &Workload) -> Result<Turn, Failure> {
        let (lead, duration) = (LEAD.as_nanos(), workload.duration.as_nanos());
        let mut ask = format!("{lead} {duration} {}", workload.tasks.len());
        for task in &workload.tasks {
            write!(ask, " {} {}", task.phase.as_nanos(), task.period.as_nanos())?;
        }
        let answer = self.0.ask(&ask)?;
        parse(&answer).ok_or_else(|| format!("{NAME}: unexpected answer {answer:.60?}").into())
    }
}

/// An answer is a line of "missed processor_ns elapsed_ns sleeps", followed by the latenesses.
fn parse(answer: &str) -> Option<Turn> {
    let mut numbers = answer.split_whitespace().map(str::parse::<u64>);
    let mut next = || numbers.next()?.ok();
    let missed = u32::try_from(next()?).ok()?;
    let processor = Duration::from_nanos(next()?);
    let elapsed = Duration::from_nanos(next()?);
    let sleeps = next()?;
    Some(Turn {
        outcome: Outcome {
            latenesses: numbers.collect::<Result<_, _>>().ok()?,
            missed: Some(missed),
            passed: Vec::new(),
            processor: Some(processor),
            spun: None,
            elapsed,
        },
        sleeps,
        wakeups: None,
        beyond_window: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_an_answer() {
        let turn = parse("1 40000 3000000 7 100 70000\n").unwrap();
        assert_eq!(turn.outcome.latenesses, [100, 70_000]);
        assert_eq!((turn.outcome.missed, turn.sleeps), (Some(1), 7));
        assert_eq!(turn.outcome.elapsed, Duration::from_millis(3));
    }

    #[test]
    fn refuses_anything_else() {
        for refused in ["", "1 2 3", "1 2 3 4 five", "panic: runtime error"] {
            assert!(parse(refused).is_none(), "{refused}");
        }
    }
}
