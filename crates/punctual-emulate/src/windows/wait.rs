//! A wait of a program, and the alarms that stand for it on the machine.

use crate::call::Asked;
use crate::machine::{Alarm, Machine, Setting};
use crate::ruler::{ProcessId, ThreadId};
use punctual::Instant;
use punctual_sim::windows::{Periodic, WaitKind};
use std::time::Duration;

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
