//! The setup of a machine: its hardware, its noise, its load, its limits.

use crate::Error;
use crate::engine::Ties;
use crate::processor::Noise;
use crate::ready::PRIORITIES;
use punctual::Instant;
use std::time::Duration;

/// The setup of a machine.
///
/// ```
/// use punctual_sim::{Load, Setup};
/// use std::time::Duration;
///
/// // Four processors, and as many programs that never stop computing.
/// let setup = Setup {
///     processors: 4,
///     loads: vec![Load::default(); 4],
///     ..Setup::default()
/// };
/// assert_eq!(setup.quantum, Some(Duration::from_millis(20)));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// The seed of all random numbers.
    pub seed: u64,
    /// The order of events at the same nanosecond.
    pub ties: Ties,
    /// The number of processors, from 1 to [`MAX_PROCESSORS`].
    pub processors: usize,
    /// How long a thread runs before others of its priority have their turn; `None` is for ever. A
    /// thread starts a new quantum after a wait. A preempted thread keeps the rest of its quantum.
    pub quantum: Option<Duration>,
    /// The time that it takes to give a processor to a thread.
    pub dispatch_cost: Duration,
    /// The noise that steals time from threads.
    pub noise: Noise,
    /// Programs that only compute, with one thread each, in separate processes.
    pub loads: Vec<Load>,
    /// The limits of the run.
    pub limits: Limits,
}

/// Affinities are 64 bits.
pub const MAX_PROCESSORS: usize = 64;

/// The dispatch cost of a default machine: the order of magnitude of a context switch between
/// threads on processors of the 2020s. A choice of ours; set what you have measured.
const DISPATCH_COST: Duration = Duration::from_micros(1);

/// The quantum of a default machine: two clock intervals, as clients of Windows give, of the 10 ms
/// that many of its machines had. A choice of ours.
const QUANTUM: Duration = Duration::from_millis(20);

impl Default for Setup {
    /// Two processors, no noise, no load.
    fn default() -> Self {
        Self {
            seed: 0,
            ties: Ties::Fifo,
            processors: 2,
            quantum: Some(QUANTUM),
            dispatch_cost: DISPATCH_COST,
            noise: Noise::default(),
            loads: Vec::new(),
            limits: Limits::default(),
        }
    }
}

/// A program that computes for a while, rests for a while, and so on for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// The priority, from 0 to 31; higher is more urgent.
    pub priority: u8,
    /// The processor time that it uses between two rests.
    pub busy: Duration,
    /// How long it rests. Zero: never.
    pub rest: Duration,
}

impl Default for Load {
    /// Always busy, at the priority of an ordinary thread.
    fn default() -> Self {
        Self {
            priority: NORMAL_PRIORITY,
            busy: Duration::from_secs(1),
            rest: Duration::ZERO,
        }
    }
}

/// The priority of an ordinary thread: that of Windows, 8 of 31.
pub const NORMAL_PRIORITY: u8 = 8;

/// The limits of a machine. If a run reaches one, its error names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The limit of virtual time: the run fails at this instant if its main process has not ended.
    pub time: Instant,
    /// The most threads at once. The default is 16,384: each stack takes two mappings, and Linux allows
    /// a process 65,530.
    pub threads: usize,
    /// The most processes at once. The default is 1,024.
    pub processes: usize,
    /// The bytes of a thread's stack. The default of 256 KiB is enough to format a panic and its
    /// backtrace. Pages that are never touched take no memory.
    pub stack_bytes: usize,
    /// The most stacks of killed threads, which are never used again. The default is 16,384. Threads
    /// that still live when the main process ends do not count.
    pub abandoned: usize,
    /// The most records of the log; the oldest are dropped. The default is none.
    pub log: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Instant::MAX,
            threads: 1 << 14,
            processes: 1 << 10,
            stack_bytes: 256 << 10,
            abandoned: 1 << 14,
            log: 0,
        }
    }
}

impl Setup {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let zero = Duration::ZERO;
        let noise = [self.noise.interrupts, self.noise.dpcs];
        let mut noise = noise.iter().flatten();
        let mut loads = self.loads.iter();
        let complaint = if !(1..=MAX_PROCESSORS).contains(&self.processors) {
            "`processors` must be from 1 to 64"
        } else if self.quantum == Some(zero) {
            "`quantum` must be longer than nothing; `None` is for ever"
        } else if noise.any(|source| source.mean_interval.is_zero()) {
            "`mean_interval` of noise must be longer than nothing"
        } else if loads.any(|load| load.busy.is_zero() || usize::from(load.priority) >= PRIORITIES)
        {
            "a load must be busy for longer than nothing, at a priority from 0 to 31"
        } else {
            return Ok(());
        };
        Err(Error::invalid(complaint.to_owned()))
    }
}
