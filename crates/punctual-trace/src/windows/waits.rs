//! The timed waits in a Windows trace, and what their lateness is counted from.

use super::WindowsTrace;
use super::place::{self, Place, Placed, instant};
use crate::chronicle::Chronicle;
use crate::event::{Kind, ThreadId, TimerId};
use crate::explain::explain as explain_wait;
use crate::grid::Grid;
use crate::per_thread::PerThread;
use crate::segment::{Reason, Wait, WakeUp};
use crate::trace::Trace;
use crate::waits::unexplained;
use punctual::Period;
use std::collections::BTreeMap;

/// What became of a text's timed waits.
#[derive(Debug, Clone)]
pub struct Explained {
    /// The trace, with the timers that must have been.
    pub trace: Trace,
    /// The waits of the threads asked for that an interrupt or DPC ended.
    pub wake_ups: Vec<WakeUp>,
    /// How many of their waits another thread ended: those were not timed, or ended before their
    /// time.
    pub ended_by_threads: usize,
    /// The threads whose wake-ups lie on no grid of the period given. Their lateness is counted as
    /// without a period.
    pub off_grid: Vec<ThreadId>,
}

/// How a thread was made ready.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ready {
    /// Whether no thread did it.
    pub(super) by_interrupt: bool,
    /// Where the interrupt began with which it began.
    pub(super) expiry: Place,
    /// Where.
    pub(super) processor: u16,
}

/// A wait that an interrupt or DPC ended, or of which too much is missing to tell.
#[derive(Debug, Clone, Copy)]
pub(super) struct TimedWait {
    began: Option<Place>,
    ready: Option<Ready>,
    woke: Option<u64>,
}

#[derive(Debug, Default)]
struct Waiting {
    since: Option<Place>,
    ready: Option<Ready>,
}

/// The waits of one thread.
#[derive(Debug, Default, Clone)]
pub(super) struct ThreadWaits {
    pub(super) timed: Vec<TimedWait>,
    ended_by_threads: usize,
}

/// The waits of all threads, while a trace is read.
#[derive(Debug, Default)]
pub(super) struct Waits(PerThread<Waiter>);

#[derive(Debug, Default)]
struct Waiter {
    now: Option<Waiting>,
    waits: ThreadWaits,
}

impl Waits {
    pub(super) fn waits(&mut self, thread: ThreadId, since: Place) {
        if thread.is_idle() {
            return;
        }
        let waiting = Waiting {
            since: Some(since),
            ready: None,
        };
        self.0.of(thread).now = Some(waiting);
    }

    /// A thread is made ready. If it still runs, its wait was over before it had left its processor.
    pub(super) fn readied(&mut self, thread: ThreadId, ready: Ready, runs: bool) {
        let waiting = self.0.of(thread).now.get_or_insert_default();
        waiting.ready.get_or_insert(ready);
        if runs {
            waiting.since = Some(ready.expiry);
        }
    }

    /// A thread got a processor. Unless it had waited or was made ready, it had only lost one.
    pub(super) fn runs(&mut self, thread: ThreadId, at: u64) {
        let waiter = self.0.of(thread);
        if let Some(waiting) = waiter.now.take() {
            waiter.waits.end(&waiting, Some(at));
        }
    }

    pub(super) fn finish(self) -> BTreeMap<ThreadId, ThreadWaits> {
        let waiters = self.0.into_all().map(|(thread, mut waiter)| {
            if let Some(waiting) = waiter.now.filter(|waiting| waiting.ready.is_some()) {
                waiter.waits.end(&waiting, None);
            }
            (thread, waiter.waits)
        });
        let have = |(_, waits): &(ThreadId, ThreadWaits)| {
            !waits.timed.is_empty() || waits.ended_by_threads > 0
        };
        waiters.filter(have).collect()
    }
}

