//! What the programs do whose wake-ups are explained, and what happens around them.

use Before::{Disk, Fault, Lock, NewName, Nothing, Pipe, Work};
use clap::builder::PossibleValue;

/// A program and its surroundings.
#[derive(Debug, Clone, Copy)]
pub struct Condition {
    pub name: &'static str,
    /// How it waits: a waiter of the laboratory, or one of the subject's own.
    pub way: &'static str,
    pub before: Before,
    /// What a shell does, as process `$$`, before it becomes the program: see [`NAP`]. Without this there is no shell.
    pub shell: &'static str,
    pub threads: usize,
}

/// What the program does between choosing a deadline and waiting for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    Nothing,
    /// It computes for longer than until the deadline, as the next ones take longer.
    Work,
    /// It writes to the disk.
    Disk,
    /// It looks at a page that is not in memory.
    Fault,
    /// It reads from a pipe into which another thread writes too late.
    Pipe,
    /// Another thread has the lock.
    Lock,
    /// Half-way its thread takes another name.
    NewName,
}

/// The way of those whose deadlines come before what they do before the wait.
pub const UNTIL: &str = "clock-nanosleep";
/// As most programs sleep: for a while.
const FOR: &str = "std-sleep";
/// A timeout of a socket: no high-resolution timer ends it.
pub const SOCKET: &str = "socket";

/// Sleeps for seconds without a process of its own, which would disturb the program.
pub const NAP: &str = "exec {never}<> <(:); nap() { read -rt $1 -u $never; }";

const SPINS: &str = "for _ in $(seq $(nproc)); do while kill -0 $$; do
        for ((n = 0; n < 9999; n++)); do :; done; done & done 2>/dev/null";
const STOPS: &str =
    "while nap 0.007; kill -STOP $$; do nap 0.003; kill -CONT $$; done 2>/dev/null &";
/// A few milliseconds at a time.
const REAL_TIME: &str = "taskset -pc 0 $$ >/dev/null
    { chrt -fp 50 $BASHPID; while nap 0.007; kill -0 $$; do
        for ((n = 0; n < 2000; n++)); do :; done; done; } 2>/dev/null &";
/// It has 10 of each 50 ms in a group of its own, which ends after it.
const QUOTA: &str = "set -e; group=/sys/fs/cgroup
    if [ -e $group/cpu/cpu.cfs_quota_us ]; then group=$group/cpu; else echo +cpu >$group/cgroup.subtree_control; fi
    export TRUTH_GROUP=$group/punctual-truth-$$; group=$TRUTH_GROUP; mkdir $group
    { while kill -0 $$; do sleep 0.1; done; rmdir $group; } 2>/dev/null &
    if [ -e $group/cpu.max ]; then echo 10000 50000 >$group/cpu.max; else
        echo 50000 >$group/cpu.cfs_period_us; echo 10000 >$group/cpu.cfs_quota_us; fi
    echo $$ >$group/cgroup.procs";
/// It only makes another program of itself.
const BECOMES: &str = ":";

/// Every condition.
#[rustfmt::skip]
pub const ALL: [Condition; 25] = [
    row("idle", FOR, Nothing, ""),
    row("load", FOR, Nothing, SPINS),
    row("quota", FOR, Work, QUOTA),
    row("quota-until", UNTIL, Work, QUOTA),
    row("stopped", UNTIL, Nothing, STOPS),
    row("stopped-for", FOR, Nothing, STOPS),
    row("work", UNTIL, Work, ""),
    row("disk", UNTIL, Disk, ""),
    row("fault", UNTIL, Fault, ""),
    row("pipe", UNTIL, Pipe, ""),
    row("lock", UNTIL, Lock, ""),
    row("real-time", FOR, Nothing, REAL_TIME),
    Condition { threads: 16, ..row("threads", FOR, Nothing, "") },
    row("renamed", FOR, NewName, BECOMES),
    row("sleep-until", UNTIL, Nothing, ""),
    row("timerfd", "timerfd", Nothing, ""),
    row("epoll-timerfd", "epoll-timerfd", Nothing, ""),
    row("epoll", "epoll-wait", Nothing, ""),
    row("epoll-pwait2", "epoll-pwait2", Nothing, ""),
    row("poll", "poll-millis", Nothing, ""),
    row("ppoll", "poll", Nothing, ""),
    row("select", "select", Nothing, ""),
    row("futex", "futex", Nothing, ""),
    row("condvar", "condvar", Nothing, ""),
    row("socket", SOCKET, Nothing, ""),
];

const fn row(
    name: &'static str,
    way: &'static str,
    before: Before,
    shell: &'static str,
) -> Condition {
    let threads = 1;
    Condition {
        name,
        way,
        before,
        shell,
        threads,
    }
}

/// By its name; its names are those that the command line takes.
pub fn named(name: &str) -> Result<Condition, String> {
    let found = ALL.into_iter().find(|condition| condition.name == name);
    found.ok_or_else(|| format!("no condition is named {name}"))
}

pub fn names() -> impl Iterator<Item = PossibleValue> {
    ALL.iter().map(|condition| condition.name.into())
}
