//! The list of waits on an object.

use crate::kernel::{Kernel, Model};
use crate::thread::Waiter;

/// In which order an object wakes those who wait on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WakeOrder {
    /// Who has waited longest first.
    #[default]
    Fifo,
    /// The highest priority first; first in, first out among equals.
    Priority,
}

/// The waits on one object. Waits that have ended otherwise need not be taken out: they are passed
/// over, and cleared away before they outnumber the others.
#[derive(Debug, Default)]
pub struct WaitList {
    /// Nearly every object has one waiter at most, and pays for no more than this.
    first: Option<Waiter>,
    rest: Option<Box<Rest>>,
}

#[derive(Debug, Default)]
struct Rest {
    waiters: Vec<Waiter>,
    /// How many there may be before the stale ones are cleared away.
    clear_at: usize,
}

/// Stale waits that are not worth clearing away.
const STALE_ALLOWED: usize = 8;

impl WaitList {
    /// Adds a wait.
    #[inline]
    pub fn add<M: Model>(&mut self, kernel: &Kernel<M>, waiter: Waiter) {
        // A thread waits once at a time: what it left here is stale.
        let is_free = |first: Waiter| first.thread == waiter.thread || !kernel.is_waiting(first);
        if self.rest.is_none() && self.first.is_none_or(is_free) {
            self.first = Some(waiter);
        } else {
            self.add_to_rest(kernel, waiter);
        }
    }

    #[cold]
    fn add_to_rest<M: Model>(&mut self, kernel: &Kernel<M>, waiter: Waiter) {
        let rest = self.rest.get_or_insert_default();
        if rest.waiters.len() >= rest.clear_at.max(STALE_ALLOWED) {
            rest.waiters.retain(|waiter| kernel.is_waiting(*waiter));
            rest.clear_at = 2 * rest.waiters.len();
        }
        rest.waiters.push(waiter);
    }

    /// Takes out the wait that is to be ended next, or `None` if nothing waits.
    #[inline(always)]
    pub fn take<M: Model>(&mut self, kernel: &Kernel<M>, order: WakeOrder) -> Option<Waiter> {
        if self.rest.is_some() {
            self.bring_forward(kernel, order);
        }
        self.first.take().filter(|first| kernel.is_waiting(*first))
    }

    /// Makes the wait that is to be ended next the first.
    #[cold]
    fn bring_forward<M: Model>(&mut self, kernel: &Kernel<M>, order: WakeOrder) {
        let Some(rest) = &mut self.rest else {
            return;
        };
        let waiters = &mut rest.waiters;
        waiters.splice(0..0, self.first.take());
        waiters.retain(|waiter| kernel.is_waiting(*waiter));
        let rank = |place: &usize| match order {
            WakeOrder::Fifo => 0,
            WakeOrder::Priority => kernel.priority(waiters[*place].thread).unwrap_or(0),
        };
        // Of equals `max_by_key` gives the last, which in reverse is the first.
        let next = (0..waiters.len()).rev().max_by_key(rank);
        self.first = next.map(|place| waiters.remove(place));
        if waiters.is_empty() {
            self.rest = None;
        }
    }

    /// Wakes everybody who waits, first in first out.
    pub fn wake_all<M: Model>(&mut self, kernel: &mut Kernel<M>, result: M::Wake) {
        if let Some(first) = self.first.take() {
            kernel.wake(first, result);
        }
        if let Some(rest) = self.rest.take() {
            for waiter in rest.waiters {
                kernel.wake(waiter, result);
            }
        }
    }
}
