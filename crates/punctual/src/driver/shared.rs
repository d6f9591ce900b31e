//! What a driver and its handles share: the queue under a short lock, and a bell.
//!
//! Under the lock the queue is changed and nothing else happens: no call of the system, no callback,
//! no destructor or waker of somebody else's. What has to be dropped, woken or rung is handed out.

use super::caught::survives;
use super::counters::Counters;
use super::job::{Firing, Job, JobId, OnceCallback, RepeatingCallback, What};
use super::{Cancellation, ShutDown};
use crate::os::Os;
use crate::timers::Window;
use crate::{Instant, Tick, Timers};
use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

pub(super) struct Shared<O: Os> {
    pub(super) os: O,
    /// Rung when the driver's thread must not sleep on.
    pub(super) bell: O::Bell,
    state: Mutex<State>,
}

/// Told when the driver must not be left alone for as long as it said.
type Notify = Arc<dyn Fn() + Send + Sync>;

struct State {
    timers: Timers<JobId>,
    jobs: HashMap<JobId, Job>,
    last_id: JobId,
    rest: Rest,
    /// The job whose callback is being called.
    under_way: Option<JobId>,
    /// Nothing is inserted or called any more.
    is_shut_down: bool,
    /// Nor does anything wait any more.
    is_closed: bool,
    /// The future that the driver runs was woken.
    is_nudged: bool,
    counters: Counters,
    notify: Option<Notify>,
}

/// What the driver's thread is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// It works, and looks at the queue before it sleeps.
    Awake,
    /// It sleeps until this instant at the latest.
    Until(Instant),
    /// It sleeps until the bell rings.
    ForEver,
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
    /// Of the head of the queue.
    pub(super) window: Window,
    /// The part of it that saves wake-ups, at any of whose instants all is due that is at its end.
    pub(super) shared: Window,
}

/// A job whose time has come, out of the lock.
pub(super) enum Due {
    Once(OnceCallback, Firing),
    Repeat(JobId, RepeatingCallback, Tick),
    Wake(Waker),
    /// Its schedule ended with time.
    Ended(Job),
}

