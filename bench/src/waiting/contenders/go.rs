//! Go's ticker, in the program `go/ticker`.

use super::{Contender, Entry};
use crate::answering::Process;
use crate::failure::Failure;
use crate::go::Program;
use crate::waiting::grid::{Block, Outcome};
use std::time::Duration;

const NAME: &str = "Go, time.Ticker";

/// The folder of its program.
pub const PROGRAM: &str = "ticker";

struct Ticker(Process);

pub fn enter(program: &Program) -> Entry {
    match program.start() {
        Ok(running) => Entry::new(Ticker(running)),
        Err(reason) => Entry::Absent {
            name: NAME.to_owned(),
            reason,
        },
    }
}

impl Contender for Ticker {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn wait(&mut self, block: Block) -> Result<Outcome, Failure> {
        let ask = format!("{} {}", block.period.as_nanos(), block.periods);
        let answer = self.0.ask(&ask)?;
        parse(&answer).ok_or_else(|| format!("{NAME}: unexpected answer {answer:?}").into())
    }
}

/// An answer is a line of "missed processor_ns elapsed_ns", followed by how late each of the missed
/// was found to be, and then the latenesses.
fn parse(answer: &str) -> Option<Outcome> {
    let mut numbers = answer.split_whitespace().map(str::parse::<u64>);
    let mut next = || numbers.next()?.ok();
    let missed = u32::try_from(next()?).ok()?;
    let processor = Duration::from_nanos(next()?);
    let elapsed = Duration::from_nanos(next()?);
    let mut latenesses: Vec<u64> = numbers.collect::<Result<_, _>>().ok()?;
    let waits = latenesses.split_off(latenesses.len().min(missed as usize));
    Some(Outcome {
        latenesses: waits,
        missed: Some(missed),
        passed: latenesses,
        processor: Some(processor),
        spun: None,
        elapsed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_an_answer() {
        let outcome = parse("1 40000 3000000 500 100 70000\n").unwrap();
        assert_eq!(outcome.latenesses, [100, 70_000]);
        assert_eq!((outcome.missed, outcome.passed), (Some(1), vec![500]));
        assert_eq!(outcome.processor, Some(Duration::from_micros(40)));
        assert_eq!(outcome.elapsed, Duration::from_millis(3));
    }

    #[test]
    fn refuses_anything_else() {
        for refused in ["", "1 2", "1 2 3 four", "panic: runtime error"] {
            assert!(parse(refused).is_none(), "{refused}");
        }
    }
}
