//! The process whose loops are measured.

use super::condition::Waiting;
use super::loops::{Answer, Loops, SliceOf};
use crate::answering::{Process, answer_until_input_ends, leave_interrupts_to_the_parent};
use crate::failure::Failure;
use crate::given::name_of;
use crate::os::waits;
use crate::waiting::grid::Block;
use clap::ValueEnum;
use std::time::Duration;

/// The hidden subcommand.
pub const SUBCOMMAND: &str = "be-measured";

/// 1 kHz.
pub const PERIOD: Duration = Duration::from_millis(1);

/// In the child.
#[derive(Debug, clap::Args)]
pub struct Program {
    #[arg(long, value_enum)]
    waiting: Waiting,
    #[arg(long)]
    processor: Option<usize>,
}

impl Program {
    /// Answers each line of "slice periods" with what became of the waits.
    pub fn run(&self) -> Result<(), Failure> {
        leave_interrupts_to_the_parent()?;
        if let Some(processor) = self.processor {
            waits::stay_on(processor);
        }
        let loops = Loops::start(self.waiting)?;
        answer_until_input_ends(|line| {
            let (slice, block) = parse(line).ok_or_else(|| format!("unexpected: {line:?}"))?;
            Ok(serde_json::to_string(&loops.wait(slice, block)?)?)
        })
    }
}

fn parse(line: &str) -> Option<(SliceOf, Block)> {
    let (slice, periods) = line.split_once(' ')?;
    let block = Block {
        period: PERIOD,
        periods: periods.parse().ok()?,
    };
    Some((SliceOf::from_str(slice, false).ok()?, block))
}

/// The process, ready to be asked.
pub struct Subject(Process);

impl Subject {
    pub fn start(waiting: Waiting, processor: Option<usize>) -> Result<Self, Failure> {
        let words = [SUBCOMMAND, "--waiting", &name_of(&waiting)];
        let mut subject = Self(Process::of_ours(words, processor)?);
        // With the answer, all its threads are there.
        subject.wait(SliceOf::ThreadAsFound, 1)?;
        Ok(subject)
    }

    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// What became of so many waits of each loop.
    pub fn wait(&mut self, slice: SliceOf, periods: u32) -> Result<Vec<Answer>, Failure> {
        let answer = self.0.ask(&format!("{} {periods}", name_of(&slice)))?;
        Ok(serde_json::from_str(&answer)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_the_slice_and_how_many_waits() {
        for slice in SliceOf::ALL {
            let (parsed, block) = parse(&format!("{} 500", name_of(&slice))).unwrap();
            assert_eq!((parsed, block.periods), (slice, 500));
        }
        for refused in ["", "short", "short many", "long 1"] {
            assert!(parse(refused).is_none(), "{refused}");
        }
    }
}
