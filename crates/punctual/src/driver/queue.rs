//! One queue of a driver, which its lock guards. Its methods only change it: they make no call of the
//! system, and run no callback, waker or destructor of other code. They return the values that have to
//! be dropped.

use super::counters::Tally;
use super::job::{Cancellation, Due, Firing, Job, Name};
use super::repeats::{Entry, Repeat, RepeatId, RepeatingCallback, Repeats};
use crate::{Instant, Key, Period, Timers, Window};
use std::mem;
use std::task::Waker;

/// How many wakers are taken under one lock. Their threads' inserts wait meanwhile.
pub(super) const BATCH: usize = 256;

#[derive(Default)]
pub(super) struct Queue {
    timers: Timers<Job>,
    repeats: Repeats,
    /// The queue is shut down: nothing is inserted or served any more.
    is_closed: bool,
}

/// Values that came out of a queue, to be dropped after its lock was released.
pub(super) enum Removed {
    Job(Job),
    Repeat(Entry),
}

impl Queue {
    pub(super) fn len(&self) -> usize {
        self.timers.len()
    }

    pub(super) fn close(&mut self) {
        self.is_closed = true;
    }

    pub(super) fn timers(&self) -> &Timers<Job> {
        &self.timers
    }

    /// Gives the job back if it takes no more.
    pub(super) fn insert(&mut self, window: Window, job: Job) -> Result<Key, Job> {
        if self.is_closed {
            return Err(job);
        }
        Ok(self.timers.insert(window, job))
    }

    /// Gives the callback back if it takes no more.
    pub(super) fn insert_repeat(&mut self, window: Window, repeat: Repeat) -> Result<Name, Repeat> {
        if self.is_closed {
            return Err(repeat);
        }
        let id = self.repeats.insert(repeat);
        let key = self.timers.insert(window, Job::Repeat(id));
        if let Some(entry) = self.repeats.get_mut(id) {
            entry.key = Some(key);
        }
        Ok(Name::Repeat(id))
    }

    pub(super) fn has(&self, name: Name) -> bool {
        match name {
            Name::Timer(key) => self.timers.get(key).is_some(),
            Name::Repeat(id) => self.repeats.contains(id),
            Name::Never => false,
        }
    }

    pub(super) fn remove(&mut self, name: Name) -> Option<Removed> {
        match name {
            Name::Timer(key) => self.timers.cancel(key).map(Removed::Job),
            Name::Repeat(id) => {
                let entry = self.repeats.remove(id)?;
                if let Some(key) = entry.key {
                    self.timers.cancel(key);
                }
                Some(Removed::Repeat(entry))
            }
            Name::Never => None,
        }
    }

    /// Moves a job. `false` if there is none, or none that is yet to come.
    pub(super) fn reschedule(&mut self, name: Name, window: Window) -> bool {
        match name {
            Name::Timer(key) => self.timers.reschedule(key, window),
            Name::Repeat(id) => {
                let Some(entry) = self.repeats.get_mut(id) else {
                    return false;
                };
                entry.repeat.restart(window);
                if let Some(key) = entry.key {
                    self.timers.reschedule(key, window);
                }
                true
            }
            Name::Never => false,
        }
    }

    /// Changes the period of a repeating callback. Returns when its next tick may come; `None` if
    /// there is none, and past the end of time.
    pub(super) fn set_period(
        &mut self,
        name: Name,
        now: Instant,
        period: Period,
    ) -> Option<Window> {
        let Name::Repeat(id) = name else {
            return None;
        };
        let entry = self.repeats.get_mut(id)?;
        entry.repeat.set_period(now, period);
        let window = entry.repeat.window();
        if let (Some(key), Some(window)) = (entry.key, window) {
            self.timers.reschedule(key, window);
        }
        window
    }

    /// Exchanges the waker of a future that waits. `false` if it does not wait any more.
    pub(super) fn exchange_waker(&mut self, key: Key, waker: &mut Waker) -> bool {
        match self.timers.get_mut(key) {
            Some(Job::Wake(old)) => {
                mem::swap(old, waker);
                true
            }
            _ => false,
        }
    }

    /// Takes out what is due: the first job if it calls back, or else the wakers before the first
    /// that does, those that come by `bound`.
    pub(super) fn take(
        &mut self,
        now: Instant,
        bound: Instant,
        wakers: &mut Vec<Waker>,
        tally: &mut Tally,
    ) -> Option<(Name, Due)> {
        while !self.is_closed {
            let (window, job) = self.timers.head()?;
            let is_waker = matches!(job, Job::Wake(_));
            let goes_on = is_waker && wakers.len() < BATCH && window.latest() <= bound;
            if !wakers.is_empty() && !goes_on {
                return None;
            }
            let fired = self.timers.pop_due(now)?;
            let name = Name::Timer(fired.key);
            let firing = Firing {
                window: fired.window,
                woke: now,
            };
            match fired.value {
                Job::Wake(waker) => {
                    tally.fired(firing);
                    wakers.push(waker);
                }
                Job::Once(callback) => {
                    tally.fired(firing);
                    return Some((name, Due::Once(callback, firing)));
                }
                Job::Soon(callback) => {
                    tally.fired_soon(firing);
                    return Some((name, Due::Once(callback, firing)));
                }
                Job::Repeat(id) => {
                    return Some((Name::Repeat(id), self.take_repeat(id, firing, tally)?));
                }
            }
        }
        None
    }

    fn take_repeat(&mut self, id: RepeatId, firing: Firing, tally: &mut Tally) -> Option<Due> {
        let entry = self.repeats.get_mut(id)?;
        if entry.repeat.is_soon() {
            tally.fired_soon(firing);
        } else {
            tally.fired(firing);
        }
        entry.key = None;
        if let Some((tick, callback)) = entry.repeat.take_tick(firing.woke) {
            tally.missed += tick.missed;
            return Some(Due::Repeat(id, callback, tick));
        }
        Some(Due::Ended(self.repeats.remove(id)?.repeat))
    }

    /// Puts a repeating callback back whose call ended at this instant, for its next tick, and
    /// returns the window of that. Gives the callback back if it was cancelled meanwhile, or there
    /// is no next tick.
    pub(super) fn put_back(
        &mut self,
        id: RepeatId,
        callback: RepeatingCallback,
        ended: Instant,
    ) -> Result<Window, RepeatingCallback> {
        let Some(entry) = self.repeats.get_mut(id) else {
            return Err(callback);
        };
        let Some(window) = entry.repeat.next_window(ended) else {
            self.repeats.remove(id);
            return Err(callback);
        };
        entry.repeat.put_back(callback);
        entry.key = Some(self.timers.insert(window, Job::Repeat(id)));
        Ok(window)
    }

    /// Takes out the first job of all.
    pub(super) fn take_any(&mut self) -> Option<Removed> {
        let fired = self.timers.pop_due(Instant::MAX)?;
        match fired.value {
            Job::Repeat(id) => self.repeats.remove(id).map(Removed::Repeat),
            job => Some(Removed::Job(job)),
        }
    }
}

impl Removed {
    /// What became of a job that was taken out to be cancelled.
    pub(super) fn cancellation(removed: Option<&Self>, is_under_way: bool) -> Cancellation {
        match removed {
            _ if is_under_way => Cancellation::UnderWay,
            Some(_) => Cancellation::Prevented,
            None => Cancellation::TooLate,
        }
    }
}
