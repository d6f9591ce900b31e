//! What the threads of a running program share, and the steps of a thread.

use super::log::{Log, What};
use super::program::{Actor, Aim, CANCELS, EndedBy, Every, Step};
use punctual::Window;
use punctual::driver::{Handle, Timer};
use punctual::os::Spin;
use punctual::{
    Cancel, Instant, Margin, Notify, Os, Period, Schedule, Sleeper, Ticker, Timers, Wake,
};
use punctual_sim::faults::Faulty;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The handle of a timer, once it was inserted.
pub type Place<O> = Option<Timer<Faulty<O>>>;

#[derive(Clone)]
pub struct World<O: Os> {
    pub os: Faulty<O>,
    pub timers: Handle<Faulty<O>>,
    pub log: Log,
    pub handles: Arc<Mutex<Vec<Place<O>>>>,
    /// By when each timer that waits should have been called.
    pub waiting: Arc<Mutex<HashMap<usize, Instant>>>,
    cancels: Arc<Vec<Cancel<Faulty<O>>>>,
    notifies: Arc<Vec<Notify<Faulty<O>>>>,
    waits: Arc<AtomicUsize>,
}

impl Every {
    pub fn period(self) -> Period {
        Period::try_from_nanos_fraction(self.nanos, self.per).unwrap()
    }

    pub fn from(self, start: Instant) -> Schedule {
        Schedule::new(start, self.period()).with_missed_ticks(self.policy)
    }
}

pub fn sleeper<O: Os>(os: &Faulty<O>, aim: Aim, yields: bool) -> Sleeper<Faulty<O>> {
    let sleeper = Sleeper::on(os.clone());
    let spin = if yields { Spin::Yield } else { Spin::Pause };
    let sleeper = sleeper.with_spin(spin);
    match aim {
        Aim::Usual => sleeper,
        Aim::Coarse => sleeper.coarse(),
        Aim::Exact => sleeper.exact(),
        Aim::Fixed(nanos) => sleeper.with_margin(Margin::fixed(Duration::from_nanos(nanos))),
    }
}

impl<O: Os> World<O> {
    pub fn new(os: Faulty<O>, timers: Handle<Faulty<O>>, log: Log, actors: usize) -> Self {
        Self {
            timers,
            log,
            handles: Arc::default(),
            waiting: Arc::default(),
            cancels: Arc::new((0..CANCELS).map(|_| Cancel::on(os.clone())).collect()),
            notifies: Arc::new((0..actors).map(|_| Notify::on(os.clone())).collect()),
            waits: Arc::default(),
            os,
        }
    }

    pub fn next_wait(&self) -> usize {
        self.waits.fetch_add(1, Ordering::Relaxed)
    }

    /// A window from so long after now on.
    pub fn window(&self, after: u64, width: u64) -> (Window, Instant) {
        let now = self.os.now();
        let deadline = now + Duration::from_nanos(after);
        (
            Window::tolerating(deadline, Duration::from_nanos(width)),
            now,
        )
    }

    /// The whole life of a thread.
    pub fn act(&self, number: usize, actor: &Actor) {
        let mut sleeper = sleeper(&self.os, actor.aim, actor.yields);
        for step in &actor.steps {
            match step {
                Step::Sleep {
                    after,
                    width,
                    ended_by,
                } => {
                    self.sleep(&mut sleeper, number, (*after, *width), *ended_by);
                }
                Step::Ticker {
                    every,
                    count,
                    work,
                    cancel,
                } => {
                    sleeper = self.tick(sleeper, *every, (*count, *work), *cancel);
                }
                Step::Queue { windows, cancelled } => self.queue(&mut sleeper, windows, *cancelled),
                Step::Await(what) => self.wait_for(*what),
                step => self.step(step),
            }
        }
    }

    pub fn work(&self, nanos: u64) {
        let until = self.os.now() + Duration::from_nanos(nanos);
        self.os.spin_until(until, Spin::Pause);
    }

