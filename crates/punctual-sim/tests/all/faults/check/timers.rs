//! The judge of the driver's callbacks.

use super::super::log::What;
use super::schedule::Expected;
use super::{BOUND, ShutDown, Verdict, ensure};
use punctual::Instant;
use punctual::Window;
use punctual::driver::Cancellation;

#[derive(Default)]
pub struct Timers {
    timers: Vec<Timer>,
    /// The callback that is being called.
    calling: Option<usize>,
    called: u64,
    /// Calls that began after a shutdown was complete.
    called_after_end: u64,
}

struct Timer {
    /// Of a repeating callback.
    schedule: Option<Expected>,
    /// The windows that it may have now: more than one while it is moved.
    windows: Vec<Window>,
    /// It chose its window itself, from here on.
    soon: Option<Instant>,
    /// By when it must be called next.
    due_by: Instant,
    calls: u64,
    /// When its last call ended.
    ended_at: Instant,
    is_inserted: bool,
    is_refused: bool,
    is_prevented: bool,
    /// What a cancel said that found it under way: it may be called as often as this.
    last_call: Option<u64>,
    has_ended: bool,
    drops: u64,
    /// Cancels and moves that have begun and not returned.
    cancels: u64,
    moves: u64,
}

impl Timers {
    pub fn see(&mut self, what: &What, end: &ShutDown) -> Verdict {
        match *what {
            What::Insert {
                timer,
                window,
                soon,
                repeats,
                at,
            } => {
                ensure!(timer == self.timers.len(), "timers are numbered");
                let start = window.earliest();
                self.timers.push(Timer {
                    schedule: repeats.map(|every| Expected::new(every, Some(start))),
                    soon: soon.then_some(window.earliest()),
                    windows: vec![window],
                    due_by: window.latest().max(at) + BOUND,
                    calls: 0,
                    ended_at: Instant::ZERO,
                    is_inserted: false,
                    is_refused: false,
                    is_prevented: false,
                    last_call: None,
                    has_ended: false,
                    drops: 0,
                    cancels: 0,
                    moves: 0,
                });
                Ok(())
            }
            What::Called {
                timer,
                window,
                woke,
            } => self.called(timer, window, woke, end),
            What::Ticked { timer, tick } => {
                self.call(timer, tick.woke, end)?;
                let timer = &mut self.timers[timer];
                let schedule = timer.schedule.as_mut().ok_or("it does not repeat")?;
                schedule.tick(&tick, timer.ended_at)
            }
            What::Ended { timer, goes_on, at } => {
                ensure!(self.calling == Some(timer), "it was not called");
                self.calling = None;
                self.timers[timer].end_call(goes_on, at);
                Ok(())
            }
            What::Dropped { timer } => {
                if self.calling == Some(timer) {
                    // It panicked.
                    self.calling = None;
                    self.timers[timer].has_ended = true;
                }
                let timer = &mut self.timers[timer];
                timer.drops += 1;
                ensure!(timer.drops == 1, "dropped twice");
                Ok(())
            }
            What::Inserted { timer, .. }
            | What::Cancel { timer }
            | What::Cancelled { timer, .. }
            | What::Move { timer, .. }
            | What::Moved { timer, .. }
            | What::Retune { timer, .. }
            | What::Retuned { timer, .. } => {
                let is_called = self.calling == Some(timer);
                self.timers[timer].see(what, is_called, end)
            }
            _ => Ok(()),
        }
    }

    fn called(&mut self, number: usize, window: Window, woke: Instant, end: &ShutDown) -> Verdict {
        let timer = &self.timers[number];
        let is_soon = timer.soon.is_some_and(|soon| window.earliest() >= soon);
        ensure!(
            is_soon || timer.windows.contains(&window),
            "its window was one of {:?}",
            timer.windows
        );
        ensure!(
            woke >= window.earliest(),
            "early, by {:?}",
            window.earliest() - woke
        );
        ensure!(timer.calls == 0, "called twice");
        // Heads are looked at and taken in one go: no other thread runs in between.
        let sooner = self
            .timers
            .iter()
            .position(|other| other.is_sooner_than(window));
        ensure!(
            sooner.is_none(),
            "before {sooner:?}, whose window ends sooner"
        );
        self.call(number, woke, end)
    }

    fn call(&mut self, number: usize, woke: Instant, end: &ShutDown) -> Verdict {
        ensure!(self.calling.is_none(), "while {:?} is called", self.calling);
        self.calling = Some(number);
        self.called += 1;
        self.called_after_end += u64::from(end.is_complete);
        ensure!(
            self.called_after_end <= 1,
            "called after the driver was shut down"
        );
        let timer = &mut self.timers[number];
        timer.calls += 1;
        ensure!(!timer.is_prevented, "called after it was cancelled");
        ensure!(
            !timer.is_refused && !timer.has_ended,
            "called after its end"
        );
        ensure!(
            timer.last_call.is_none_or(|last| timer.calls <= last),
            "called again after a cancel during its last call"
        );
        ensure!(
            woke <= timer.due_by,
            "it came late, by {:?}",
            woke - timer.due_by
        );
        Ok(())
    }

