//! One of a driver's queues under its lock, for the threads of one lane.

use super::ShutDown;
use super::hub::Hub;
use super::job::{Cancellation, Job, Name};
use super::queue::{Queue, Removed};
use super::repeats::Repeat;
use crate::os::Os;
use crate::{Instant, Key, Period, Window};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Waker;

/// Futures and callbacks hold the shard that they wait in, and no more: to count the holders of
/// something that all threads hold would make them wait for each other.
///
/// As far apart as two lines of the cache, which processors fetch together.
#[repr(align(128))]
pub(super) struct Shard<O: Os> {
    pub(super) hub: Arc<Hub<O>>,
    /// Its place among the driver's shards.
    index: usize,
    queue: Mutex<Queue>,
    /// The least `latest` of its queue, in nanoseconds, for whoever chooses a queue to serve: as it
    /// was when the lock was given back last. The greatest number if nothing waits.
    head: AtomicU64,
}

/// A queue that is locked.
pub(super) struct Locked<'a> {
    queue: MutexGuard<'a, Queue>,
    head: &'a AtomicU64,
}

impl<O: Os> Shard<O> {
    pub(super) fn new(hub: Arc<Hub<O>>, index: usize) -> Self {
        Self {
            hub,
            index,
            queue: Mutex::default(),
            head: AtomicU64::new(u64::MAX),
        }
    }

    /// `None` in a fork of the driver's process.
    pub(super) fn lock(&self) -> Option<Locked<'_>> {
        Some(Locked {
            queue: self.hub.enter(&self.queue)?,
            head: &self.head,
        })
    }

    pub(super) fn index(&self) -> usize {
        self.index
    }

    /// The least `latest` of its queue, perhaps as it was a moment ago.
    pub(super) fn head(&self) -> u64 {
        self.head.load(Ordering::Acquire)
    }

    /// Adds a job.
    pub(super) fn add(&self, window: Window, job: Job) -> Result<Key, ShutDown> {
        let mut queue = self.lock().ok_or(ShutDown)?;
        let added = queue.insert(window, job);
        // What was not taken is dropped out of the lock.
        drop(queue);
        let key = added.map_err(|_refused| ShutDown)?;
        self.hurry(window);
        Ok(key)
    }

    /// Adds a repeating callback. One that never comes, past the end of time, is not kept.
    pub(super) fn add_repeat(
        &self,
        window: Option<Window>,
        repeat: Repeat,
    ) -> Result<Name, ShutDown> {
        let Some(window) = window else {
            return if self.hub.is_shut_down() {
                Err(ShutDown)
            } else {
                Ok(Name::Never)
            };
        };
        let mut queue = self.lock().ok_or(ShutDown)?;
        let added = queue.insert_repeat(window, repeat);
        drop(queue);
        let name = added.map_err(|_refused| ShutDown)?;
        self.hurry(window);
        Ok(name)
    }

    pub(super) fn cancel(&self, name: Name) -> Cancellation {
        let Some(mut queue) = self.lock() else {
            return Cancellation::TooLate;
        };
        let removed = queue.remove(name);
        let waits = removed.is_some() && matches!(name, Name::Timer(_));
        let is_under_way = !waits && self.hub.call() == Some((self.index, name));
        drop(queue);
        Removed::cancellation(removed.as_ref(), is_under_way)
    }

    /// Takes a future's timer away, which has this window.
    pub(super) fn forget(&self, key: Key, window: Window) {
        // What comes before the head is not there any more, as a rule because it fired.
        if self.head() > window.latest().as_nanos() {
            return;
        }
        let removed = self
            .lock()
            .and_then(|mut queue| queue.remove(Name::Timer(key)));
        // Out of the lock: a waker is code of others.
        drop(removed);
    }

    /// Moves a job. `false` if there is none, or none that is yet to come.
    pub(super) fn reschedule(&self, name: Name, window: Window) -> bool {
        let moved = self
            .lock()
            .is_some_and(|mut queue| queue.reschedule(name, window));
        if moved {
            self.hurry(window);
        }
        moved
    }

    /// Changes the period of a repeating callback. `false` if there is none.
    pub(super) fn set_period(&self, name: Name, now: Instant, period: Period) -> bool {
        let next = self
            .lock()
            .and_then(|mut queue| queue.set_period(name, now, period));
        if let Some(window) = next {
            self.hurry(window);
        }
        next.is_some()
    }

    /// Exchanges the waker of a future that waits. `false` if it does not wait any more.
    pub(super) fn exchange_waker(&self, key: Key, waker: &mut Waker) -> bool {
        let queue = self.lock();
        queue.is_some_and(|mut queue| queue.exchange_waker(key, waker))
    }

    /// How many wait in it, and the callback under way if it is a repeating one of this queue.
    pub(super) fn len(&self) -> usize {
        let Some(queue) = self.lock() else {
            return 0;
        };
        let under_way = match self.hub.call() {
            Some((index, name @ Name::Repeat(_))) => index == self.index && queue.has(name),
            _ => false,
        };
        queue.len() + usize::from(under_way)
    }

    /// Wakes the driver if it sleeps past the end of a window that was put into this queue, whose
    /// lock was given back since.
    pub(super) fn hurry(&self, window: Window) {
        if self.hub.rest.is_disturbed_by(window.latest().as_nanos()) {
            self.hub.rouse();
        }
    }
}

impl Deref for Locked<'_> {
    type Target = Queue;

    fn deref(&self) -> &Queue {
        &self.queue
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut Queue {
        &mut self.queue
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        let next = self.queue.timers().next_wakeup();
        let head = next.map_or(u64::MAX, Instant::as_nanos);
        // Only under the lock does anything write it. Most changes leave the head as it is.
        if self.head.load(Ordering::Relaxed) != head {
            self.head.store(head, Ordering::Release);
        }
    }
}
