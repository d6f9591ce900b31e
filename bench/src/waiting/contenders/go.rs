//! Go's ticker: a small program of its own, built when Go is installed.

use super::{Contender, Entry};
use crate::failure::Failure;
use crate::waiting::grid::{Block, Outcome};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;
use std::{env, process};

const NAME: &str = "Go, time.Ticker";
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/go");

/// The program; or why there is none.
pub struct Program(Result<File, String>);

impl Program {
    /// Builds it, if there is a Go to build it with.
    ///
    /// Its folder is removed as soon as the program is open, so that nothing is left behind however
    /// this process ends.
    pub fn build() -> Self {
        let folder = env::temp_dir().join(format!("punctual-bench-{}", process::id()));
        let program = build_in(&folder);
        // Nothing was built, or nothing can be done about it.
        let _ = fs::remove_dir_all(&folder);
        Self(program)
    }

    /// Starts it.
    pub fn enter(&self) -> Entry {
        let started = match &self.0 {
            Ok(program) => Ticker::start(program).map_err(|error| error.to_string()),
            Err(reason) => Err(reason.clone()),
        };
        match started {
            Ok(ticker) => Entry::new(ticker),
            Err(reason) => Entry::Absent {
                name: NAME.to_owned(),
                reason,
            },
        }
    }
}

fn build_in(folder: &Path) -> Result<File, String> {
    let binary = folder.join("ticker");
    let built = Command::new("go")
        .args(["build", "-o"])
        .arg(&binary)
        .arg(".")
        .current_dir(SOURCE)
        .output();
    match built {
        Ok(output) if output.status.success() => {
            File::open(&binary).map_err(|error| error.to_string())
        }
        Ok(output) => Err(format!("does not build: {}", first_line(&output.stderr))),
        Err(error) if error.kind() == ErrorKind::NotFound => Err("not installed".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The running program. It ends when its input does.
struct Ticker {
    child: Child,
    /// `None` only while it is dropped.
    asks: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Ticker {
    fn start(program: &File) -> Result<Self, Failure> {
        let path = format!("/proc/self/fd/{}", program.as_raw_fd());
        let mut child = Command::new(path)
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

    fn ask(&mut self, block: Block) -> Result<String, Failure> {
        let asks = self.asks.as_mut().ok_or("it has no input")?;
        writeln!(asks, "{} {}", block.period.as_nanos(), block.periods)?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        Ok(answer)
    }
}

impl Contender for Ticker {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn wait(&mut self, block: Block) -> Result<Outcome, Failure> {
        let answer = self.ask(block)?;
        parse(&answer).ok_or_else(|| format!("{NAME}: unexpected answer {answer:?}").into())
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        drop(self.asks.take());
        // It ends by itself; waiting leaves no zombie, and cannot fail for a child of ours.
        let _ = self.child.wait();
    }
}

/// An answer is a line of "missed processor_ns elapsed_ns", followed by the latenesses.
fn parse(answer: &str) -> Option<Outcome> {
    let mut numbers = answer.split_whitespace().map(str::parse::<u64>);
    let mut next = || numbers.next()?.ok();
    let missed = u32::try_from(next()?).ok()?;
    let processor = Duration::from_nanos(next()?);
    let elapsed = Duration::from_nanos(next()?);
    Some(Outcome {
        latenesses: numbers.collect::<Result<_, _>>().ok()?,
        missed: Some(missed),
        processor: Some(processor),
        spun: None,
        elapsed,
    })
}

pub(super) fn first_line(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    text.lines()
        .next()
        .unwrap_or("it does not say why")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_an_answer() {
        let outcome = parse("1 40000 3000000 100 70000\n").unwrap();
        assert_eq!(outcome.latenesses, [100, 70_000]);
        assert_eq!(outcome.missed, Some(1));
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
