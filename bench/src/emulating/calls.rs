//! The program whose calls are timed: it makes as many as it is asked for, and says how long they took.

use crate::answering::{self, Process};
use crate::failure::Failure;
use crate::os::ready::{self, Ready};
use std::fmt;
use std::io::{self, Read, Write};
use std::thread;
use std::time::Instant;

/// The hidden subcommand.
pub const SUBCOMMAND: &str = "be-steered";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// A byte to another thread and one back: what a change of threads takes on this machine.
    Pipe,
    Untimed,
    Futex,
    Poll,
    Epoll,
    /// Writes back what is left of its timeout.
    Select,
}

/// Of how many threads, how many calls in all.
#[derive(Debug, Clone, Copy)]
pub struct Work {
    pub call: Call,
    pub threads: u32,
    calls: u32,
}

impl Call {
    pub const ALL: [Self; 6] = [
        Self::Pipe,
        Self::Untimed,
        Self::Futex,
        Self::Poll,
        Self::Epoll,
        Self::Select,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Pipe => "pipe",
            Self::Untimed => "getppid",
            Self::Futex => "futex",
            Self::Poll => "poll",
            Self::Epoll => "epoll_wait",
            Self::Select => "select",
        }
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, threads: {}", self.call.name(), self.threads)
    }
}

impl Work {
    pub fn new(call: Call, threads: u32, calls: u32) -> Self {
        Self {
            call,
            threads,
            calls,
        }
    }

    /// How long one call took, in microseconds.
    pub fn ask(&self, process: &mut Process) -> Result<f64, Failure> {
        let line = format!("{} {} {}", self.call.name(), self.threads, self.calls);
        let nanos: f64 = process.ask(&line)?.trim().parse()?;
        Ok(nanos / 1e3 / f64::from(self.calls))
    }

    fn parse(line: &str) -> Result<Self, Failure> {
        let [call, threads, calls] = line.split(' ').collect::<Vec<_>>()[..] else {
            return Err(format!("not a call, threads and a number: {line}").into());
        };
        let named = |each: &Call| each.name() == call;
        let found = Call::ALL.into_iter().find(named);
        Ok(Self {
            call: found.ok_or_else(|| format!("no call {call}"))?,
            threads: threads.parse()?,
            calls: calls.parse()?,
        })
    }

    fn run(&self) -> Result<(), Failure> {
        let each = self.calls / self.threads;
        if self.call == Call::Pipe {
            return to_and_fro(each);
        }
        let ready = Ready::new()?;
        let calls = || {
            for _ in 0..each {
                match self.call {
                    Call::Futex => ready::futex(),
                    Call::Poll => ready.poll(),
                    Call::Epoll => ready.epoll_wait(),
                    Call::Select => ready.select(),
                    Call::Untimed | Call::Pipe => ready::untimed(),
                }
            }
        };
        match self.threads {
            1 => calls(),
            threads => thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(calls);
                }
            }),
        }
        Ok(())
    }
}

fn to_and_fro(times: u32) -> Result<(), Failure> {
    let (mut here, mut there) = io::pipe()?;
    let (mut answers, mut answer) = io::pipe()?;
    let echo = thread::spawn(move || {
        let mut byte = [0];
        while matches!(here.read(&mut byte), Ok(1)) {
            if answer.write_all(&byte).is_err() {
                break;
            }
        }
    });
    let mut byte = [0];
    for _ in 0..times {
        there.write_all(&byte)?;
        answers.read_exact(&mut byte)?;
    }
    drop(there);
    echo.join().map_err(|_| "the other thread panicked")?;
    Ok(())
}

/// Answers each line, a work, with the nanoseconds that it took.
pub fn answer() -> Result<(), Failure> {
    answering::answer_until_input_ends(|line| {
        let work = Work::parse(line)?;
        let begin = Instant::now();
        work.run()?;
        Ok(begin.elapsed().as_nanos().to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_is_made() {
        for call in Call::ALL {
            let line = format!("{} 2 4", call.name());
            let work = Work::parse(&line).unwrap();
            assert_eq!((work.call, work.threads, work.calls), (call, 2, 4));
            work.run().unwrap();
        }
        for wrong in ["", "poll", "poll 1", "sleep 1 1", "poll x 1"] {
            assert!(Work::parse(wrong).is_err(), "{wrong}");
        }
    }
}
