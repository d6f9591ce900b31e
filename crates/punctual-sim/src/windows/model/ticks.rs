//! Ticks: the next that has something to do, and those around the present.
//!
//! Ticks at which nothing can happen make no event: only the next one that ends something is
//! scheduled, and it is looked for again whenever requests or waits change. A tick is an interrupt
//! on processor 0 (grcc-cpu0).

use super::{CLOCK_PROCESSOR, Event, Expired, WindowsKernel, WindowsModel};
use crate::What;
use crate::engine::EventId;
use punctual::Instant;
use punctual_windows::{Class, Clock};

const CLASSES: [Class; 2] = [Class::Requesting, Class::Other];

/// What has been looked up about a machine's ticks, and holds until something changes.
#[derive(Debug, Default)]
pub(super) struct Ticks {
    /// By class: the tick that ends the wait which is due first.
    expiries: [Option<Instant>; CLASSES.len()],
    /// The next tick that has something to do.
    next: Option<(Instant, EventId)>,
    around: Around,
}

/// The last tick and the next, which are the same from one to the other: a change of the interval
/// takes effect at the next tick, and does not move that.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Around {
    pub(super) last: Instant,
    pub(super) next: Instant,
}

impl Around {
    fn of(clock: &Clock, now: Instant) -> Self {
        Self {
            last: clock.last_tick(now),
            next: clock.tick_after(now),
        }
    }
}

impl WindowsModel {
    /// The ticks around the present.
    #[inline]
    pub(super) fn ticks_around(&mut self, now: Instant) -> Around {
        let around = self.ticks.around;
        if around.last <= now && now < around.next {
            return around;
        }
        self.ticks.around = Around::of(self.timer.clock(), now);
        self.ticks.around
    }

    /// The ticks have been restarted: those that were to come do not.
    pub(super) fn forget_ticks(&mut self) {
        self.ticks.around = Around::default();
    }

    /// Requests have changed: another tick may be the next with something to do.
    pub(crate) fn schedule_tick(&mut self, kernel: &mut WindowsKernel) {
        for class in CLASSES {
            self.ticks.expiries[class as usize] = self.expiry_of(class);
        }
        self.schedule_next_tick(kernel);
    }

    /// The same, if only the alarms of one class have changed.
    pub(super) fn schedule_tick_of(&mut self, kernel: &mut WindowsKernel, class: Class) {
        self.ticks.expiries[class as usize] = self.expiry_of(class);
        self.schedule_next_tick(kernel);
    }

    fn schedule_next_tick(&mut self, kernel: &mut WindowsKernel) {
        let next = self.ticks.expiries.into_iter().flatten().min();
        if self.ticks.next.map(|(at, _)| at) == next {
            return;
        }
        if let Some((_, event)) = self.ticks.next.take() {
            kernel.cancel(event);
        }
        if let Some(at) = next {
            let length = self.costs.interrupt;
            let event = kernel.interrupt(at, CLOCK_PROCESSOR, length, Event::Tick(at));
            self.ticks.next = Some((at, event));
        }
    }

    fn expiry_of(&self, class: Class) -> Option<Instant> {
        let due = self.alarms.first_due(class)?;
        Some(self.timer.next_expiry(class, due))
    }

    /// A tick has come that ends something.
    pub(super) fn tick(&mut self, kernel: &mut WindowsKernel, tick: Instant) {
        self.ticks.next = None;
        for class in CLASSES {
            let expiry = &mut self.ticks.expiries[class as usize];
            if expiry.is_some_and(|expiry| expiry <= tick) {
                self.timer.expire(class, tick);
                self.alarms.take_due(class, tick, |alarm, target| {
                    self.expired.push(Expired {
                        target,
                        alarm,
                        tick,
                    });
                });
                self.ticks.expiries[class as usize] = self.expiry_of(class);
            }
        }
        if !self.expired.is_empty() {
            self.note_due(kernel);
            kernel.defer(CLOCK_PROCESSOR, self.costs.dispatch, Event::Dispatch);
        }
        self.schedule_next_tick(kernel);
    }

    /// Writes to the log, if one is kept, which timers a tick has found due.
    fn note_due(&self, kernel: &mut WindowsKernel) {
        for expired in &self.expired {
            kernel.note(What::TimerDue {
                timer: expired.alarm.number(),
                tick: expired.tick,
                processor: CLOCK_PROCESSOR,
            });
        }
    }
}
