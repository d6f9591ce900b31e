//! The machine of a session: one timer interrupt for all processes of the program, and what will go off.
//!
//! Its time is its own: nanoseconds since it started, as on a simulated machine. It holds alarms and
//! moves only when it is told what time it is. An end that it has told may change, because a request
//! began or ended meanwhile, or because others' alarms did: [`Machine::end_of`] always says the present
//! truth.

mod forecast;
mod one_shots;

use forecast::Forecast;
use one_shots::OneShot;
use punctual::Instant;
use punctual_windows::choices::{HighResolution, HighResolutionEnd, HighResolutionTicks};
use punctual_windows::expiry::{message_due_time, message_timer, tolerance, tolerated_ticks};
use punctual_windows::{
    Class, HighResolutionTimer, MachineParameters, Requester, TimerInterrupt, Version, WaitKind,
};
use std::collections::BTreeMap;
use std::time::Duration;

/// Something that will go off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Alarm(u64);

/// When something is to go off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// A wait with a timeout, or an ordinary timer, this long from now.
    After(Duration),
    /// The same, but it may be late by so much to share a wake-up.
    Tolerant(Duration, Duration),
    /// A timer of a timer queue or of the thread pool.
    Queue(Duration),
    /// The next firing of one, at a time of the machine.
    QueueAt(Instant),
    /// The next firing of an ordinary periodic timer.
    At(Instant),
    /// A message timer.
    Message(Duration),
    /// A high-resolution timer.
    HighResolution(Duration),
    /// At an instant, by no timer: what a runtime spins until.
    Exact(Instant),
}

/// The two classes, in the order of [`Machine`]'s queues.
const CLASSES: [Class; 2] = [Class::Requesting, Class::Other];

/// A Windows machine that ends the waits of real programs.
#[derive(Debug, Clone)]
pub struct Machine {
    timer: TimerInterrupt,
    has_precise_time: bool,
    seed: u64,
    now: Instant,
    set_ever: u64,
    queues: [Queue; CLASSES.len()],
    one_shots: BTreeMap<u64, OneShot>,
    /// Those that have gone off, or whose end is fixed.
    ended: BTreeMap<u64, Instant>,
    forecast: Forecast,
    /// Whether any end that was told may have changed.
    is_changed: bool,
}

impl Machine {
    /// A machine that ticks from its zero on.
    pub fn new(version: Version, parameters: MachineParameters, seed: u64) -> Self {
        Self {
            timer: TimerInterrupt::new(version.rules, parameters, Instant::ZERO),
            // `GetSystemTimePreciseAsFileTime` is documented from Windows 8 on.
            has_precise_time: !["windows-xp", "windows-7"].contains(&version.name),
            seed,
            now: Instant::ZERO,
            set_ever: 0,
            queues: [Queue::default(), Queue::default()],
            one_shots: BTreeMap::new(),
            ended: BTreeMap::new(),
            forecast: Forecast::default(),
            is_changed: false,
        }
    }

    /// Its clock, requests and classes.
    pub fn timer(&self) -> &TimerInterrupt {
        &self.timer
    }

    /// The time that it was last told, which never goes back.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Whether it has a system time that is exact between ticks.
    pub fn has_precise_time(&self) -> bool {
        self.has_precise_time
    }

    /// Whether it has high-resolution timers.
    pub fn has_high_resolution(&self) -> bool {
        self.timer.rules().high_resolution == HighResolution::Present
    }

    /// It is this late now: what was to go off meanwhile has.
    pub fn advance(&mut self, now: Instant) {
        if now < self.now {
            return;
        }
        self.now = now;
        let Self {
            timer,
            queues,
            one_shots,
            ended,
            ..
        } = self;
        let before = *timer.clock();
        forecast::happen(timer, queues, one_shots, now, |id, at| {
            ended.insert(id, at);
        });
        self.is_changed |= before != *self.timer.clock();
    }

    /// Sets an alarm of a process.
    pub fn set(&mut self, process: u32, setting: Setting) -> Alarm {
        self.set_ever += 1;
        let id = self.set_ever;
        let last_tick = self.timer.clock().last_tick(self.now);
        let due = |wait| self.timer.due_time(self.now, wait);
        let one = |due| (due, due);
        let (kind, within) = match setting {
            Setting::After(wait) => (WaitKind::Ordinary, one(due(wait))),
            Setting::At(at) => (WaitKind::Ordinary, one(at)),
            Setting::Queue(wait) => (WaitKind::TimerQueue, one(due(wait))),
            Setting::QueueAt(at) => (WaitKind::TimerQueue, one(at)),
            Setting::Message(wait) => {
                let due = message_due_time(self.timer.clock(), self.now, message_timer(wait));
                (WaitKind::Ordinary, one(due))
            }
            Setting::Tolerant(wait, delay) => {
                let delay = tolerance(self.timer.rules(), delay);
                let due = due(wait);
                let within = match delay {
                    Duration::ZERO => (due, due),
                    delay => tolerated_ticks(self.timer.clock(), due, delay),
                };
                (WaitKind::Ordinary, within)
            }
            Setting::Exact(at) => {
                self.ended.insert(id, at);
                return Alarm(id);
            }
            Setting::HighResolution(wait) => {
                self.set_high_resolution(process, id, wait);
                return Alarm(id);
            }
        };
        self.enqueue(process, id, kind, within, last_tick);
        Alarm(id)
    }

    fn enqueue(
        &mut self,
        process: u32,
        id: u64,
        kind: WaitKind,
        (earliest, latest): (Instant, Instant),
        last_tick: Instant,
    ) {
        if earliest <= last_tick {
            // It is over already: Windows counts from the last tick.
            self.ended.insert(id, self.now);
            return;
        }
        let class = self.timer.class(process, kind);
        self.queues[class as usize].add(id, earliest, latest);
        self.look_ahead();
    }

