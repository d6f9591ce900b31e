//! The confidence of what a simulated machine answers.

mod names;
mod personas;

use super::{Confidence, Ground, Waits};
use crate::simulated::SimulatedMachine;
use names::Named;
use punctual_windows::confidence::{
    Asked, Begun, Call, Footing, Looks, Subject, Verdict, confidence,
};
use std::time::Duration;

impl From<Footing> for Ground {
    fn from(footing: Footing) -> Self {
        Self {
            rule: footing.rule.to_owned(),
            basis: footing.basis.name().to_owned(),
            level: footing.level(),
            cases: footing.cases.into_iter().map(str::to_owned).collect(),
        }
    }
}

/// A verdict on a mean, or on figures of which no mean is published.
pub struct Said<'a>(pub &'a Verdict, pub Option<Duration>);

impl From<Said<'_>> for Confidence {
    fn from(Said(verdict, mean): Said<'_>) -> Self {
        let level = mean.map_or(verdict.rules_give, |mean| verdict.of_mean(mean));
        let published = verdict.published.as_ref();
        let published = published.filter(|said| said.is_alike && mean.is_some());
        Self {
            level,
            case: published.map(|published| published.case.to_owned()),
            rests_on: verdict.rests_on.iter().cloned().map(Ground::from).collect(),
            unusual: verdict.because.clone(),
        }
    }
}

/// The machine as the rules of confidence see it.
pub fn subject(machine: &SimulatedMachine) -> Subject {
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
            return Some(Said(&verdict, mean).into());
        }
        let persona = punctual_windows::personas::named(name).ok()?;
        Some(personas::confidence_of(&persona, &subject, self))
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
    Said(&confidence(&subject(machine), &asked), None).into()
}

/// How far the readings of its clocks can be trusted.
pub fn of_clocks(machine: &SimulatedMachine) -> Confidence {
    let asked = Asked {
        looks: Looks::TickCount,
        ..Asked::tight(Call::Clock, Duration::ZERO)
    };
    Said(&confidence(&subject(machine), &asked), None).into()
}

/// How far the mean of `Sleep(1)` can be trusted under requests of the sleeping process.
pub fn of_own_requests(machine: &SimulatedMachine, request: Duration) -> Confidence {
    let asked = Asked {
        request: Some(request),
        standing: machine.standing,
        ..Asked::tight(Call::Ordinary, Duration::from_millis(1))
    };
    Said(&confidence(&subject(machine), &asked), None).into()
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
            request: Some(Duration::from_millis(1)),
            duration: Duration::from_millis(1),
            is_tight: true,
        };
        waits.of_series(series).unwrap()
    }

    #[test]
    fn every_name_of_a_simulated_machine_is_known() {
        let methods = SimulatedOs::methods().into_iter().map(|offer| offer.name);
        let ways = SimulatedOs::ways().into_iter().map(|offer| offer.name);
        let calls = SimulatedOs::calls().into_iter().map(|offer| offer.name);
        let rules = punctual_windows::WINDOWS_11;
        for name in methods.chain(ways).chain(calls) {
            assert!(Named::of(name, &rules).is_some(), "{name}");
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
