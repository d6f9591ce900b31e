//! The confidence of what a simulated machine answers.

use crate::confidence::{Confidence, Ground, Level, Waits};
use crate::simulated::SimulatedMachine;
use punctual_windows::Rules;
use punctual_windows::choices::HighResolution;
use punctual_windows::confidence::{Asked, Begun, Call, Looks, Subject, confidence};
use punctual_windows::mechanisms::{Ends, Mechanism};
use punctual_windows::personas::Persona;
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
        if let Some(asked) = self.named(name, &subject.rules) {
            let verdict = confidence(&subject, &asked);
            return Some(verdict.said(mean));
        }
        let persona = punctual_windows::personas::named(name).ok()?;
        Some(confidence_of(&persona, &subject, self))
    }

    /// A wait of this length.
    fn base(&self, is_tight: bool) -> Asked {
        Asked {
            begun: match is_tight {
                true => Begun::Tight,
                false => Begun::AnyTime,
            },
            request: self.request,
            ..Asked::tight(Call::Ordinary, self.duration)
        }
    }

    /// What is asked for by the name of a mechanism or of a loop.
    fn named(&self, name: &str, rules: &Rules) -> Option<Asked> {
        let mechanism = Mechanism::named(name.trim_end_matches("-early"));
        // Loops, and waits that end at times of a schedule, may begin at any moment.
        let ends_after = mechanism.is_some_and(|mechanism| mechanism.ends == Ends::After);
        let base = Asked {
            standing: self.conditions.standing,
            ..self.base(self.is_tight && ends_after)
        };
        if let Some(mechanism) = mechanism {
            return Some(Asked {
                call: mechanism.call,
                is_periodic: mechanism.ends == Ends::Periodically,
                ..base
            });
        }
        let a_loop = |call| Some(Asked { call, ..base });
        if name.starts_with("punctual") || name.starts_with("ticker") {
            return match rules.high_resolution {
                HighResolution::Present => a_loop(Call::HighResolution),
                HighResolution::Absent => Some(Asked {
                    request: self.request.into_iter().chain([REQUEST]).min(),
                    ..base
                }),
            };
        }
        let (_, call) = LOOPS.into_iter().find(|(known, _)| *known == name)?;
        a_loop(call)
    }
}

/// Loops that keep a schedule by more than one call, and what they wait with.
const LOOPS: [(&str, Call); 3] = [
    ("feedback", Call::Ordinary),
    ("sleep-spin", Call::Ordinary),
    ("spin", Call::Clock),
];

/// What Punctual requests where there are no high-resolution timers.
const REQUEST: Duration = Duration::from_millis(1);

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

// The confidence of a persona: that of the wait that it asks for first, and of its row.

/// How far the mean of a persona's waits can be trusted.
fn confidence_of(persona: &Persona, subject: &Subject, waits: &Waits) -> Confidence {
    let asked = persona.first_wait(subject, waits.base(waits.is_tight));
    let verdict = confidence(subject, &asked);
    // What is published is about a call in a loop, and not about the runtime that makes it.
    let mut said = verdict.said(None);
    if !persona.checked {
        said.level = said.level.max(Level::Inferred);
        // A row that nobody has read in the runtime's source is an inference.
        said.rests_on.push(Ground {
            rule: persona.id.to_owned(),
            basis: "not checked in its source".to_owned(),
            level: Level::Inferred,
            cases: Vec::new(),
        });
        said.rests_on
            .sort_by_key(|ground| std::cmp::Reverse(ground.level));
    }
    said
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
        for waiter in SimulatedOs::waiters() {
            // It panics if nothing is said.
            drop(of("windows-11", waiter.name));
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
