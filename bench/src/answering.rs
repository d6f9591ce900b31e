//! Child processes that answer each line with a line, or work until their input ends.

use crate::failure::Failure;
use std::env;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{self, Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

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

/// A child that works until its input ends: when this is dropped, and when this process ends however it does.
pub struct Worker(Child);

impl Worker {
    /// A hidden subcommand of this program, with what it is to do.
    pub fn start(subcommand: &str, what: &str) -> Result<Self, Failure> {
        let mut command = Command::new(env::current_exe()?);
        command.args([subcommand, what]).stdin(Stdio::piped());
        Ok(Self(command.spawn()?))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // It ends by itself; waiting leaves no zombie, and cannot fail for a child of ours.
        let _ = self.0.wait();
    }
}

/// In the child: whether its input has ended.
pub fn end_of_input() -> Arc<AtomicBool> {
    let end = Arc::new(AtomicBool::new(false));
    let ended = Arc::clone(&end);
    thread::spawn(move || {
        // Nobody writes to it; whatever ends the reading ends this.
        let _ = io::stdin().read(&mut [0]);
        ended.store(true, Ordering::Relaxed);
    });
    end
}

/// In the child: answers each line until there are no more, and ends the process. Ctrl-C is for the
/// parent, which ends this one.
pub fn answer_until_input_ends(
    mut answer: impl FnMut(&str) -> Result<String, Failure>,
) -> Result<(), Failure> {
    for line in io::stdin().lines() {
        println!("{}", answer(&line?)?);
    }
    process::exit(0);
}
