//! The program whose calls are timed. What they wait for is there already, so that all that is left is what a call costs.

use crate::failure::Failure;
use crate::os::calls;
use clap::ValueEnum;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::process::getppid;
use rustix::thread::futex::{self, Flags};
use rustix::time::Timespec;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::sync::atomic::AtomicU32;
use std::thread;
use std::time::Instant;

/// The hidden subcommand.
pub const SUBCOMMAND: &str = "be-steered";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Call {
    /// A byte to another thread and one back: what a change of threads takes on this machine.
    Pipe,
    /// A call without a timeout, which no tracer need see.
    Getppid,
    /// Its value is not what the caller says.
    Futex,
    Poll,
    EpollWait,
    /// Writes back what is left of its timeout.
    Select,
}

/// Of how many threads, how many calls in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::Args)]
pub struct Work {
    pub call: Call,
    pub threads: u32,
    pub calls: u32,
}

/// Never waited for.
const SECOND: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 0,
};
const MILLIS: i32 = 1_000;

impl Work {
    /// Prints how many nanoseconds one call took, after as many that warm up.
    pub fn run(self) -> Result<(), Failure> {
        self.make()?;
        let begin = Instant::now();
        self.make()?;
        println!(
            "{}",
            begin.elapsed().as_nanos() as f64 / f64::from(self.calls)
        );
        Ok(())
    }

    fn make(self) -> Result<(), Failure> {
        let each = self.calls / self.threads;
        if self.call == Call::Pipe {
            return to_and_fro(each);
        }
        let (reading, mut writing) = io::pipe()?;
        writing.write_all(b"x")?;
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        epoll::add(&epoll, &reading, EventData::new_u64(0), EventFlags::IN)?;
        let word = AtomicU32::new(1);
        let call = |_| match self.call {
            Call::Futex => futex::wait(&word, Flags::PRIVATE, 0, Some(&SECOND)).is_err(),
            Call::Poll => calls::poll(Some(reading.as_fd()), MILLIS) == 1,
            Call::EpollWait => calls::epoll_wait(epoll.as_fd(), MILLIS) == 1,
            Call::Select => calls::select(reading.as_fd(), SECOND.tv_sec) == 1,
            Call::Getppid | Call::Pipe => getppid().is_some(),
        };
        let calls = || (0..each).all(call);
        let is_right = match self.threads {
            // To start a thread takes as long as many calls.
            1 => calls(),
            threads => thread::scope(|scope| {
                let threads: Vec<_> = (0..threads).map(|_| scope.spawn(calls)).collect();
                let mut threads = threads.into_iter();
                threads.all(|thread| thread.join().unwrap_or(false))
            }),
        };
        match is_right {
            true => Ok(()),
            false => Err("a call did not return what it should".into()),
        }
    }
}

fn to_and_fro(times: u32) -> Result<(), Failure> {
    let ((mut here, mut there), (mut answers, mut answer)) = (io::pipe()?, io::pipe()?);
    thread::spawn(move || {
        let mut byte = [0];
        while here.read_exact(&mut byte).is_ok() && answer.write_all(&byte).is_ok() {}
    });
    for _ in 0..times {
        there.write_all(&[0])?;
        answers.read_exact(&mut [0])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_returns_at_once() {
        for &call in Call::value_variants() {
            let (threads, calls) = (2, 4);
            Work {
                call,
                threads,
                calls,
            }
            .make()
            .unwrap();
        }
    }
}
