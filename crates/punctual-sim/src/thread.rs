//! The table of simulated threads.

use crate::coroutine::{Body, prefetch};
use crate::processes::ProcessId;
use std::fmt;

/// Identifies a simulated thread, also after it has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

impl ThreadId {
    /// A small number for tables. No two living threads share it, and later threads reuse it.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// Identifies one wait of one thread. It becomes stale when the wait ends, so a list of waiters need not
/// be told about timeouts and kills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiter {
    pub(crate) thread: ThreadId,
    pub(crate) wait: u64,
}

impl Waiter {
    /// The thread that waits.
    pub fn thread(self) -> ThreadId {
        self.thread
    }
}

/// The object for which a blocked thread waits, for the report of a deadlock. It is a word and a number,
/// so that a wait needs no allocation for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reason {
    /// The kind of thing: `"bell"`, `"event"`.
    pub what: &'static str,
    /// Which one.
    pub number: u64,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what, self.number)
    }
}

/// The reason why a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended<W> {
    /// Its deadline came.
    TimedOut,
    /// It was woken, with this result.
    Woken(W),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// The entry is free.
    Unused,
    /// Wants a processor.
    Ready,
    /// Has one.
    Running,
    /// Waits to be woken, and nothing is scheduled to do so.
    Blocked,
    /// Waits to be woken, or for its deadline.
    BlockedUntil,
}

/// The scheduler's side of a thread. Times in nanoseconds.
///
/// With ten thousand threads each wake-up finds its thread in no near cache, so it starts where a
/// cache line does.
#[repr(align(64))]
pub(crate) struct Thread<W> {
    pub(crate) state: State,
    pub(crate) priority: u8,
    pub(crate) processor: u8,
    /// Runs for ever and wakes nothing: the machine does not wait for it.
    pub(crate) background: bool,
    /// Has not run yet: its body waits among the particulars.
    pub(crate) unstarted: bool,
    pub(crate) generation: u32,
    /// How many waits of threads in this entry have ended.
    pub(crate) wait: u64,
    pub(crate) process: ProcessId,
    pub(crate) affinity: u64,
    /// Processor time it owes before it goes on.
    pub(crate) work: u64,
    /// It spins until this instant, once it has worked off what it owes.
    pub(crate) spin_until: u64,
    pub(crate) quantum_left: u64,
    pub(crate) ended: Ended<W>,
    pub(crate) processor_time: u64,
    /// Time in ready queues; while it is in one, short by the instant at which it joined.
    pub(crate) queue_time: u64,
    /// Neighbours in its ready queue.
    pub(crate) next: u32,
    pub(crate) previous: u32,
    pub(crate) reason: Reason,
}

/// No thread.
pub(crate) const NOBODY: u32 = u32::MAX;

/// What is seldom looked at.
pub(crate) struct Particulars {
    pub(crate) name: String,
    /// Until it first runs.
    pub(crate) body: Option<Body>,
}

pub(crate) struct Threads<W> {
    pub(crate) hot: Vec<Thread<W>>,
    pub(crate) cold: Vec<Particulars>,
    free: Vec<u32>,
    limit: usize,
}

impl<W: Copy> Threads<W> {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            hot: Vec::new(),
            cold: Vec::new(),
            free: Vec::new(),
            limit,
        }
    }

    /// Adds a thread, or gives `None` at the limit.
    pub(crate) fn add(&mut self, mut thread: Thread<W>, name: &str, body: Body) -> Option<u32> {
        let particulars = Particulars {
            name: name.to_owned(),
            body: Some(body),
        };
        if let Some(index) = self.free.pop() {
            let entry = &mut self.hot[index as usize];
            thread.generation = entry.generation;
            thread.wait = entry.wait;
            *entry = thread;
            self.cold[index as usize] = particulars;
            return Some(index);
        }
        if self.hot.len() >= self.limit {
            return None;
        }
        let index = u32::try_from(self.hot.len()).ok()?;
        self.hot.push(thread);
        self.cold.push(particulars);
        Some(index)
    }

    /// The thread has ended: names of it and of its waits are stale from here. Its entry is not free
    /// yet.
    pub(crate) fn end(&mut self, index: u32) {
        let entry = &mut self.hot[index as usize];
        entry.state = State::Unused;
        entry.generation = entry.generation.wrapping_add(1);
        // A body that never ran is abandoned like a stack: its captures' destructors are part of
        // the program that was killed.
        std::mem::forget(self.cold[index as usize].body.take());
    }

    /// Frees the entry of a thread that has ended, once everybody has been told who keeps anything
    /// under its number.
    pub(crate) fn free(&mut self, index: u32) {
        self.free.push(index);
    }

    #[inline]
    pub(crate) fn at(&mut self, index: u32) -> &mut Thread<W> {
        &mut self.hot[index as usize]
    }

    /// Fetches a thread into the host's caches, while it is still another's turn.
    #[inline]
    pub(crate) fn expect(&self, index: u32) {
        if let Some(thread) = self.hot.get(index as usize) {
            let address = std::ptr::from_ref(thread).addr();
            prefetch(address);
            prefetch(address + size_of::<Thread<W>>() / 2);
        }
    }

    #[inline]
    pub(crate) fn get(&self, id: ThreadId) -> Option<&Thread<W>> {
        let thread = self.hot.get(id.index())?;
        (thread.generation == id.generation && thread.state != State::Unused).then_some(thread)
    }

    pub(crate) fn id(&self, index: u32) -> ThreadId {
        ThreadId {
            index,
            generation: self.hot[index as usize].generation,
        }
    }

    /// Every thread that has not ended, in the order of the table.
    pub(crate) fn living(&self) -> impl Iterator<Item = (u32, &Thread<W>)> {
        let threads = (0_u32..).zip(&self.hot);
        threads.filter(|(_, thread)| thread.state != State::Unused)
    }
}
