//! What the tracer knows of each thread and process.

use super::block::Part;
use super::ptrace::{Registers, Tid};
use super::space::Shared;
use crate::steer::abi::Made;
use crate::steer::decode::Timed;
use crate::steer::stub::Slot;
use crate::timer_policy::WaitId;
use punctual::Instant;

/// A timed call of a thread, and the end that the policy gave it.
#[derive(Debug, Clone)]
pub(crate) struct Wait {
    pub(crate) id: WaitId,
    /// The program's own call, and where it made it.
    pub(crate) made: Made,
    pub(crate) pointer: u64,
    pub(crate) stack: u64,
    pub(crate) timed: Timed,
    /// When the program wanted it to end, and when it ends, on the monotonic clock.
    pub(crate) asked: u64,
    pub(crate) end: u64,
    /// How often a timer that repeats was set to.
    pub(crate) period: Option<u64>,
    /// Whether the policy must hear of its end at once.
    pub(crate) hear: bool,
    /// The end has changed, and the thread is being stopped for it.
    pub(crate) revised: bool,
    /// A sleep's remainder that the program was told.
    pub(crate) told: Option<u64>,
    /// When it was interrupted.
    pub(crate) interrupted: Instant,
    /// A handler ran since: it goes on only if the program asks for the remainder that it was told.
    pub(crate) handled: bool,
    /// What `select` is to look at: it writes over it when its time has come.
    pub(crate) sets: Vec<(u64, Vec<u8>)>,
}

/// Where a thread is.
#[derive(Debug, Clone, Default)]
pub(crate) enum At {
    /// Not in a call that the tracer changed.
    #[default]
    Own,
    /// In a rewritten call, and to stop at its end.
    Call(Wait),
    /// In the stub, or back from it.
    Stub(Wait),
    /// In a call that maps the stub, which stands for the one with these registers.
    Mapping(Box<Registers>, Slot, Part),
    /// In a call whose success matters: it installs a filter.
    Filtering,
}

/// A thread of the program.
#[derive(Debug)]
pub(crate) struct Thread {
    pub(crate) process: Tid,
    pub(crate) space: Shared,
    pub(crate) slot: Option<Slot>,
    pub(crate) at: At,
    /// A wait that was interrupted, and goes on if the thread repeats its call.
    pub(crate) pending: Option<Wait>,
    /// Where a stop by a signal interrupted a call, which then fails as it would without a tracer.
    pub(crate) stopped_at: Option<(u64, u64)>,
    /// The tracer asked it to stop, and it has not yet.
    pub(crate) asked_to_stop: bool,
}

impl Thread {
    pub(crate) fn new(process: Tid, space: Shared) -> Self {
        Self {
            process,
            space,
            slot: None,
            at: At::Own,
            pending: None,
            stopped_at: None,
            asked_to_stop: false,
        }
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        if let Some(slot) = self.slot {
            self.space.borrow_mut().release(slot);
        }
    }
}

/// A process of the program.
#[derive(Debug, Default)]
pub(crate) struct Process {
    /// It has a filter of its own.
    pub(crate) filtered: bool,
    /// What the summary was told that it cannot steer.
    pub(crate) said: Vec<&'static str>,
}
