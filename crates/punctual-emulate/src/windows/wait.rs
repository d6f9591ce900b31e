//! A wait of a program, and the alarms that stand for it on the machine.

use crate::call::Asked;
use crate::machine::{Alarm, Machine, Setting};
use crate::timer_policy::{ProcessId, ThreadId};
use punctual::Instant;
use punctual_windows::choices::Rearm;
use punctual_windows::{Periodic, TimerInterrupt, WaitKind};
use std::time::Duration;

/// What `SetWaitableTimer` takes at least.
const SHORTEST_PERIOD: Duration = Duration::from_millis(1);
/// Firings after which ticks that come unevenly are even in the mean.
const FIRINGS: u32 = 64;

/// A wait that goes on, or a timer that is set.
#[derive(Debug)]
pub(super) struct Wait {
    pub(super) process: ProcessId,
    pub(super) thread: ThreadId,
    pub(super) asked: Asked,
    /// When it began, on the program's clock.
    pub(super) began: Instant,
    /// When it was to end as the program asked, on the machine's.
    pub(super) asked_end: Instant,
    /// The end that was told last, on the program's.
    pub(super) told: Instant,
    /// Whichever goes off first ends it.
    alarms: Vec<Alarm>,
    /// Of a timer that repeats: its schedule.
    periodic: Option<Periodic>,
    /// The place of the runtime's state in its process, if a persona says how it waits.
    pub(super) state: Option<usize>,
    /// Whether it ended by the persona, and lasts until the program's own clock agrees.
    pub(super) is_held_up: bool,
}

impl Wait {
    pub(super) fn new(
        began: Instant,
        process: ProcessId,
        thread: ThreadId,
        asked: Asked,
        asked_end: Instant,
    ) -> Self {
        Self {
            process,
            thread,
            asked,
            began,
            asked_end,
            told: began,
            alarms: Vec::new(),
            periodic: None,
            state: None,
            is_held_up: false,
        }
    }

    pub(super) fn set(&mut self, machine: &mut Machine, process: u32, settings: &[Setting]) {
        self.cancel(machine);
        let alarms = settings
            .iter()
            .map(|setting| machine.set(process, *setting));
        self.alarms = alarms.collect();
    }

    pub(super) fn cancel(&mut self, machine: &mut Machine) {
        for alarm in self.alarms.drain(..) {
            machine.cancel(alarm);
        }
    }

    /// When it ends, on the machine's clock; nothing if it ends at once.
    pub(super) fn end(&self, machine: &Machine) -> Option<Instant> {
        let ends = self
            .alarms
            .iter()
            .filter_map(|alarm| machine.end_of(*alarm));
        ends.min()
    }

    /// Starts a timer's schedule with its first firing.
    pub(super) fn repeat(&mut self, machine: &Machine, first: Duration, period: Duration) {
        let timer = machine.timer();
        let due = timer.due_time(machine.now(), first);
        let kind = WaitKind::Ordinary;
        self.periodic = Some(Periodic::new(timer.rules(), kind, due, period));
    }

    /// How far apart its firings are on the whole, if requests stay as they are.
    pub(super) fn mean_period(&self, machine: &Machine, process: u32) -> Option<Duration> {
        let asked = self.periodic?.period();
        let timer = machine.timer();
        Some(match timer.rules().rearm {
            Rearm::FromTick => spacing(timer, machine.now(), process, asked),
            // None is lost in the long run, but those of one tick are one to a program that waits.
            Rearm::Schedule => asked.max(spacing(timer, machine.now(), process, SHORTEST_PERIOD)),
        })
    }

    /// The machine's present time is one of its firings: the next is set.
    pub(super) fn fire_again(&mut self, machine: &mut Machine, process: u32) {
        let Some(mut periodic) = self.periodic else {
            return;
        };
        periodic.fire(self.end(machine).unwrap_or(machine.now()));
        self.periodic = Some(periodic);
        self.set(machine, process, &[Setting::At(periodic.due())]);
    }
}

/// The mean time between a periodic timer's firings, of which a tick has one.
fn spacing(timer: &TimerInterrupt, now: Instant, process: u32, period: Duration) -> Duration {
    let mut periodic = Periodic::new(timer.rules(), WaitKind::Ordinary, now, period);
    let mut timer = timer.clone();
    let class = timer.class(process, WaitKind::Ordinary);
    let mut fire = |periodic: &mut Periodic| {
        let tick = timer.next_expiry(class, periodic.due());
        timer.expire(class, tick);
        periodic.fire(tick);
        tick
    };
    let first = fire(&mut periodic);
    let last = (0..FIRINGS).map(|_| fire(&mut periodic)).last();
    last.map_or(period, |last| last.duration_since(first) / FIRINGS)
}
