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

/// What was taken out of the queues to be done, and where the last of its windows began.
enum Taken<'a, O: Os> {
    Nothing,
    Wakers(Instant),
    Callback(&'a Shard<O>, Due, Instant),
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
            match self.take_due(now, wakers) {
                Taken::Nothing => return served,
                Taken::Wakers(earliest) => {
                    served.did(wakers.len() as u64, earliest);
                    for waker in wakers.drain(..) {
                        self.hub.survives(|| waker.wake());
                    }
                }
                Taken::Callback(shard, due, earliest) => {
                    served.did(1, earliest);
                    self.fire(shard, due);
                }
            }
            now = self.hub.os.now();
            served.until(now);
        }
    }

    fn take_due(&self, now: Instant, wakers: &mut Vec<Waker>) -> Taken<'_, O> {
        let (first, bound) = self.first_two_heads();
        wakers.reserve(BATCH);
        let Some(first) = first else {
            // Perhaps something waits for the end of time, which looks the same.
            let mut taken = self
                .shards
                .iter()
                .map(|shard| self.take_from(shard, now, bound, wakers));
            return taken
                .find(|taken| !matches!(taken, Taken::Nothing))
                .unwrap_or(Taken::Nothing);
        };
        self.take_from(&self.shards[first], now, bound, wakers)
    }

    fn take_from<'a>(
        &self,
        shard: &'a Shard<O>,
        now: Instant,
        bound: Instant,
        wakers: &mut Vec<Waker>,
    ) -> Taken<'a, O> {
        let mut tally = Tally::new();
        let Some(mut queue) = shard.lock() else {
            return Taken::Nothing;
        };
        let callback = queue.take(now, bound, wakers, &mut tally);
        if let Some((name, _)) = callback {
            self.hub.begin_call((shard.index(), name));
        }
        drop(queue);
        self.hub.add(tally);
        match callback {
            Some((_, due)) => Taken::Callback(shard, due, tally.earliest),
            None if wakers.is_empty() => Taken::Nothing,
            None => Taken::Wakers(tally.earliest),
        }
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
        self.hub.rest.fall_asleep(|| match self.hub.take_wish() {
            Some(Wish::Look) => (None, Next::Look),
            Some(Wish::Stop) => (None, Next::Stop),
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