    fn set_high_resolution(&mut self, process: u32, id: u64, wait: Duration) {
        let rules = *self.timer.rules();
        let last_tick = self.timer.clock().last_tick(self.now);
        if rules.hr_end != HighResolutionEnd::Interrupts {
            let due = self.timer.due_time(self.now, wait);
            self.enqueue(process, id, WaitKind::Ordinary, (due, due), last_tick);
            return;
        }
        let due = HighResolutionTimer::due_time(&rules, last_tick, self.now, wait);
        if due <= self.now {
            self.ended.insert(id, self.now);
            return;
        }
        let timer = HighResolutionTimer::new(due, None);
        let one_shot = OneShot::new(timer, &self.timer, self.now, self.seed, id);
        self.one_shots.insert(id, one_shot);
        self.look_ahead();
    }

    /// Forgets an alarm, whether or not it has gone off.
    pub fn cancel(&mut self, alarm: Alarm) {
        let Alarm(id) = alarm;
        if self.ended.remove(&id).is_some() {
            return;
        }
        let was_one_shot = self.one_shots.remove(&id).is_some();
        for queue in &mut self.queues {
            queue.remove(id);
        }
        let restarts = self.timer.rules().hr_ticks == HighResolutionTicks::Restarted;
        if (was_one_shot && restarts) || !self.queues[Class::Other as usize].is_empty() {
            self.look_ahead();
        }
    }

    /// When an alarm goes off, or went off, as it is known now.
    pub fn end_of(&self, alarm: Alarm) -> Option<Instant> {
        let Alarm(id) = alarm;
        let known = self.ended.get(&id).copied();
        known.or_else(|| {
            self.forecast
                .end_of(id, &self.queues, &self.one_shots, &self.timer)
        })
    }

    /// Adds a request.
    pub fn begin_request(&mut self, requester: Requester, interval: Duration) {
        self.change(|timer, now| timer.begin_request(now, requester, interval));
    }

    /// Ends one.
    pub fn end_request(&mut self, requester: Requester, interval: Duration) {
        self.change(|timer, now| {
            timer.end_request(now, requester, interval);
        });
    }

    /// A process has ended, with its requests.
    pub fn exit(&mut self, process: u32) {
        self.change(|timer, now| timer.exit(now, Requester::Process(process)));
    }

    /// Hides a process, or says what it has told Windows.
    pub fn set_standing(&mut self, process: u32, standing: punctual_windows::Standing) {
        self.change(|timer, now| {
            timer.set_hidden(now, process, standing.hidden);
            timer.set_throttling(now, process, standing.throttling);
        });
    }

    /// Whether ends that were told may have changed since this was last asked.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.is_changed)
    }

    /// Changes requests. Only if other ticks come, or others expire at other ticks, any end has changed: a
    /// thousand threads may each request what is in force already.
    fn change(&mut self, change: impl FnOnce(&mut TimerInterrupt, Instant)) {
        let before = *self.timer.clock();
        change(&mut self.timer, self.now);
        self.is_changed |= before != *self.timer.clock();
        self.look_ahead();
    }

    fn look_ahead(&mut self) {
        let new = Forecast::of(&self.timer, &self.queues, &self.one_shots);
        self.is_changed |= !self.forecast.agrees_with(&new, self.now);
        self.forecast = new;
    }
}

/// Alarms that end at ticks.
#[derive(Debug, Clone, Default)]
struct Queue {
    /// By the time at which they must go off, and their number: since when they may.
    by_latest: BTreeMap<(Instant, u64), Instant>,
    /// By number: since when they may go off, and when they must.
    within: BTreeMap<u64, (Instant, Instant)>,
    /// How many may go off before they must.
    tolerant: usize,
}

impl Queue {
    fn is_empty(&self) -> bool {
        self.within.is_empty()
    }

    fn add(&mut self, id: u64, earliest: Instant, latest: Instant) {
        self.by_latest.insert((latest, id), earliest);
        self.within.insert(id, (earliest, latest));
        self.tolerant += usize::from(earliest < latest);
    }

    fn remove(&mut self, id: u64) {
        if let Some((earliest, latest)) = self.within.remove(&id) {
            self.by_latest.remove(&(latest, id));
            self.tolerant -= usize::from(earliest < latest);
        }
    }

    fn has_tolerant(&self) -> bool {
        self.tolerant > 0
    }

    /// Since when an alarm may go off, and when it must.
    fn within(&self, id: u64) -> Option<(Instant, Instant)> {
        self.within.get(&id).copied()
    }

    /// When the first alarm must go off of those that are not due by this tick.
    fn first_after(&self, tick: Option<Instant>) -> Option<Instant> {
        let Some(tick) = tick else {
            return self.by_latest.keys().next().map(|(latest, _)| *latest);
        };
        // What must go off after the tick may be due before it, but only if it is tolerant.
        let mut later = self.by_latest.range((tick, u64::MAX)..);
        later
            .find(|(_, earliest)| **earliest > tick)
            .map(|((latest, _), _)| *latest)
    }

    /// Takes out those that are due by this tick.
    fn take_due(&mut self, tick: Instant, mut taken: impl FnMut(u64)) {
        if self.tolerant > 0 {
            let due = self.within.iter().filter(|(_, (may, _))| *may <= tick);
            let due: Vec<u64> = due.map(|(id, _)| *id).collect();
            for id in due {
                self.remove(id);
                taken(id);
            }
            return;
        }
        while let Some(entry) = self.by_latest.first_entry()
            && entry.key().0 <= tick
        {
            let ((_, id), _) = entry.remove_entry();
            self.within.remove(&id);
            taken(id);
        }
    }
}

#[cfg(test)]
mod tests;