    /// Steps that threads and callbacks take.
    pub fn step(&self, step: &Step) {
        match step {
            Step::Work(nanos) => self.work(*nanos),
            Step::Sleep { after, .. } => {
                let mut sleeper = sleeper(&self.os, Aim::Coarse, false);
                self.sleep(&mut sleeper, usize::MAX, (*after, 0), EndedBy::Nothing);
            }
            Step::Cancel(cancel) => {
                let (ring, cancel) = (self.next_wait(), *cancel);
                self.log.note(What::RingCancel { ring, cancel });
                self.cancels[cancel].cancel();
                let at = self.os.now();
                self.log.note(What::RungCancel { ring, cancel, at });
            }
            Step::Reset(cancel) => {
                self.log.note(What::ResetCancel { cancel: *cancel });
                self.cancels[*cancel].reset();
                self.log.note(What::WasReset { cancel: *cancel });
            }
            Step::Notify(actor) => {
                let (ring, actor) = (self.next_wait(), *actor);
                self.log.note(What::RingNotify { ring, actor });
                self.notifies[actor].notify();
                let at = self.os.now();
                self.log.note(What::RungNotify { ring, actor, at });
            }
            Step::ShutDown => self.shut_down(),
            Step::Panic => std::panic::resume_unwind(Box::new("on purpose")),
            step => self.timer_step(step),
        }
    }

    pub fn shut_down(&self) {
        let at = self.os.now();
        self.log.note(What::ShutDown { at });
        self.timers.shut_down();
        self.log.note(What::IsShutDown);
    }

    fn sleep(
        &self,
        sleeper: &mut Sleeper<Faulty<O>>,
        actor: usize,
        (after, width): (u64, u64),
        ended_by: EndedBy,
    ) {
        let (wait, (window, at)) = (self.next_wait(), self.window(after, width));
        self.log.note(What::Sleep {
            wait,
            actor,
            window,
            ended_by,
            at,
        });
        let calls = self.os.calls();
        let end = match ended_by {
            EndedBy::Nothing => Some(sleeper.sleep_within(window)),
            EndedBy::Cancel(cancel) => {
                let cancel = &self.cancels[cancel];
                sleeper.sleep_until_unless(window.earliest(), cancel).ok()
            }
            EndedBy::Notify => {
                let notify = &self.notifies[actor];
                sleeper
                    .sleep_until_or_notified(window.earliest(), notify)
                    .ok()
            }
        };
        let calls = self.os.calls().since(calls);
        let began = end.map_or(at, |wake: Wake| wake.woke - wake.spun - wake.slept);
        let margin = sleeper.margin().before(window.latest() - began);
        let at = self.os.now();
        self.log.note(What::Slept {
            margin,
            wait,
            end,
            calls,
            at,
        });
    }

    fn tick(
        &self,
        sleeper: Sleeper<Faulty<O>>,
        every: Every,
        (count, work): (u64, u64),
        cancel: Option<usize>,
    ) -> Sleeper<Faulty<O>> {
        let (wait, at) = (self.next_wait(), self.os.now());
        self.log.note(What::Ticker {
            wait,
            every,
            start: None,
            cancel,
            at,
        });
        let mut ticker = Ticker::with_sleeper(sleeper, every.period());
        ticker = ticker.with_missed_ticks(every.policy);
        if let Some(cancel) = cancel {
            ticker = ticker.cancelled_by(self.cancels[cancel].clone());
        }
        for _ in 0..count {
            let calls = self.os.calls();
            let tick = ticker.tick().ok();
            let calls = self.os.calls().since(calls);
            let at = self.os.now();
            self.log.note(What::TickOf {
                wait,
                tick,
                calls,
                at,
            });
            if tick.is_none() {
                break;
            }
            self.work(work);
        }
        ticker.into_sleeper()
    }

    /// A queue of the thread's own: a loop of an event loop's kind.
    fn queue(&self, sleeper: &mut Sleeper<Faulty<O>>, windows: &[(u64, u64)], cancelled: usize) {
        let mut timers = Timers::new();
        let keys: Vec<_> = windows
            .iter()
            .map(|(after, width)| timers.insert(self.window(*after, *width).0, ()))
            .collect();
        for key in &keys[..cancelled] {
            assert!(timers.cancel(*key).is_some());
        }
        let mut left = keys.len() - cancelled;
        while let Some(window) = timers.next_shared_window() {
            let mut now = sleeper.sleep_within(window).woke;
            while let Some(popped) = timers.pop_due(now) {
                self.log.note(What::Popped {
                    window: popped.window,
                    at: now,
                });
                left = left.wrapping_sub(1);
                now = self.os.now();
            }
        }
        self.log.note(What::Left { timers: left });
    }
}