impl<O: Os> Shared<O> {
    pub(super) fn new(os: O) -> Self {
        let bell = os.bell();
        Self {
            os,
            bell,
            state: Mutex::new(State {
                timers: Timers::new(),
                jobs: HashMap::new(),
                last_id: 0,
                rest: Rest::Awake,
                under_way: None,
                is_shut_down: false,
                is_closed: false,
                is_nudged: false,
                counters: Counters::default(),
                notify: None,
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the driver if `disturb` says, of the locked state, that it must be.
    fn disturbing<T>(&self, change: impl FnOnce(&mut State) -> (T, bool)) -> T {
        let (result, notify) = {
            let mut state = self.state();
            let (result, disturb) = change(&mut state);
            // Whoever comes next need not ring again.
            let ring = disturb && state.rest != Rest::Awake;
            let notify = ring.then(|| {
                state.rest = Rest::Awake;
                state.notify.clone()
            });
            (result, notify)
        };
        if let Some(notify) = notify {
            self.os.ring(&self.bell);
            if let Some(notify) = notify {
                notify();
            }
        }
        result
    }

    pub(super) fn set_notify(&self, notify: Notify) {
        let previous = self.state().notify.replace(notify);
        drop(previous);
    }

    pub(super) fn counters(&self) -> Counters {
        self.state().counters
    }

    pub(super) fn len(&self) -> usize {
        self.state().jobs.len()
    }

    pub(super) fn is_shut_down(&self) -> bool {
        self.state().is_shut_down
    }

    pub(super) fn shut_down(&self) {
        self.disturbing(|state| {
            state.is_shut_down = true;
            ((), true)
        });
    }

    /// Makes the driver look after the future that it runs.
    pub(super) fn nudge(&self) {
        self.disturbing(|state| {
            state.is_nudged = true;
            ((), true)
        });
    }

    /// Adds a job. One that never comes, past the end of time, is not kept.
    pub(super) fn add(&self, what: What, window: Option<Window>) -> Result<JobId, ShutDown> {
        let mut what = Some(what);
        let added = self.disturbing(|state| {
            if state.is_shut_down {
                return (Err(ShutDown), false);
            }
            state.last_id += 1;
            let id = state.last_id;
            let Some(window) = window else {
                return (Ok(id), false);
            };
            let key = Some(state.timers.insert(window, id));
            if let Some(what) = what.take() {
                state.jobs.insert(id, Job { key, what });
            }
            (Ok(id), state.is_sooner_than_rest())
        });
        // What was not taken is dropped here, out of the lock.
        drop(what);
        added
    }

    pub(super) fn cancel(&self, id: JobId) -> Cancellation {
        let (job, outcome) = {
            let mut state = self.state();
            let is_under_way = state.under_way == Some(id);
            let job = state.remove(id);
            let outcome = match &job {
                _ if is_under_way => Cancellation::UnderWay,
                Some(_) => Cancellation::Prevented,
                None => Cancellation::TooLate,
            };
            (job, outcome)
        };
        drop(job);
        outcome
    }

    /// Moves a job. `false` if there is none, or none that is yet to come.
    pub(super) fn reschedule(&self, id: JobId, window: Window) -> bool {
        self.disturbing(|state| {
            let Some(job) = state.jobs.get_mut(&id) else {
                return (false, false);
            };
            if let What::Repeat(repeat) = &mut job.what {
                repeat.restart(window);
            }
            if let Some(key) = job.key {
                state.timers.reschedule(key, window);
            }
            (true, state.is_sooner_than_rest())
        })
    }

    /// Exchanges the waker of a future that waits. `false` if it does not wait any more.
    pub(super) fn exchange_waker(&self, id: JobId, waker: &mut Waker) -> bool {
        match self.state().jobs.get_mut(&id).map(|job| &mut job.what) {
            Some(What::Wake(old)) => {
                mem::swap(old, waker);
                true
            }
            _ => false,
        }
    }

    /// Takes out the first job that is due.
    pub(super) fn take_due(&self, now: Instant) -> Option<Due> {
        let mut state = self.state();
        state.rest = Rest::Awake;
        state.under_way = None;
        if state.is_shut_down {
            return None;
        }
        let fired = state.timers.pop_due(now)?;
        let id = fired.value;
        let firing = Firing {
            window: fired.window,
            woke: now,
        };
        state.under_way = Some(id);
        state.counters.fired(firing.lateness());
        let job = state.jobs.get_mut(&id)?;
        if let What::Repeat(repeat) = &mut job.what
            && let Some((tick, callback)) = repeat.take_tick(now)
        {
            job.key = None;
            state.counters.missed += tick.missed;
            return Some(Due::Repeat(id, callback, tick));
        }
        let job = state.jobs.remove(&id)?;
        Some(match job.what {
            What::Once(callback) => Due::Once(callback, firing),
            What::Wake(waker) => Due::Wake(waker),
            What::Repeat(_) => Due::Ended(job),
        })
    }

    /// Puts a repeating callback back whose call began and ended at these instants, for its next
    /// tick. Gives back what is to be dropped: it was cancelled meanwhile, or there is no next tick.
    pub(super) fn put_back(
        &self,
        id: JobId,
        callback: RepeatingCallback,
        began: Instant,
        ended: Instant,
    ) -> Option<RepeatingCallback> {
        let mut state = self.state();
        let State {
            jobs,
            timers,
            counters,
            under_way,
            ..
        } = &mut *state;
        *under_way = None;
        let Some(job) = jobs.get_mut(&id) else {
            return Some(callback);
        };
        let What::Repeat(repeat) = &mut job.what else {
            return Some(callback);
        };
        let Some(window) = repeat.next_window(ended) else {
            jobs.remove(&id);
            return Some(callback);
        };
        let deadline = window.earliest();
        counters.overruns += u64::from(began < deadline && deadline <= ended);
        repeat.put_back(callback);
        job.key = Some(timers.insert(window, id));
        None
    }

    /// Forgets a repeating callback that panicked.
    pub(super) fn abandon(&self, id: JobId) {
        let job = self.state().remove(id);
        drop(job);
    }

    /// Runs somebody's code, which may panic, and says whether it did not.
    pub(super) fn survives(&self, code: impl FnOnce()) -> bool {
        let survived = survives(code);
        if !survived {
            self.state().counters.panics += 1;
        }
        survived
    }

    pub(super) fn count_wakeup(&self, rung: bool) {
        let mut state = self.state();
        state.counters.wakeups += 1;
        state.counters.rings += u64::from(rung);
    }

    /// What the driver's thread does now that nothing is due. Once this has said for how long to
    /// sleep, whoever inserts something sooner rings the bell.
    pub(super) fn fall_asleep(&self) -> Next {
        let mut state = self.state();
        if mem::take(&mut state.is_nudged) {
            return Next::Look;
        }
        if state.is_shut_down && !state.is_closed {
            return Next::Stop;
        }
        let timers = &state.timers;
        let wakeup = timers.next_window().zip(timers.next_shared_window());
        let wakeup = wakeup.map(|(window, shared)| Wakeup { window, shared });
        state.rest = wakeup.map_or(Rest::ForEver, |wakeup| Rest::Until(wakeup.window.latest()));
        Next::Sleep(wakeup)
    }

    /// Drops every job, in order, out of the lock; futures are woken, to be told.
    pub(super) fn close(&self) {
        {
            let mut state = self.state();
            (state.is_shut_down, state.is_closed) = (true, true);
        }
        loop {
            // A statement of its own, so that the lock is given back before anything is dropped.
            let job = self.state().take_any();
            let Some(job) = job else { break };
            self.survives(|| match job.what {
                What::Wake(waker) => waker.wake(),
                what => drop(what),
            });
        }
    }
}

impl State {
    /// Whether the driver sleeps longer than the head of the queue allows.
    fn is_sooner_than_rest(&self) -> bool {
        match (self.rest, self.timers.next_wakeup()) {
            (Rest::Until(until), Some(latest)) => latest < until,
            (Rest::ForEver, Some(_)) => true,
            (Rest::Awake, _) | (_, None) => false,
        }
    }

    fn remove(&mut self, id: JobId) -> Option<Job> {
        let job = self.jobs.remove(&id)?;
        if let Some(key) = job.key {
            self.timers.cancel(key);
        }
        Some(job)
    }

    fn take_any(&mut self) -> Option<Job> {
        let fired = self.timers.pop_due(Instant::MAX)?;
        self.jobs.remove(&fired.value)
    }
}
