//! The state that all queues of a driver share: the machine, the bell, and the serving thread.

use super::Counters;
use super::caught::survives;
use super::counters::Tally;
use super::job::Name;
use super::rest::Rest;
use crate::os::Os;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Called when the driver has to be served sooner than it said.
pub(super) type Notify = Arc<dyn Fn() + Send + Sync>;

pub(super) struct Hub<O: Os> {
    pub(super) os: O,
    /// Rung when the driver's thread must not sleep on.
    pub(super) bell: O::Bell,
    pub(super) rest: Rest,
    control: Mutex<Control>,
    /// The process in which it was started on its own thread. Forks do not have that thread.
    origin: OnceLock<O::Origin>,
    service: Apart<Service<O>>,
}

/// What the serving thread writes. It writes often, so this is not in the same cache line as what other
/// threads read.
#[repr(align(128))]
struct Apart<T>(T);

struct Service<O: Os> {
    /// Whether a callback is being called.
    is_calling: AtomicBool,
    call: Mutex<Option<Call>>,
    /// The thread that serves the queues.
    thread: Mutex<Option<O::ThreadId>>,
    counters: Mutex<Counters>,
}

/// The callback that is being called, by its queue and its name there.
pub(super) type Call = (usize, Name);

#[derive(Default)]
struct Control {
    /// The future that the driver runs was woken.
    is_nudged: bool,
    /// Nothing is inserted or called any more.
    is_shut_down: bool,
    /// Nor does anything wait any more.
    is_closed: bool,
    notify: Option<Notify>,
}

/// A task for the driver's thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// To look after the future that it runs.
    Look,
    Stop,
}

impl<O: Os> Hub<O> {
    pub(super) fn new(os: O) -> Self {
        let bell = os.bell();
        Self {
            os,
            bell,
            rest: Rest::new(),
            control: Mutex::default(),
            origin: OnceLock::new(),
            service: Apart(Service {
                is_calling: AtomicBool::new(false),
                call: Mutex::default(),
                thread: Mutex::default(),
                counters: Mutex::default(),
            }),
        }
    }

    /// From here on, a fork of this process treats the driver as shut down.
    pub(super) fn belongs_here(&self) {
        let _ = self.origin.set(self.os.origin());
    }

    /// Whether the thread that serves the queues stayed in another process. Then no lock is to be
    /// taken: some thread of that process may have had it when it forked.
    pub(super) fn is_orphaned(&self) -> bool {
        let origin = self.origin.get();
        origin.is_some_and(|origin| self.os.is_forked(origin))
    }

    /// Locks, but not in a fork.
    pub(super) fn enter<'a, T>(&self, mutex: &'a Mutex<T>) -> Option<MutexGuard<'a, T>> {
        (!self.is_orphaned()).then(|| mutex.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn control<T>(&self, change: impl FnOnce(&mut Control) -> T) -> Option<T> {
        self.enter(&self.control)
            .map(|mut control| change(&mut control))
    }

    pub(super) fn is_shut_down(&self) -> bool {
        self.control(|control| control.is_shut_down).unwrap_or(true)
    }

    pub(super) fn mark_shut_down(&self) {
        self.control(|control| control.is_shut_down = true);
    }

    pub(super) fn mark_closed(&self) {
        self.control(|control| (control.is_shut_down, control.is_closed) = (true, true));
    }

    pub(super) fn set_notify(&self, notify: Notify) {
        let previous = self.control(|control| control.notify.replace(notify));
        drop(previous);
    }

    /// Makes the driver look after the future that it runs.
    pub(super) fn nudge(&self) {
        self.control(|control| control.is_nudged = true);
        self.rouse();
    }

    /// The task for the thread that is about to sleep, if there is one.
    pub(super) fn take_wish(&self) -> Option<Wish> {
        let wish = self.control(|control| {
            if mem::take(&mut control.is_nudged) {
                Some(Wish::Look)
            } else {
                (control.is_shut_down && !control.is_closed).then_some(Wish::Stop)
            }
        });
        wish.unwrap_or(Some(Wish::Stop))
    }

    /// Wakes the serving thread if it sleeps, without holding a lock.
    pub(super) fn rouse(&self) {
        if !self.rest.disturb() {
            return;
        }
        self.os.ring(&self.bell);
        let notify = self.control(|control| control.notify.clone());
        if let Some(notify) = notify.flatten() {
            notify();
        }
    }

    /// Says which thread serves the queues from now on; none, when it is done.
    pub(super) fn set_serving(&self, thread: Option<O::ThreadId>) {
        if let Some(mut serving) = self.enter(&self.service.0.thread) {
            *serving = thread;
        }
    }

    pub(super) fn serving(&self) -> Option<O::ThreadId> {
        self.enter(&self.service.0.thread)
            .and_then(|serving| *serving)
    }

    /// Whether this thread serves the queues.
    pub(super) fn is_served_here(&self) -> bool {
        self.serving() == Some(self.os.thread_id())
    }

    /// Whether this is code of a callback that the queues have called.
    pub(super) fn is_calling_here(&self) -> bool {
        // The thread that is in a callback has written that itself.
        self.service.0.is_calling.load(Ordering::Relaxed) && self.is_served_here()
    }

    /// To be said under the lock of the queue, so that its names are either there or here.
    pub(super) fn begin_call(&self, call: Call) {
        self.set_call(Some(call));
    }

    pub(super) fn end_call(&self) {
        self.set_call(None);
    }

    fn set_call(&self, call: Option<Call>) {
        self.service
            .0
            .is_calling
            .store(call.is_some(), Ordering::Relaxed);
        if let Some(mut calling) = self.enter(&self.service.0.call) {
            *calling = call;
        }
    }

    pub(super) fn call(&self) -> Option<Call> {
        self.enter(&self.service.0.call)
            .and_then(|calling| *calling)
    }

    pub(super) fn counters(&self) -> Counters {
        self.count(|counters| *counters).unwrap_or_default()
    }

    pub(super) fn count<T>(&self, change: impl FnOnce(&mut Counters) -> T) -> Option<T> {
        let counters = self.enter(&self.service.0.counters);
        counters.map(|mut counters| change(&mut counters))
    }

    pub(super) fn count_wakeup(&self, rung: bool) {
        self.count(|counters| {
            counters.wakeups += 1;
            counters.rings += u64::from(rung);
        });
    }

    pub(super) fn add(&self, tally: Tally) {
        self.count(|counters| counters.add(tally));
    }

    /// Runs other code, which may panic. Returns whether it did not.
    pub(super) fn survives(&self, code: impl FnOnce()) -> bool {
        let survived = survives(code);
        if !survived {
            self.count(|counters| counters.panics += 1);
        }
        survived
    }
}
