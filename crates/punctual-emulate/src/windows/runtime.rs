//! What a persona asks of the machine, done there; with the timers that a runtime starts once and that fire again and again.

use crate::machine::{Machine, Setting};
use punctual::Instant;
use punctual_windows::confidence::Call;
use punctual_windows::personas::{Ask, Clock, Clocks, Event, Persona, State, Wait};
use punctual_windows::{Periodic, Requester, WaitKind, multimedia_request};
use std::time::Duration;

const NANOS_PER_MILLISECOND: u64 = 1_000_000;

/// More than any persona asks before it waits: a bound, should one be wrong.
const MOST_ASKS: usize = 64;

/// What a runtime does after an event.
pub(super) enum Asks {
    /// It goes on.
    Nothing,
    /// It waits for the first of these.
    Waits(Vec<Setting>),
    /// It waits for the next firing of this timer, which is started unless it runs.
    Fires(Wait),
}

/// Tells a runtime of an event. What it asks for and is no wait is done at once.
pub(super) fn tell(
    machine: &mut Machine,
    process: u32,
    persona: &Persona,
    state: &mut State,
    mut event: Event,
) -> Asks {
    let has_waited = matches!(event, Event::Woken { .. });
    for _ in 0..MOST_ASKS {
        let clocks = clocks(machine, machine.now());
        event = match persona.step(state, event, &clocks) {
            Ask::Nothing => return Asks::Nothing,
            Ask::Wait(Wait::Ordinary { milliseconds: 0 } | Wait::Port { milliseconds: 0 })
                if has_waited && !is_exact(persona) =>
            {
                // It gives up its turn until its clock moves, which is at a tick.
                let tick = machine.timer().clock().tick_after(machine.now());
                return Asks::Waits(vec![Setting::Exact(tick)]);
            }
            Ask::Wait(wait @ (Wait::TimeSetEvent { .. } | Wait::Queue { .. })) => {
                return Asks::Fires(wait);
            }
            Ask::Wait(wait) => match settings(machine, wait) {
                Some(settings) => return Asks::Waits(settings),
                None => Event::Refused,
            },
            Ask::BeginPeriod(milliseconds) => {
                machine.begin_request(Requester::Process(process), millis(milliseconds));
                Event::Done
            }
            Ask::EndPeriod(milliseconds) => {
                machine.end_request(Requester::Process(process), millis(milliseconds));
                Event::Done
            }
            Ask::MakeHighResolutionTimer if machine.has_high_resolution() => Event::Done,
            Ask::MakeHighResolutionTimer => Event::Refused,
            Ask::Spin { until_ns } => {
                let left = until_ns.saturating_sub(clocks.performance_ns);
                let until = machine.now() + Duration::from_nanos(left);
                return Asks::Waits(vec![Setting::Exact(until)]);
            }
        };
    }
    Asks::Nothing
}

/// Whether a runtime looks at a clock when a wait is over, and waits again if that says so.
pub(super) fn looks_at_a_clock(persona: &Persona) -> bool {
    !persona.clocks().is_empty()
}

/// Whether a runtime does anything if its wait ends at this time, as far as can be known before. By a clock
/// that moves with the ticks it cannot.
pub(super) fn does_more(persona: &Persona, state: &State, end: Instant) -> bool {
    if !is_exact(persona) {
        return true;
    }
    let mut state = *state;
    let mut then = Clocks::default();
    then.set(Clock::Performance, end.as_nanos());
    then.set(Clock::Precise, end.as_nanos());
    let event = Event::Woken { timed_out: true };
    persona.step(&mut state, event, &then) != Ask::Nothing
}

/// Whether a runtime looks at no clock that moves with the ticks.
fn is_exact(persona: &Persona) -> bool {
    let is_exact = |clock: &Clock| matches!(clock, Clock::Performance | Clock::Precise);
    persona.clocks().iter().all(is_exact)
}

/// What ends a wait; nothing if this Windows lacks the call.
fn settings(machine: &Machine, wait: Wait) -> Option<Vec<Setting>> {
    let length = wait.length();
    let setting = match wait.call() {
        // No time at all is no wait.
        Call::Ordinary if length.is_zero() => Setting::Exact(machine.now()),
        Call::HighResolution if !machine.has_high_resolution() => return None,
        Call::HighResolution => Setting::HighResolution(length),
        Call::Pool => Setting::Queue(length),
        Call::Message => Setting::Message(length),
        _ => Setting::After(length),
    };
    Some(match wait {
        Wait::Waitable {
            tolerable_delay_ms: delay @ 1..,
            ..
        } => vec![Setting::Tolerant(length, millis(delay))],
        Wait::HighResolutionOrPort { milliseconds, .. } => {
            vec![setting, Setting::After(millis(milliseconds))]
        }
        _ => vec![setting],
    })
}

/// What Windows' clocks show at a time of the machine, which is its performance counter's.
fn clocks(machine: &Machine, now: Instant) -> Clocks {
    let timer = machine.timer();
    let last_tick = timer.clock().last_tick(now).as_nanos();
    let ticks = timer.clock().tick_count(now, timer.parameters());
    let error = timer.parameters().clock_error;
    Clocks {
        performance_ns: error.reading_after(now.as_nanos()),
        ticks_ns: ticks * NANOS_PER_MILLISECOND,
        interrupt_ns: last_tick,
        file_ns: last_tick,
        precise_ns: match machine.has_precise_time() {
            true => now.as_nanos(),
            false => last_tick,
        },
    }
}

fn millis(milliseconds: u32) -> Duration {
    Duration::from_millis(milliseconds.into())
}

/// Such a timer, which runs until its runtime asks for another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Repeating {
    wait: Wait,
    schedule: Periodic,
    /// What `timeSetEvent` requests as long as its timer runs.
    request: Option<Duration>,
}

impl Repeating {
    /// What ends a wait for the next firing. A firing that nothing waited for ends it at once.
    pub(super) fn next(
        kept: &mut Option<Self>,
        machine: &mut Machine,
        process: u32,
        wait: Wait,
    ) -> Setting {
        if kept.is_none_or(|kept| kept.wait != wait) {
            if let Some(request) = kept.take().and_then(|kept| kept.request) {
                machine.end_request(Requester::Process(process), request);
            }
            *kept = Some(Self::start(machine, process, wait));
        }
        let now = machine.now();
        let Some(timer) = kept else {
            return Setting::Exact(now);
        };
        let setting = match wait {
            Wait::Queue { .. } => Setting::QueueAt(timer.schedule.due()),
            _ => Setting::At(timer.schedule.due()),
        };
        // What is waited for now is not waited for again.
        timer.schedule.fire(timer.schedule.due());
        setting
    }

    fn start(machine: &mut Machine, process: u32, wait: Wait) -> Self {
        let (kind, request) = match wait {
            Wait::TimeSetEvent { resolution_ms, .. } => {
                let request = multimedia_request(millis(resolution_ms));
                (WaitKind::Ordinary, Some(request))
            }
            _ => (WaitKind::TimerQueue, None),
        };
        if let Some(request) = request {
            machine.begin_request(Requester::Process(process), request);
        }
        let timer = machine.timer();
        let period = wait.length().max(millis(1));
        let due = timer.due_time(machine.now(), period);
        Self {
            wait,
            schedule: Periodic::new(timer.rules(), kind, due, period),
            request,
        }
    }
}
