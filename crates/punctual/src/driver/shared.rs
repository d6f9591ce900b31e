//! The state that a driver and its handles share: several queues, each under a short lock, and one bell.
//!
//! A thread's timers go to the queue of its lane, so that threads do not wait for each other. The driver
//! serves the queue whose head comes first.

use super::counters::Tally;
use super::hub::{Hub, Wish};
use super::job::{Due, Job, Name};
use super::pace::Served;
use super::queue::{BATCH, Removed};
use super::repeats::RepeatId;
use super::repeats::RepeatingCallback;
use super::shard::Shard;
use crate::os::Os;
use crate::{Instant, Window};
use std::sync::Arc;
use std::task::Waker;

/// Queues of each driver. On two processors eight took a tenth to a third more timers from four or ten
/// threads than one did, and as many from one thread. Whoever falls asleep locks them all, one after the
/// other, so they should not be many.
const SHARDS: usize = 8;

pub(super) struct Shared<O: Os> {
    pub(super) hub: Arc<Hub<O>>,
    shards: [Arc<Shard<O>>; SHARDS],
}

/// What the driver's thread is to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Until then, or for ever.
    Sleep(Option<Wakeup>),
    /// Look after the future that it runs.
    Look,
    Stop,
}

/// When to wake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wakeup {
    /// Of the timer that comes first.
    pub(super) window: Window,
    /// The part of it that saves wake-ups, at any of whose instants all is due that is at its end.
    pub(super) shared: Window,
}

impl<O: Os> Shared<O> {
    pub(super) fn new(os: O) -> Self {
        let hub = Arc::new(Hub::new(os));
        let shard = |index| Arc::new(Shard::new(Arc::clone(&hub), index));
        Self {
            shards: std::array::from_fn(shard),
            hub,
        }
    }

    /// The queue for what the calling thread inserts.
    pub(super) fn shard(&self) -> &Arc<Shard<O>> {
        &self.shards[self.hub.os.lane() % SHARDS]
    }

