//! What else the machine does while it is measured: the laboratory's loads, as processes.

use crate::failure::Failure;
use crate::given::name_of;
use clap::ValueEnum;
use punctual_lab::children::{self, Running};
use punctual_lab::conditions::{self, Companion};
use punctual_lab::question::Conditions;
use std::env;
use std::fmt;
use std::net::{Ipv4Addr, UdpSocket};
use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

/// What else the machine does while it is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Load {
    /// Nothing that we know of.
    Idle,
    /// One computing process for each processor, which never waits.
    Busy,
    /// Two of them for each processor.
    Crowded,
    /// For each processor, short processes one after the other, as a build starts them.
    Compile,
    /// For each processor, a process that goes through more memory than the caches hold.
    Memory,
    /// For each processor, two threads that send and receive over the loopback interface.
    Network,
    /// A build on half of the processors, a program of many threads that sleep and work, and datagrams.
    Mixed,
}

/// Short processes that compute, sort, list and rewrite.
const BUILD: &str = "while :; do seq 20000 | awk '{ print $1 % 997, $1 }' | sort | md5sum; \
                     ls -l /usr/bin | sed s/r/w/ | tr a-z A-Z | wc; done";

/// Threads of the program in `mixed`: they want half of a processor.
const SLEEPERS: NonZeroUsize = NonZeroUsize::new(20).unwrap();

/// The scheduler spreads new processes over the processors within a few of its ticks (4 ms at 250 Hz); this is many.
const SETTLE: Duration = Duration::from_millis(500);

impl Load {
    /// The processes end when they are dropped.
    pub fn start(self) -> Result<Vec<Running>, Failure> {
        let program = env::current_exe()?;
        let mut all = Vec::new();
        for conditions in self.conditions(&program.display().to_string()) {
            let started = children::start(&conditions, &program, &|| false)?;
            all.extend(started.unwrap_or_default());
        }
        if !all.is_empty() {
            thread::sleep(SETTLE);
        }
        Ok(all)
    }

    /// What is started. `program` is this one.
    fn conditions(self, program: &str) -> Vec<Conditions> {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let of = |load| Conditions {
            load,
            ..Conditions::default()
        };
        let computing = |processes| {
            let processes = NonZeroUsize::new(processes);
            of(conditions::Load::Cpu { processes })
        };
        let command = |words: String| of(conditions::Load::Command(words));
        let build = command(BUILD.to_owned());
        let datagrams = command(format!("exec '{program}' {SENDER}"));
        let threads = SLEEPERS;
        let sleepers = Conditions {
            with: vec![Companion::Sleepers { threads }],
            ..Conditions::default()
        };
        match self {
            Self::Idle => Vec::new(),
            Self::Busy => vec![computing(processors)],
            Self::Crowded => vec![computing(2 * processors)],
            Self::Compile => vec![build; processors],
            Self::Memory => vec![of(conditions::Load::Memory); processors],
            Self::Network => vec![datagrams; processors],
            Self::Mixed => [
                vec![build; processors.div_ceil(2)],
                vec![datagrams, sleepers],
            ]
            .concat(),
        }
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&name_of(self))
    }
}

/// The hidden subcommand that sends datagrams.
pub const SENDER: &str = "send-datagrams";

/// What fits into a frame of Ethernet.
const BYTES: usize = 1_400;

/// Sends to a thread that receives, over the loopback interface and as fast as can be: each datagram is an interrupt of
/// the network's kind, and most wake their receiver.
pub fn send_datagrams() -> Result<(), Failure> {
    let receiver = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    let sender = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    sender.connect(receiver.local_addr()?)?;
    thread::spawn(move || {
        let mut datagram = [0; BYTES];
        while receiver.recv(&mut datagram).is_ok() {}
    });
    loop {
        // Where the receiver is behind, the kernel drops what comes.
        sender.send(&[0; BYTES])?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_load_but_none_is_something() {
        for &load in Load::value_variants() {
            let conditions = load.conditions("bench");
            assert_eq!(conditions.is_empty(), load == Load::Idle, "{load}");
        }
    }
}
