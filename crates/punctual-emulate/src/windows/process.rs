//! A process of the program, as Windows knows it: its runtime, and what that holds.

use super::Assignment;
use super::runtime::{self, Asks, Repeating};
use super::wait::Wait;
use crate::call::{Call, Family};
use crate::machine::{Machine, Setting};
use crate::timer_policy::{Over, ThreadId};
use punctual_windows::personas::{Event, Persona, State};
use std::sync::Arc;
use std::time::Duration;

const MILLISECOND_NS: u128 = 1_000_000;
const UNIT_NS: u64 = 100;

/// A process.
#[derive(Debug)]
pub(super) struct Process {
    /// The machine's number of it.
    pub(super) number: u32,
    pub(super) name: String,
    pub(super) assignment: Assignment,
    states: Vec<Kept>,
}

/// The state of one of a process's waiters. A persona is one thread of a runtime; a process has as many
/// as wait at the same time, and one at least that holds what the runtime holds for its whole life.
#[derive(Debug)]
struct Kept {
    persona: Arc<Persona>,
    state: State,
    thread: Option<ThreadId>,
    waits: bool,
    repeating: Option<Repeating>,
}

impl Process {
    pub(super) fn new(number: u32, name: String, assignment: Assignment) -> Self {
        Self {
            number,
            name,
            assignment,
            states: Vec::new(),
        }
    }

    /// Its runtimes start.
    pub(super) fn start(&mut self, machine: &mut Machine) {
        for persona in self.assignment.personas() {
            self.add(machine, persona);
        }
    }

    fn add(&mut self, machine: &mut Machine, persona: Arc<Persona>) -> usize {
        let mut state = persona.state();
        runtime::tell(machine, self.number, &persona, &mut state, Event::Start);
        self.states.push(Kept {
            persona,
            state,
            thread: None,
            waits: false,
            repeating: None,
        });
        self.states.len() - 1
    }

    /// The state for a thread's next wait: its last one if it is free, or another that is.
    fn take_state(
        &mut self,
        machine: &mut Machine,
        persona: &Arc<Persona>,
        thread: ThreadId,
    ) -> usize {
        let is_free = |kept: &Kept| !kept.waits && kept.persona.id == persona.id;
        let own = |kept: &Kept| is_free(kept) && kept.thread == Some(thread);
        let found = self.states.iter().position(own);
        let found = found.or_else(|| self.states.iter().position(is_free));
        let place = found.unwrap_or_else(|| self.add(machine, Arc::clone(persona)));
        self.states[place].thread = Some(thread);
        self.states[place].waits = true;
        place
    }

    /// Begins a wait: sets what ends it.
    pub(super) fn begin(&mut self, machine: &mut Machine, mut wait: Wait) -> Wait {
        let asked = wait.asked;
        let persona = self.assignment.persona(asked.call).map(Arc::clone);
        let Some(persona) = persona else {
            self.begin_plain(machine, &mut wait);
            return wait;
        };
        let place = self.take_state(machine, &persona, wait.thread);
        wait.state = Some(place);
        self.tell(machine, &mut wait, Event::Begin(asked.length));
        wait
    }

    /// Without a persona: what the call's family stands for.
    fn begin_plain(&self, machine: &mut Machine, wait: &mut Wait) {
        let asked = wait.asked;
        let setting = match asked.call.family() {
            Family::Sleep | Family::Wait => Setting::After(whole_milliseconds(asked.length)),
            Family::Timer => Setting::After(whole_units(asked.length)),
        };
        if let (Some(period), Setting::After(first)) = (asked.period, setting) {
            wait.repeat(machine, first, whole_milliseconds(period));
        }
        wait.set(machine, self.number, &[setting]);
    }

    /// Tells the runtime of an event, and sets what it asks for. Returns whether it waits.
    fn tell(&mut self, machine: &mut Machine, wait: &mut Wait, event: Event) -> bool {
        let Some(kept) = wait.state.and_then(|place| self.states.get_mut(place)) else {
            return false;
        };
        match runtime::tell(machine, self.number, &kept.persona, &mut kept.state, event) {
            Asks::Nothing => {
                wait.cancel(machine);
                false
            }
            Asks::Waits(settings) => {
                wait.set(machine, self.number, &settings);
                true
            }
            Asks::Fires(timer) => {
                let setting = Repeating::next(&mut kept.repeating, machine, self.number, timer);
                wait.set(machine, self.number, &[setting]);
                true
            }
        }
    }

    /// What ended a wait has come. Returns whether it goes on, because the runtime waits on.
    pub(super) fn over(&mut self, machine: &mut Machine, wait: &mut Wait, over: Over) -> bool {
        let timed_out = over == Over::TimedOut;
        let waits = !wait.is_held_up && self.tell(machine, wait, Event::Woken { timed_out });
        if waits && timed_out {
            return true;
        }
        if timed_out && self.holds_up(machine, wait) {
            wait.is_held_up = true;
            wait.set(machine, self.number, &[Setting::Exact(wait.asked_end)]);
            return true;
        }
        if let Some(kept) = wait.state.and_then(|place| self.states.get_mut(place)) {
            kept.waits = false;
        }
        false
    }

    /// Whether a wait lasts beyond what the runtime's clock of Windows says: a runtime that looks at a clock
    /// looks at this machine's, too, and would wait again for the rest.
    fn holds_up(&self, machine: &Machine, wait: &Wait) -> bool {
        let kept = wait.state.and_then(|place| self.states.get(place));
        let looks = kept.is_some_and(|kept| runtime::looks_at_a_clock(&kept.persona));
        looks && machine.now() < wait.asked_end
    }

    /// Whether anything follows the end of a wait that is now expected.
    pub(super) fn goes_on(&self, wait: &Wait, machine: &Machine) -> bool {
        let Some(kept) = wait.state.and_then(|place| self.states.get(place)) else {
            return false;
        };
        let end = wait.end(machine).unwrap_or(machine.now());
        let early = runtime::looks_at_a_clock(&kept.persona) && end < wait.asked_end;
        early || runtime::does_more(&kept.persona, &kept.state, end)
    }

    /// The rule of a wait, in words.
    pub(super) fn rule(&self, wait: &Wait) -> &'static str {
        match wait.state.and_then(|place| self.states.get(place)) {
            Some(kept) => kept.persona.id,
            None => plain_rule(wait.asked.call),
        }
    }
}

/// What a call without a persona stands for.
fn plain_rule(call: Call) -> &'static str {
    match call.family() {
        Family::Sleep => "Sleep, ms up",
        Family::Wait => "wait, ms up",
        Family::Timer => "waitable timer",
    }
}

/// A length as an ordinary wait takes it. Windows' longest is a little shorter than 2^32 ms.
fn whole_milliseconds(length: Duration) -> Duration {
    let milliseconds = length.as_nanos().div_ceil(MILLISECOND_NS);
    let most = u32::MAX - 1;
    Duration::from_millis(u32::try_from(milliseconds).unwrap_or(most).min(most).into())
}

/// A length as a waitable timer takes it.
fn whole_units(length: Duration) -> Duration {
    let nanos = u64::try_from(length.as_nanos()).unwrap_or(u64::MAX - UNIT_NS);
    Duration::from_nanos(nanos.next_multiple_of(UNIT_NS))
}
