//! Ready queues: one per priority, first in first out.

use crate::thread::{NOBODY, Thread};

/// Priorities are 0 to 31, 31 first: as many as Windows has.
pub const PRIORITIES: usize = 32;

/// Which end of its priority's queue a thread joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It was interrupted in the middle of its quantum.
    Head,
    /// It was woken, or its quantum is over.
    Tail,
}

/// Threads that want a processor, linked through the thread table.
pub(crate) struct ReadyQueues {
    queues: [Queue; PRIORITIES],
    /// A bit for each priority at which something is ready.
    occupied: u32,
}

#[derive(Clone, Copy)]
struct Queue {
    head: u32,
    tail: u32,
}

impl ReadyQueues {
    pub(crate) fn new() -> Self {
        let empty = Queue {
            head: NOBODY,
            tail: NOBODY,
        };
        Self {
            queues: [empty; PRIORITIES],
            occupied: 0,
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.occupied == 0
    }

    /// Whether something is ready at this priority or before it.
    #[inline]
    pub(crate) fn any_from(&self, priority: u8) -> bool {
        self.occupied >> priority != 0
    }

    #[inline]
    pub(crate) fn add<W>(&mut self, threads: &mut [Thread<W>], index: u32, end: End) {
        let priority = threads[index as usize].priority;
        let queue = &mut self.queues[usize::from(priority)];
        let (previous, next) = match end {
            End::Head => (NOBODY, queue.head),
            End::Tail => (queue.tail, NOBODY),
        };
        threads[index as usize].previous = previous;
        threads[index as usize].next = next;
        match threads.get_mut(previous as usize) {
            Some(thread) => thread.next = index,
            None => queue.head = index,
        }
        match threads.get_mut(next as usize) {
            Some(thread) => thread.previous = index,
            None => queue.tail = index,
        }
        self.occupied |= 1 << priority;
    }

    #[inline]
    pub(crate) fn remove<W>(&mut self, threads: &mut [Thread<W>], index: u32) {
        let thread = &threads[index as usize];
        let (priority, previous, next) = (thread.priority, thread.previous, thread.next);
        let queue = &mut self.queues[usize::from(priority)];
        match threads.get_mut(previous as usize) {
            Some(thread) => thread.next = next,
            None => queue.head = next,
        }
        match threads.get_mut(next as usize) {
            Some(thread) => thread.previous = previous,
            None => queue.tail = previous,
        }
        if queue.head == NOBODY {
            self.occupied &= !(1 << priority);
        }
    }

    /// The first of the highest priority, or [`NOBODY`].
    #[inline]
    pub(crate) fn head(&self) -> u32 {
        match self.occupied.checked_ilog2() {
            Some(priority) => self.queues[priority as usize].head,
            None => NOBODY,
        }
    }

    /// The thread that this processor is to run next: the first of the highest priority that may
    /// run there.
    #[inline]
    pub(crate) fn first<W>(&self, threads: &[Thread<W>], processor: u8) -> Option<u32> {
        let mut occupied = self.occupied;
        while occupied != 0 {
            let priority = 31 - occupied.leading_zeros();
            let mut index = self.queues[priority as usize].head;
            while let Some(thread) = threads.get(index as usize) {
                if thread.affinity >> processor & 1 == 1 {
                    return Some(index);
                }
                index = thread.next;
            }
            occupied &= !(1 << priority);
        }
        None
    }
}
