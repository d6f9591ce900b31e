//! Random programs, as data.

use punctual::MissedTicks;

/// A program: threads that use one driver and wait by themselves.
#[derive(Debug, Clone)]
pub struct Program {
    pub machine: Machine,
    pub serve: Serve,
    /// Of the sleeper of the driver's thread.
    pub aim: Aim,
    pub actors: Vec<Actor>,
    /// Whether it ends while timers wait.
    pub leaves_early: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Machine {
    Plain,
    /// The number of the version, and whether other programs request intervals.
    Windows(usize, bool),
}

/// Which thread serves the driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Serve {
    OwnThread,
    Run,
    BlockOn,
    EventLoop,
}

/// The margin of a sleeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    Usual,
    Coarse,
    Exact,
    /// In nanoseconds.
    Fixed(u64),
}

#[derive(Debug, Clone)]
pub struct Actor {
    pub aim: Aim,
    pub yields: bool,
    pub steps: Vec<Step>,
}

/// What can end a wait before its deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndedBy {
    Nothing,
    Cancel(usize),
    /// The thread's own notify.
    Notify,
}

/// A period in nanoseconds, as a fraction, and the policy for missed ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Every {
    pub nanos: u64,
    pub per: u64,
    pub policy: MissedTicks,
}

/// Times are nanoseconds from when the step is taken.
#[derive(Debug, Clone)]
pub enum Step {
    Work(u64),
    Sleep {
        after: u64,
        width: u64,
        ended_by: EndedBy,
    },
    Ticker {
        every: Every,
        count: u64,
        work: u64,
        cancel: Option<usize>,
    },
    Once {
        after: u64,
        width: u64,
        body: Vec<Step>,
        /// What the callback's destructor does.
        last_words: Option<Box<Step>>,
    },
    Soon {
        body: Vec<Step>,
    },
    Repeat {
        every: Every,
        after: u64,
        tolerance: u64,
        count: u64,
        body: Vec<Step>,
    },
    CancelTimer(usize),
    MoveTimer {
        timer: usize,
        after: u64,
        width: u64,
    },
    Retune {
        timer: usize,
        every: Every,
    },
    Cancel(usize),
    /// Makes a cancel usable again.
    Reset(usize),
    Notify(usize),
    /// A queue of the thread's own.
    Queue {
        windows: Vec<(u64, u64)>,
        cancelled: usize,
    },
    Await(Await),
    ShutDown,
    /// Only in callbacks.
    Panic,
}

/// What a task waits for.
#[derive(Debug, Clone, Copy)]
pub enum Await {
    Sleep {
        after: u64,
        width: u64,
    },
    /// A sleep that is moved after it was polled.
    Reset {
        after: u64,
        then: u64,
    },
    Timeout {
        limit: u64,
        after: u64,
    },
    Ticks {
        every: Every,
        count: u64,
        work: u64,
    },
    /// A sleep that is polled and dropped.
    Abandon {
        after: u64,
    },
}

pub const CANCELS: usize = 2;

/// Longer than everything else that a program waits for together: only a wake-up that is lost waits
/// for it in vain.
pub const FAR: u64 = 5_000_000_000;

impl Program {
    /// How long its far waits take together, if they come one after the other, in nanoseconds.
    pub fn far_waits(&self) -> u64 {
        let steps = self.actors.iter().map(|actor| far_waits(&actor.steps));
        steps.sum()
    }
}

fn far_waits(steps: &[Step]) -> u64 {
    let waits = steps.iter().map(|step| match step {
        Step::Sleep { after, .. } | Step::MoveTimer { after, .. } => far(*after),
        Step::Once { after, body, .. } => far(*after) + far_waits(body),
        Step::Repeat { body, .. } | Step::Soon { body } => far_waits(body),
        Step::Await(
            Await::Sleep { after, .. }
            | Await::Reset { after, .. }
            | Await::Timeout { after, .. }
            | Await::Abandon { after },
        ) => far(*after),
        _ => 0,
    });
    waits.sum()
}

fn far(after: u64) -> u64 {
    if after == FAR { FAR } else { 0 }
}
