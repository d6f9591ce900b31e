//! Child processes that answer each line with a line.

use crate::failure::Failure;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running child, which ends when its input does: when this is dropped, and when this process ends however it
/// does.
pub struct Process {
    child: Child,
    /// `None` only while it is dropped.
    asks: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Process {
    pub fn start(command: &mut Command) -> Result<Self, Failure> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let asks = child.stdin.take();
        let answers = child.stdout.take().ok_or("it has no output")?;
        Ok(Self {
            child,
            asks,
            answers: BufReader::new(answers),
        })
    }

    pub fn ask(&mut self, line: &str) -> Result<String, Failure> {
        let asks = self.asks.as_mut().ok_or("it has no input")?;
        writeln!(asks, "{line}")?;
        let mut answer = String::new();
        match self.answers.read_line(&mut answer)? {
            0 => Err("a child has ended before its time".into()),
            _ => Ok(answer),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.asks.take());
        // It ends by itself; waiting leaves no zombie, and cannot fail for a child of ours.
        let _ = self.child.wait();
    }
}
