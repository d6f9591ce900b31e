//! A bell for waits that each need a queue of their own: who is waiting, and whom to wake.
//!
//! Nothing in here belongs to macOS, so it is tested on every system.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What one thread at a time waits on.
pub(super) trait Queue {
    /// Ends the wait on it; if there is none, the next. That may be once too often.
    fn trigger(&self);
}

/// A bell, and the queues of those who wait for it. There are as many queues as threads have waited
/// at once.
#[derive(Debug)]
pub(super) struct Waiters<Q> {
    rung: AtomicBool,
    queues: Mutex<Queues<Q>>,
}

#[derive(Debug)]
struct Queues<Q> {
    waiting: Vec<Arc<Q>>,
    idle: Vec<Arc<Q>>,
}

impl<Q: Queue> Waiters<Q> {
    pub(super) fn new() -> Self {
        Self {
            rung: AtomicBool::new(false),
            queues: Mutex::new(Queues {
                waiting: Vec::new(),
                idle: Vec::new(),
            }),
        }
    }

    /// Rings. A waiter that is yet to be listed looks at the bell after it is, and so sees it rung.
    ///
    /// Both this and [`hush`](Self::hush) exchange the word, so that who hushes sees what was done
    /// before every ring that it takes back: a plain store would cut the chain from ring to ring, and
    /// let what follows a hush be read before it.
    pub(super) fn ring(&self) {
        self.rung.swap(true, Ordering::Release);
        // The lock is not held across calls of the system.
        let waiting = self.queues().waiting.clone();
        waiting.iter().for_each(|queue| queue.trigger());
    }

    pub(super) fn hush(&self) {
        self.rung.swap(false, Ordering::AcqRel);
    }

    pub(super) fn is_rung(&self) -> bool {
        self.rung.load(Ordering::Acquire)
    }

    /// Waits on a queue, an idle one or one that is made, unless the bell is rung.
    ///
    /// # Errors
    /// Those of making a queue and of waiting on it.
    pub(super) fn wait<E>(
        &self,
        make: impl FnOnce() -> Result<Q, E>,
        wait: impl FnOnce(&Q) -> Result<(), E>,
    ) -> Result<(), E> {
        let idle = self.queues().idle.pop();
        let queue = match idle {
            Some(queue) => queue,
            None => Arc::new(make()?),
        };
        self.queues().waiting.push(Arc::clone(&queue));
        let waited = if self.is_rung() { Ok(()) } else { wait(&queue) };
        let mut queues = self.queues();
        queues.waiting.retain(|other| !Arc::ptr_eq(other, &queue));
        queues.idle.push(queue);
        waited
    }

    fn queues(&self) -> MutexGuard<'_, Queues<Q>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;
    use std::sync::Condvar;
    use std::thread;

    /// A queue on which only a trigger ends a wait.
    #[derive(Debug, Default)]
    struct Triggered {
        is: Mutex<bool>,
        changed: Condvar,
    }

    impl Queue for Triggered {
        fn trigger(&self) {
            *self.is.lock().unwrap() = true;
            self.changed.notify_all();
        }
    }

    fn wait(waiters: &Waiters<Triggered>) {
        let make = || Ok::<_, Infallible>(Triggered::default());
        let Ok(()) = waiters.wait(make, |queue| {
            let mut is = queue
                .changed
                .wait_while(queue.is.lock().unwrap(), |is| !*is)
                .unwrap();
            *is = false;
            Ok(())
        });
    }

    #[test]
    fn a_ring_is_never_lost_however_it_falls() {
        // Miri looks at each for half a second.
        let rounds = if cfg!(miri) { 5 } else { 200 };
        for _ in 0..rounds {
            let waiters = Waiters::new();
            thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| {
                        while !waiters.is_rung() {
                            wait(&waiters);
                        }
                    });
                }
                waiters.ring();
            });
        }
    }

    #[test]
    fn a_rung_bell_ends_every_wait_until_it_is_hushed() {
        let waiters = Waiters::new();
        waiters.ring();
        wait(&waiters);
        wait(&waiters);
        waiters.hush();
        assert!(!waiters.is_rung());
    }

    #[test]
    fn queues_are_used_again() {
        let waiters = Waiters::new();
        waiters.ring();
        (0..5).for_each(|_| wait(&waiters));
        let queues = waiters.queues();
        assert_eq!((queues.waiting.len(), queues.idle.len()), (0, 1));
    }

    #[test]
    fn a_queue_that_fails_is_no_longer_waited_on() {
        let waiters: Waiters<Triggered> = Waiters::new();
        assert_eq!(waiters.wait(|| Err(1), |_| Ok(())), Err(1));
        assert_eq!(
            waiters.wait(|| Ok(Triggered::default()), |_| Err(2)),
            Err(2)
        );
        assert!(waiters.queues().waiting.is_empty());
    }
}