    pub(super) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.len()).sum()
    }

    pub(super) fn shut_down(&self) {
        self.hub.mark_shut_down();
        self.refuse();
        self.hub.rouse();
    }

    /// From here on nothing is inserted.
    fn refuse(&self) {
        for shard in &self.shards {
            if let Some(mut queue) = shard.lock() {
                queue.close();
            }
        }
    }

    /// Does everything that is due, beginning at `now`.
    pub(super) fn serve(&self, mut now: Instant, wakers: &mut Vec<Waker>) -> Served {
        self.hub.rest.awake();
        let mut served = Served::beginning(now);
        loop {
            let mut tally = Tally::since(served.began);
            let callback = self.take_due(now, wakers, &mut tally);
            if callback.is_none() && wakers.is_empty() {
                return served;
            }
            self.hub.add(tally);
            served.did(tally.fired, tally.overtaken);
            for waker in wakers.drain(..) {
                self.hub.survives(|| waker.wake());
            }
            if let Some((shard, due)) = callback {
                self.fire(shard, due);
            }
            now = self.hub.os.now();
            served.until(now);
        }
    }

    /// Takes a batch of wakers out of the queues, or a callback, in order.
    fn take_due(
        &self,
        now: Instant,
        wakers: &mut Vec<Waker>,
        tally: &mut Tally,
    ) -> Option<(&Shard<O>, Due)> {
        wakers.reserve(BATCH);
        loop {
            let before = wakers.len();
            let (first, bound) = self.first_two_heads();
            let mut take = |shard| self.take_from(shard, now, bound, wakers, tally);
            let callback = match first {
                Some(first) => take(&self.shards[first]),
                // Perhaps something waits for the end of time, which looks the same.
                None => self.shards.iter().find_map(|shard| take(shard)),
            };
            let taken = wakers.len();
            if callback.is_some() || taken == before || taken == BATCH {
                return callback;
            }
        }
    }

    fn take_from<'a>(
        &self,
        shard: &'a Shard<O>,
        now: Instant,
        bound: Instant,
        wakers: &mut Vec<Waker>,
        tally: &mut Tally,
    ) -> Option<(&'a Shard<O>, Due)> {
        let mut queue = shard.lock()?;
        let (name, due) = queue.take(now, bound, wakers, tally)?;
        self.hub.begin_call((shard.index(), name));
        Some((shard, due))
    }

    /// The queue whose head comes first, and when the first head of the others does. `None` if
    /// nothing waits, or only for the end of time.
    fn first_two_heads(&self) -> (Option<usize>, Instant) {
        let (mut first, mut least, mut second) = (None, u64::MAX, u64::MAX);
        for (index, shard) in self.shards.iter().enumerate() {
            let head = shard.head();
            if head < least {
                (first, least, second) = (Some(index), head, least);
            } else {
                second = second.min(head);
            }
        }
        (first, Instant::from_nanos(second))
    }

    fn fire(&self, shard: &Shard<O>, due: Due) {
        let hub = &self.hub;
        match due {
            Due::Once(callback, firing) => {
                hub.survives(|| callback(firing));
                hub.end_call();
            }
            Due::Repeat(id, mut callback, tick) => {
                let mut goes_on = false;
                hub.survives(|| goes_on = callback(tick).is_continue());
                let dropping = if goes_on {
                    self.put_back(shard, id, callback, tick.woke)
                } else {
                    hub.end_call();
                    let removed = shard
                        .lock()
                        .and_then(|mut queue| queue.remove(Name::Repeat(id)));
                    hub.survives(|| drop(removed));
                    Some(callback)
                };
                hub.survives(|| drop(dropping));
            }
            Due::Ended(repeat) => {
                hub.end_call();
                hub.survives(|| drop(repeat));
            }
        }
    }

    /// Puts a repeating callback back whose call began at this instant, for its next tick. Gives
    /// back what is to be dropped.
    fn put_back(
        &self,
        shard: &Shard<O>,
        id: RepeatId,
        callback: RepeatingCallback,
        began: Instant,
    ) -> Option<RepeatingCallback> {
        let ended = self.hub.os.now();
        let Some(mut queue) = shard.lock() else {
            return Some(callback);
        };
        self.hub.end_call();
        let put = queue.put_back(id, callback, ended);
        drop(queue);
        match put {
            Ok(window) => {
                let deadline = window.earliest();
                if began < deadline && deadline <= ended {
                    self.hub.count(|counters| counters.overruns += 1);
                }
                None
            }
            Err(callback) => Some(callback),
        }
    }

    /// What the driver's thread does now that nothing is due. Once this has said for how long to
    /// sleep, whoever inserts something sooner rings the bell.
    pub(super) fn fall_asleep(&self) -> Next {
        let expected = self.shards.iter().map(|shard| shard.head()).min();
        let expected = expected.unwrap_or(u64::MAX);
        self.hub
            .rest
            .fall_asleep(expected, || match self.hub.take_wish() {
                // It does not rest.
                Some(Wish::Look) => (Some(0), Next::Look),
                Some(Wish::Stop) => (Some(0), Next::Stop),
                None => {
                    let wakeup = self.next_wakeup();
                    let until = wakeup.map(|wakeup| wakeup.window.latest().as_nanos());
                    (until, Next::Sleep(wakeup))
                }
            })
    }

    /// Looks at all queues, one after the other.
    fn next_wakeup(&self) -> Option<Wakeup> {
        let heads = self
            .shards
            .iter()
            .filter_map(|shard| shard.lock()?.timers().next_window());
        let window = heads.min_by_key(|window| window.latest())?;
        let latest = window.latest();
        if window.earliest() == latest {
            return Some(Wakeup {
                window,
                shared: window,
            });
        }
        let from = self
            .shards
            .iter()
            .filter_map(|shard| Some(shard.lock()?.timers().shared_from(latest)));
        let shared = Window::from(from.max()?..=latest);
        Some(Wakeup { window, shared })
    }

    /// Drops every job, in order, out of the lock; futures are woken, to be told.
    pub(super) fn close(&self) {
        self.hub.mark_closed();
        self.refuse();
        while let Some(removed) = self.take_any() {
            self.hub.survives(|| match removed {
                Removed::Job(Job::Wake(waker)) => waker.wake(),
                Removed::Job(job) => drop(job),
                Removed::Repeat(entry) => drop(entry),
            });
        }
    }

    fn take_any(&self) -> Option<Removed> {
        let (first, _) = self.first_two_heads();
        let first = first.map(|index| &self.shards[index]);
        let order = first.into_iter().chain(&self.shards);
        let mut taken = order.filter_map(|shard| shard.lock()?.take_any());
        taken.next()
    }
}
