//! Each persona's arithmetic is its row's.

mod lengths;
mod rounds;

use super::*;
use std::collections::BTreeSet;
use std::time::Duration;

/// Clocks that stand between milliseconds, as they mostly do.
fn clocks() -> Clocks {
    Clocks {
        performance_ns: 1_000_250_000,
        ticks_ns: 1_000_000_000,
        interrupt_ns: 1_000_250_000,
        file_ns: 1_000_250_000,
        precise_ns: 1_000_250_000,
    }
}

/// All clocks moved on by so many nanoseconds, the ticks by whole steps of 15.625 ms.
fn after(nanos: u64) -> Clocks {
    let begun = clocks();
    let steps = nanos / 15_625_000 * 15_625_000;
    Clocks {
        performance_ns: begun.performance_ns + nanos,
        ticks_ns: begun.ticks_ns + steps,
        interrupt_ns: begun.interrupt_ns + nanos,
        file_ns: begun.file_ns + nanos,
        precise_ns: begun.precise_ns + nanos,
    }
}

/// A program of a persona, and what it asks, in short.
struct Asked {
    persona: Persona,
    state: State,
    has_timer: bool,
}

impl Asked {
    /// A program that has been started, on a Windows with or without high-resolution timers.
    fn started(id: &str, has_timer: bool) -> (Self, String) {
        Self::start(named(id).unwrap(), has_timer)
    }

    fn start(persona: Persona, has_timer: bool) -> (Self, String) {
        let mut asked = Self {
            state: persona.state(),
            persona,
            has_timer,
        };
        let start = asked.tell(Event::Start, &clocks());
        (asked, start)
    }

    /// What it asks up to the next wait or spin, or the end: requests as `+1` and `-1`.
    fn tell(&mut self, mut event: Event, clocks: &Clocks) -> String {
        let mut words = Vec::new();
        loop {
            let ask = self.persona.step(&mut self.state, event, clocks);
            event = match ask {
                Ask::BeginPeriod(milliseconds) => {
                    words.push(format!("+{milliseconds}"));
                    Event::Done
                }
                Ask::EndPeriod(milliseconds) => {
                    words.push(format!("-{milliseconds}"));
                    Event::Done
                }
                Ask::Wait(Wait::HighResolution { .. } | Wait::HighResolutionOrPort { .. })
                | Ask::MakeHighResolutionTimer
                    if !self.has_timer =>
                {
                    Event::Refused
                }
                Ask::MakeHighResolutionTimer => Event::Done,
                Ask::Wait(wait) => {
                    words.push(short(wait));
                    return words.join(" ");
                }
                Ask::Spin { until_ns } => {
                    let left = until_ns - clocks.performance_ns;
                    words.push(format!("spin {left}"));
                    return words.join(" ");
                }
                Ask::Nothing => {
                    words.push(".".to_owned());
                    return words.join(" ");
                }
            };
        }
    }

    fn begin(&mut self, nanos: u64) -> String {
        self.tell(Event::Begin(Duration::from_nanos(nanos)), &clocks())
    }

    /// What it asks once its wait has ended so many nanoseconds after the beginning.
    fn woken(&mut self, nanos: u64) -> String {
        self.tell(Event::Woken { timed_out: true }, &after(nanos))
    }
}

/// A wait in the words of the table.
fn short(wait: Wait) -> String {
    match wait {
        Wait::Ordinary { milliseconds } => format!("S{milliseconds}"),
        Wait::Port { milliseconds } => format!("Q{milliseconds}"),
        Wait::Waitable {
            units,
            tolerable_delay_ms: 0,
            ..
        } => format!("W{units}"),
        Wait::Waitable {
            units,
            tolerable_delay_ms,
            ..
        } => format!("W{units}+{tolerable_delay_ms}"),
        Wait::HighResolution { units, .. } => format!("H{units}"),
        Wait::HighResolutionOrPort {
            units,
            milliseconds,
        } => format!("H{units}|Q{milliseconds}"),
        Wait::TimeSetEvent { milliseconds, .. } => format!("M{milliseconds}"),
        Wait::Pool { units } => format!("P{units}"),
        Wait::Message { milliseconds } => format!("U{milliseconds}"),
        Wait::Queue { milliseconds } => format!("T{milliseconds}"),
        Wait::Select { microseconds } => format!("sel{microseconds}"),
    }
}

#[test]
fn names_are_unique_and_found() {
    let all = personas();
    let ids: BTreeSet<_> = all.iter().map(|persona| persona.id).collect();
    assert_eq!(ids.len(), all.len());
    for persona in &all {
        assert_eq!(named(persona.id).as_ref(), Ok(persona));
        assert!(!persona.sources.is_empty(), "{}", persona.id);
        // A version that is misspelt would run everywhere.
        let earliest = persona.earliest_windows;
        assert!(crate::Version::named(earliest).is_ok(), "{earliest}");
    }
    assert!(named("python").unwrap_err().contains("python-3.10, "));
}

#[test]
fn what_comes_before_its_time_ends_a_wait() {
    let (mut lock, _) = Asked::started("python-3.9-lock", true);
    assert_eq!(lock.begin(5_000_000), "S5");
    let come = Event::Woken { timed_out: false };
    assert_eq!(lock.tell(come, &after(1_000_000)), ".");
    let (mut wait, _) = Asked::started("java-object-wait", true);
    assert_eq!(wait.begin(5_000_000), "+1 S5");
    assert_eq!(wait.tell(come, &after(1_000_000)), "-1 .");
}
