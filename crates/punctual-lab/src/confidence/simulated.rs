//! The confidence of what a simulated machine answers.

use crate::confidence::{Confidence, Ground, Level, Waits};
use crate::simulated::SimulatedMachine;
use punctual_windows::Rules;
use punctual_windows::choices::HighResolution;
use punctual_windows::confidence::{Asked, Begun, Call, Looks, Subject, confidence};
use punctual_windows::mechanisms::{Ends, Mechanism};
use punctual_windows::personas::{Ask, Clock, Clocks, Event, Persona, Wait};
use std::time::Duration;

/// The machine as the rules of confidence see it.
fn subject(machine: &SimulatedMachine) -> Subject {
    Subject {
        version: machine.version,
        rules: machine.rules,
        parameters: machine.parameters,
        companions: machine.companions.clone(),
    }
}

impl Waits<'_> {
    /// Of a name without marks. A name that the table lacks rests on nothing that is known.
    pub(super) fn of(&self, name: &str, mean: Option<Duration>) -> Option<Confidence> {
        let machine = SimulatedMachine::of(self.on?).ok()?;
        let subject = subject(&machine.under(self.conditions).ok()?);
        if let Some(named) = Named::of(name, &subject.rules) {
            let verdict = confidence(&subject, &self.asked(named));
            return Some(verdict.said(mean));
        }
        let persona = punctual_windows::personas::named(name).ok()?;
        Some(confidence_of(&persona, &subject, self))
    }

    fn asked(&self, named: Named) -> Asked {
        let is_tight = self.is_tight && !named.keeps_schedule;
        Asked {
            is_periodic: named.is_periodic,
            begun: if is_tight {
                Begun::Tight
            } else {
                Begun::AnyTime
            },
            request: self.request.into_iter().chain(named.request).min(),
            standing: self.conditions.standing,
            ..Asked::tight(named.call, self.duration)
        }
    }
}

/// How far the timer interval of a simulated machine can be trusted.
pub fn of_interval(machine: &SimulatedMachine) -> Confidence {
    let asked = Asked::tight(Call::Interval, Duration::ZERO);
    confidence(&subject(machine), &asked).said(None)
}

/// How far the readings of its clocks can be trusted.
pub fn of_clocks(machine: &SimulatedMachine) -> Confidence {
    let asked = Asked {
        looks: Looks::TickCount,
        ..Asked::tight(Call::Clock, Duration::ZERO)
    };
    confidence(&subject(machine), &asked).said(None)
}

// Which call stands behind the name of a method, a way or a call.

/// What a name stands for, as far as confidence goes.
#[derive(Debug, Clone, Copy)]
struct Named {
    call: Call,
    is_periodic: bool,
    /// Whether its waits end at times of a schedule, so that they may begin at any moment.
    keeps_schedule: bool,
    /// The request that it makes itself.
    request: Option<Duration>,
}

/// Loops that keep a schedule by more than one call, and what they wait with.
const LOOPS: [(&str, Call); 3] = [
    ("feedback", Call::Ordinary),
    ("sleep-spin", Call::Ordinary),
    ("spin", Call::Clock),
];

/// What Punctual requests where there are no high-resolution timers.
const REQUEST: Duration = Duration::from_millis(1);

impl Named {
    /// On a version with these rules.
    fn of(name: &str, rules: &Rules) -> Option<Self> {
        if let Some(mechanism) = Mechanism::named(name.trim_end_matches("-early")) {
            return Some(Self::by(mechanism, mechanism.ends != Ends::After));
        }
        if name.starts_with("punctual") || name.starts_with("ticker") {
            return Some(match rules.high_resolution {
                HighResolution::Present => Self::a_loop(Call::HighResolution, None),
                HighResolution::Absent => Self::a_loop(Call::Ordinary, Some(REQUEST)),
            });
        }
        let (_, call) = LOOPS.into_iter().find(|(known, _)| *known == name)?;
        Some(Self::a_loop(call, None))
    }

    fn by(mechanism: Mechanism, keeps_schedule: bool) -> Self {
        Self {
            call: mechanism.call,
            is_periodic: mechanism.ends == Ends::Periodically,
            keeps_schedule,
            request: None,
        }
    }

    fn a_loop(call: Call, request: Option<Duration>) -> Self {
        Self {
            call,
            is_periodic: false,
            keeps_schedule: true,
            request,
        }
    }
}

// The confidence of a persona: that of the wait that it asks for first, and of its row.

/// More than any persona asks before its first wait.
const MOST_ASKS: usize = 16;

