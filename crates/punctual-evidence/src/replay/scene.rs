//! The machine that a run of a case describes.

use super::programs::duration;
use crate::{Companion as Described, Run};
use punctual_sim::windows::WindowsMachine;
use punctual_windows::{Companion, MachineParameters, Version};
use std::time::Duration;

/// One run of a case on one version.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) run: &'a Run,
    pub(super) version: &'a str,
}

impl Scene<'_> {
    /// With its first tick this long after the zero of its clocks.
    ///
    /// # Panics
    /// If the run names a version, rule or parameter that there is not.
    pub(super) fn machine(self, phase: Duration) -> WindowsMachine {
        let version = readable(Version::named(self.version));
        let mut rules = version.rules;
        for (name, value) in &self.run.rules {
            readable(rules.set(name, value));
        }
        let pairs = self
            .run
            .machine
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let parameters = pairs.collect::<Vec<_>>().join(",");
        let parameters: MachineParameters = readable(parameters.parse());
        let machine = WindowsMachine::new(version)
            .with_rules(rules)
            .with_parameters(parameters)
            .with_first_tick(phase);
        let companions = self.run.companions.iter();
        companions
            .flat_map(|described| companions_of(described, parameters.processors))
            .fold(machine, WindowsMachine::with_companion)
    }
}

/// What the data says was read when it was tested, and rules are checked where they are given.
fn readable<T>(read: Result<T, String>) -> T {
    read.unwrap_or_else(|error| panic!("{error}"))
}

fn companions_of(described: &Described, processors: usize) -> Vec<Companion> {
    let companion = match described {
        Described::Requester { interval } => Companion::requester(duration(interval)),
        Described::Driver { interval } => Companion::Driver {
            interval: duration(interval),
        },
        Described::Sleepers {
            count,
            from,
            to,
            random_work,
        } => Companion::Sleepers {
            threads: *count,
            from: *from,
            to: *to,
            most_work: duration(random_work),
        },
        Described::Toggler {
            interval,
            raised,
            lowered,
        } => Companion::Toggler {
            interval: duration(interval),
            raised: duration(raised),
            lowered: duration(lowered),
        },
        Described::Load { threads } => {
            let threads = match threads.as_str() {
                "all" => processors,
                number => number.parse().expect("a number, or all"),
            };
            return vec![Companion::Load; threads];
        }
    };
    vec![companion]
}