    /// While nothing happened to the driver: how many wait. After a call one may not be taken out yet.
    pub fn counted(&self, len: usize, before: &What) -> Verdict {
        let waits = self.timers.iter().filter(|timer| !timer.is_over());
        let expected = waits.count();
        let is_busy = self.calling.is_some() || self.timers.iter().any(Timer::is_changing);
        let is_known = !is_busy && !matches!(before, What::Ended { .. } | What::Dropped { .. });
        ensure!(
            !is_known || len == expected,
            "{expected} timers should wait"
        );
        Ok(())
    }

    /// The driver is shut down, and its thread has ended.
    pub fn over(&mut self, what: &What, end: &ShutDown) -> Verdict {
        let What::Over { counters, len, .. } = what else {
            return Ok(());
        };
        let began = end.begun.ok_or("it was never shut down")?;
        for (number, timer) in self.timers.iter().enumerate() {
            let waits = !timer.is_over();
            ensure!(!waits || timer.due_by >= began, "timer {number} was lost");
            ensure!(timer.drops == 1, "timer {number} was never dropped");
        }
        ensure!(*len == 0, "{len} timers are left after the end");
        ensure!(
            counters.fired >= self.called,
            "{} calls were counted of {}",
            counters.fired,
            self.called
        );
        Ok(())
    }
}

impl Timer {
    /// Whether it will not be called any more.
    fn is_over(&self) -> bool {
        self.is_refused || self.is_prevented || self.has_ended || self.last_call.is_some()
    }

    /// Whether a thread inserts, cancels or moves it.
    fn is_changing(&self) -> bool {
        let is_new = !self.is_inserted && !self.is_refused;
        is_new || self.cancels > 0 || self.moves > 0
    }

    /// Whether it certainly waits, and its window ends before this one.
    fn is_sooner_than(&self, window: Window) -> bool {
        let is_known = self.is_inserted && !self.is_changing();
        let once = self.schedule.is_none() && self.soon.is_none() && self.calls == 0;
        let ends = self.windows.iter().map(|window| window.latest()).min();
        is_known && once && !self.is_over() && ends < Some(window.latest())
    }

    fn end_call(&mut self, goes_on: bool, at: Instant) {
        self.ended_at = at;
        if !goes_on {
            self.has_ended = true;
        } else if let Some(schedule) = &self.schedule {
            let tolerance = self
                .windows
                .iter()
                .map(|window| window.latest() - window.earliest());
            let by = schedule.by(at) + tolerance.max().unwrap_or_default();
            self.due_by = if self.moves > 0 {
                self.due_by.max(by)
            } else {
                by
            };
        }
    }

    fn see(&mut self, what: &What, is_called: bool, end: &ShutDown) -> Verdict {
        match *what {
            What::Inserted { is_taken, .. } => {
                (self.is_inserted, self.is_refused) = (is_taken, !is_taken);
                ensure!(
                    is_taken || end.begun.is_some(),
                    "refused without a shutdown"
                );
            }
            What::Cancel { .. } => self.cancels += 1,
            What::Cancelled { result, .. } => {
                self.cancels -= 1;
                return self.cancelled(result, is_called, end);
            }
            What::Move { window, at, .. } => {
                self.moves += 1;
                self.windows.push(window);
                self.due_by = self.due_by.max(window.latest().max(at) + BOUND);
                if let Some(schedule) = &mut self.schedule {
                    schedule.move_to(window.latest());
                }
            }
            What::Moved { is_moved, at, .. } => {
                self.moves -= 1;
                let is_late = self.is_over() || self.calls > 0 || self.cancels > 0;
                ensure!(
                    is_moved || is_late || end.begun.is_some(),
                    "not moved, but it waits"
                );
                if is_moved && self.moves == 0 && self.calls == 0 {
                    let window = self.windows.pop().ok_or("it has a window")?;
                    self.windows = vec![window];
                    self.due_by = window.latest().max(at) + BOUND;
                }
                if let Some(schedule) = &mut self.schedule {
                    schedule.changed();
                    self.due_by = self.due_by.max(schedule.by(at));
                }
            }
            What::Retune { every, .. } => {
                if let Some(schedule) = &mut self.schedule {
                    self.due_by = self.due_by.max(schedule.by(self.due_by));
                    schedule.retune(every);
                    self.due_by = self.due_by.max(schedule.by(self.due_by));
                }
            }
            What::Retuned { at, .. } => {
                if let Some(schedule) = &mut self.schedule {
                    schedule.changed();
                    self.due_by = self.due_by.max(schedule.by(at));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn cancelled(&mut self, result: Cancellation, is_called: bool, end: &ShutDown) -> Verdict {
        match result {
            Cancellation::Prevented => {
                ensure!(!self.is_prevented, "prevented twice");
                ensure!(
                    self.schedule.is_some() || self.calls == 0,
                    "prevented, but it was called"
                );
                ensure!(
                    !is_called && !self.has_ended,
                    "prevented, but it was under way"
                );
                ensure!(self.drops == 1, "prevented, but it was not dropped");
                self.is_prevented = true;
            }
            Cancellation::UnderWay => {
                // The call may be about to begin, or has ended meanwhile.
                let last = self.calls + u64::from(!is_called && !self.has_ended);
                self.last_call = Some(self.last_call.map_or(last, |known| known.min(last)));
            }
            _ => {
                let is_over = self.is_over() || self.cancels > 0 || end.begun.is_some();
                ensure!(is_over, "too late to cancel, but it was not called");
            }
        }
        Ok(())
    }
}
