//! What the programs do whose wake-ups are explained, and what happens around them.

use crate::failure::Failure;
use std::fmt;
use std::str::FromStr;

/// A program and its surroundings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    pub name: &'static str,
    pub method: Method,
    pub before: Before,
    pub around: Around,
    pub threads: u32,
}

/// How the program waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    SleepUntil,
    SleepFor,
    TimerFile,
    EpollOfTimer,
    Epoll,
    EpollPrecise,
    Poll,
    Ppoll,
    Select,
    Futex,
    Condvar,
    /// A timeout of a socket: no high-resolution timer ends it.
    Socket,
}

/// What the program does between choosing a deadline and waiting for it. All but `Nothing` take
/// longer than until the deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    Nothing,
    Work,
    /// It writes to the disk.
    Disk,
    /// It looks at a page that is not in memory.
    Fault,
    /// It reads from a pipe into which another thread writes too late.
    Pipe,
    /// Another thread has the lock.
    Lock,
}

/// What happens to it meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Around {
    Nothing,
    /// A spinning process for each processor.
    Load,
    /// A quota of processor time.
    Quota,
    /// It is stopped, and goes on.
    Stops,
    /// A real-time thread has its processor now and then.
    RealTime,
    /// A shell becomes the program, and the thread takes another name half-way.
    Renamed,
}

/// The program as it is without surroundings.
const fn plain(name: &'static str, method: Method) -> Condition {
    Condition {
        name,
        method,
        before: Before::Nothing,
        around: Around::Nothing,
        threads: 1,
    }
}

const fn late(name: &'static str, before: Before) -> Condition {
    Condition {
        before,
        ..plain(name, Method::SleepUntil)
    }
}

const fn amid(name: &'static str, method: Method, around: Around) -> Condition {
    Condition {
        around,
        ..plain(name, method)
    }
}

/// Every condition.
pub const ALL: [Condition; 25] = [
    plain("idle", Method::SleepFor),
    amid("load", Method::SleepFor, Around::Load),
    Condition {
        before: Before::Work,
        ..amid("quota", Method::SleepFor, Around::Quota)
    },
    Condition {
        before: Before::Work,
        ..amid("quota-until", Method::SleepUntil, Around::Quota)
    },
    amid("stopped", Method::SleepUntil, Around::Stops),
    amid("stopped-for", Method::SleepFor, Around::Stops),
    late("work", Before::Work),
    late("disk", Before::Disk),
    late("fault", Before::Fault),
    late("pipe", Before::Pipe),
    late("lock", Before::Lock),
    amid("real-time", Method::SleepFor, Around::RealTime),
    Condition {
        threads: 16,
        ..plain("threads", Method::SleepFor)
    },
    amid("renamed", Method::SleepFor, Around::Renamed),
    plain("sleep-until", Method::SleepUntil),
    plain("timerfd", Method::TimerFile),
    plain("epoll-timerfd", Method::EpollOfTimer),
    plain("epoll", Method::Epoll),
    plain("epoll-pwait2", Method::EpollPrecise),
    plain("poll", Method::Poll),
    plain("ppoll", Method::Ppoll),
    plain("select", Method::Select),
    plain("futex", Method::Futex),
    plain("condvar", Method::Condvar),
    plain("socket", Method::Socket),
];

/// The names of all.
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|condition| condition.name).collect()
}

impl FromStr for Condition {
    type Err = Failure;

    fn from_str(name: &str) -> Result<Self, Failure> {
        let found = ALL.into_iter().find(|condition| condition.name == name);
        found.ok_or_else(|| format!("no condition is named {name}").into())
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_found_by_its_name() {
        for condition in ALL {
            assert_eq!(condition.name.parse::<Condition>().ok(), Some(condition));
        }
        assert!("asleep".parse::<Condition>().is_err());
    }
}