impl ThreadWaits {
    fn end(&mut self, waiting: &Waiting, woke: Option<u64>) {
        if waiting.ready.is_some_and(|ready| !ready.by_interrupt) {
            self.ended_by_threads += 1;
            return;
        }
        self.timed.push(TimedWait {
            began: waiting.since,
            ready: waiting.ready,
            woke,
        });
    }
}

pub(super) fn explain(
    trace: &WindowsTrace,
    threads: &[ThreadId],
    period: Option<Period>,
) -> Explained {
    let (mut timers, mut waits, mut off_grid) = (Vec::new(), Vec::new(), Vec::new());
    let of_threads = threads.iter().filter_map(|thread| {
        let waits = trace.waits.get(thread);
        waits.map(|waits| (*thread, waits))
    });
    let mut ended_by_threads = 0;
    for (thread, of_thread) in of_threads {
        ended_by_threads += of_thread.ended_by_threads;
        let expiries = of_thread.timed.iter().filter_map(|wait| wait.ready);
        let expiries = expiries.map(|ready| instant(ready.expiry.at));
        let grid = period.and_then(|period| Grid::through(expiries, period));
        if period.is_some() && grid.is_none() && !of_thread.timed.is_empty() {
            off_grid.push(thread);
        }
        for wait in &of_thread.timed {
            let timer = TimerId(waits.len() as u64);
            let wait = wait.with_deadline(thread, grid.as_ref(), timer, &mut timers);
            waits.push(wait);
        }
    }
    timers.sort_by_key(|timer: &Placed| timer.place);
    let lists = trace.events.iter().chain([&timers]);
    let events = place::merged(lists.map(Vec::as_slice).collect());
    let explained_trace = Trace::new(events, trace.names.clone());
    let chronicle = Chronicle::new(&explained_trace, threads);
    let explained = waits.into_iter().map(|wait| match wait {
        Ok(wait) => explain_wait(&chronicle, &wait),
        Err(wake_up) => wake_up,
    });
    Explained {
        wake_ups: explained.collect(),
        ended_by_threads,
        off_grid,
        trace: explained_trace,
    }
}

impl TimedWait {
    /// The wait, and the events of the timer that must have ended it; or why there is none.
    fn with_deadline(
        &self,
        thread: ThreadId,
        grid: Option<&Grid>,
        timer: TimerId,
        events: &mut Vec<Placed>,
    ) -> Result<Wait, WakeUp> {
        let (Some(began), Some(ready), Some(woke)) = (self.began, self.ready, self.woke) else {
            return Err(self.unexplained(thread));
        };
        let expiry = instant(ready.expiry.at);
        let deadline = grid.and_then(|grid| grid.first_after(instant(began.at)));
        let deadline = deadline.filter(|&deadline| deadline <= expiry);
        let deadline = deadline.unwrap_or(expiry);
        let armed = Kind::TimerArmed {
            timer,
            earliest: deadline,
            latest: expiry,
        };
        let expired = [
            Kind::expired(timer),
            Kind::Waking { thread },
            Kind::TimerHandled { timer },
        ];
        let mut add = |place: Place, kind| {
            events.push(Placed {
                place,
                processor: ready.processor,
                kind,
            });
        };
        add(began.then(1), armed);
        for (rank, kind) in (1..).zip(expired) {
            add(ready.expiry.then(rank), kind);
        }
        Ok(Wait {
            thread,
            began: instant(began.at),
            deadline,
            woke: instant(woke),
        })
    }

    fn unexplained(&self, thread: ThreadId) -> WakeUp {
        let at = [
            self.ready.map(|ready| ready.expiry.at),
            self.began.map(|began| began.at),
            self.woke,
        ];
        let at = instant(at.into_iter().flatten().next().unwrap_or(0));
        let reason = match self.ready {
            None => Reason::NoReady,
            Some(_) => Reason::OutsideTrace,
        };
        let wait = Wait {
            thread,
            began: at,
            deadline: at,
            woke: self.woke.map_or(at, instant),
        };
        unexplained(wait, reason)
    }
}