/// How far the mean of a persona's waits can be trusted.
fn confidence_of(persona: &Persona, subject: &Subject, waits: &Waits) -> Confidence {
    let asked = first_wait(persona, subject, waits);
    let verdict = confidence(subject, &asked);
    // What is published is about a call in a loop, and not about the runtime that makes it.
    let mut said = verdict.said(None);
    if !persona.checked {
        said.level = said.level.max(Level::Inferred);
        said.rests_on.push(unchecked(persona));
        said.rests_on
            .sort_by_key(|ground| std::cmp::Reverse(ground.level));
    }
    said
}

/// A row that nobody has read in the runtime's source is an inference.
fn unchecked(persona: &Persona) -> Ground {
    Ground {
        rule: persona.id.to_owned(),
        basis: "not checked in its source".to_owned(),
        level: Level::Inferred,
        cases: Vec::new(),
    }
}

/// What the persona asks for first, on a machine of this version.
fn first_wait(persona: &Persona, subject: &Subject, waits: &Waits) -> Asked {
    let (mut state, clocks) = (persona.state(), Clocks::default());
    let mut request = waits.request;
    let has_high_resolution = subject.rules.high_resolution == HighResolution::Present;
    let mut next = persona.step(&mut state, Event::Start, &clocks);
    let mut is_begun = false;
    for _ in 0..MOST_ASKS {
        let event = match next {
            Ask::Nothing if is_begun => break,
            Ask::Nothing => {
                is_begun = true;
                Event::Begin(waits.duration)
            }
            Ask::Wait(wait) if wait.call() == Call::HighResolution && !has_high_resolution => {
                Event::Refused
            }
            Ask::Wait(wait) => {
                let base = Asked {
                    request,
                    looks: looks(persona),
                    ..Asked::tight(Call::Ordinary, waits.duration)
                };
                return asked(wait, base, waits.is_tight);
            }
            Ask::BeginPeriod(milliseconds) => {
                let interval = Duration::from_millis(milliseconds.into());
                request = request.into_iter().chain([interval]).min();
                Event::Done
            }
            Ask::MakeHighResolutionTimer if !has_high_resolution => Event::Refused,
            Ask::MakeHighResolutionTimer | Ask::EndPeriod(_) | Ask::Spin { .. } => Event::Done,
        };
        next = persona.step(&mut state, event, &clocks);
    }
    // It does not wait for so short a time.
    Asked::tight(Call::Clock, waits.duration)
}

/// The clock that its loop looks at.
fn looks(persona: &Persona) -> Looks {
    let clocks = persona.clocks();
    let stands = |clock: &Clock| matches!(clock, Clock::Interrupt | Clock::File);
    if clocks.contains(&Clock::Ticks) {
        Looks::TickCount
    } else if clocks.iter().any(stands) {
        Looks::LastTick
    } else {
        Looks::Exact
    }
}

fn asked(wait: Wait, base: Asked, is_tight: bool) -> Asked {
    let is_tolerant = matches!(
        wait,
        Wait::Waitable {
            tolerable_delay_ms: 1..,
            ..
        }
    );
    Asked {
        call: wait.call(),
        duration: wait.length(),
        is_periodic: wait.is_periodic(),
        is_tolerant,
        begun: if is_tight {
            Begun::Tight
        } else {
            Begun::AnyTime
        },
        ..base
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Machine;
    use crate::question::{Conditions, Simulated};
    use crate::simulated::SimulatedOs;

    fn of(machine: &str, series: &str) -> Confidence {
        let on = Simulated {
            machine: machine.to_owned(),
            seed: 1,
        };
        let waits = Waits {
            on: Some(&on),
            conditions: &Conditions::default(),
            request: None,
            marked: Some(Duration::from_millis(1)),
            duration: Duration::from_millis(1),
            is_tight: true,
        };
        waits.of_series(series).unwrap()
    }

    #[test]
    fn every_name_of_a_simulated_machine_is_known() {
        let rules = punctual_windows::WINDOWS_11;
        for waiter in SimulatedOs::waiters() {
            assert!(Named::of(waiter.name, &rules).is_some(), "{}", waiter.name);
        }
    }

    #[test]
    fn a_mark_says_whether_the_request_counts() {
        let rules = |series: &str| {
            let found = of("windows-7", series).rests_on;
            let mut rules: Vec<_> = found.into_iter().map(|ground| ground.rule).collect();
            rules.sort();
            rules
        };
        assert_eq!(rules("wait-object"), Vec::<String>::new());
        assert_eq!(
            rules("+wait-object"),
            ["arbitration", "due-time", "lattice", "request-reach"]
        );
    }

    #[test]
    fn punctuals_own_timers_are_those_of_the_version() {
        let weakest = |machine: &str| of(machine, "punctual").rests_on[0].rule.clone();
        assert_eq!(weakest("windows-11"), "high-resolution");
        assert_ne!(weakest("windows-7"), "high-resolution");
    }
}
