//! `punctual machines`: the simulated machines, the rules they go by, and what can be changed.

use crate::args::MachinesArgs;
use crate::failure::Failure;
use crate::output;
use crate::show;
use punctual_lab::simulated::sweep::usual_machines;
use serde_json::{Map, Value, json};
use std::process::ExitCode;

/// The schema that this version writes.
const SCHEMA: &str = "punctual.machines/1";

/// All there is to choose from.
pub struct Catalogue {
    /// The versions' names, oldest first.
    pub versions: Vec<&'static str>,
    pub rules: Vec<Rule>,
    pub parameters: Vec<Parameter>,
}

/// A rule, over all versions.
pub struct Rule {
    pub name: &'static str,
    /// What it decides.
    pub about: &'static str,
    /// What it can be.
    pub values: &'static [&'static str],
    /// What it is in each version.
    pub by_version: Vec<&'static str>,
    /// The ids of the cases that fix it.
    pub evidence: &'static [&'static str],
}

/// What differs between machines with the same Windows.
pub struct Parameter {
    pub name: &'static str,
    pub default: String,
    pub about: &'static str,
}

/// Runs the command.
pub fn machines(args: &MachinesArgs) -> Result<ExitCode, Failure> {
    let catalogue = Catalogue::collect();
    output::print(|out| {
        if args.json {
            serde_json::to_writer_pretty(&mut *out, &catalogue.json())?;
            return writeln!(out);
        }
        show::machines(out, &catalogue, args.long)
    })?;
    Ok(ExitCode::SUCCESS)
}

impl Rule {
    /// Whether it tells any two versions apart.
    pub fn differs(&self) -> bool {
        self.by_version
            .iter()
            .any(|value| *value != self.by_version[0])
    }
}

impl Catalogue {
    pub fn collect() -> Self {
        let machines = usual_machines();
        let all: Vec<Vec<_>> = machines
            .iter()
            .map(|machine| machine.version.rules.iter().collect())
            .collect();
        let rule = |index: usize| Rule {
            name: all[0][index].name,
            about: about(&RULES, all[0][index].name),
            values: all[0][index].values,
            by_version: all.iter().map(|rules| rules[index].value).collect(),
            evidence: all[0][index].evidence,
        };
        let parameters = machines[0].parameters.fields();
        Self {
            versions: machines
                .iter()
                .map(|machine| machine.version.name)
                .collect(),
            rules: (0..all[0].len()).map(rule).collect(),
            parameters: parameters
                .map(|(name, default)| Parameter {
                    name,
                    default,
                    about: about(&PARAMETERS, name),
                })
                .into(),
        }
    }

    fn json(&self) -> Value {
        let machine = |(index, name): (usize, &&str)| {
            let values = self.rules.iter().map(|rule| {
                let value = Value::from(rule.by_version[index]);
                (rule.name.to_owned(), value)
            });
            json!({ "name": name, "rules": values.collect::<Map<_, _>>() })
        };
        let rules = self.rules.iter().map(|rule| {
            json!({
                "name": rule.name,
                "about": rule.about,
                "values": rule.values,
                "evidence": rule.evidence,
            })
        });
        let parameters = self.parameters.iter().map(|parameter| {
            json!({
                "name": parameter.name,
                "default": parameter.default,
                "about": parameter.about,
            })
        });
        json!({
            "schema": SCHEMA,
            "machines": self.versions.iter().enumerate().map(machine).collect::<Vec<_>>(),
            "rules": rules.collect::<Vec<_>>(),
            "parameters": parameters.collect::<Vec<_>>(),
        })
    }
}

fn about(texts: &[(&'static str, &'static str)], name: &str) -> &'static str {
    let found = texts.iter().find(|(known, _)| *known == name);
    found.map_or("", |(_, about)| about)
}

const RULES: [(&str, &str); 14] = [
    ("lattice", "the intervals at which the hardware can tick"),
    (
        "due-time",
        "from when a wait counts: the last tick, or the call itself",
    ),
    (
        "request-reach",
        "whose waits a process's request makes finer: the machine's, or its own",
    ),
    (
        "idle-expiry",
        "whether the class of other waits counts as expired when none was due",
    ),
    (
        "timer-queue-class",
        "which class of waits a timer-queue timer belongs to",
    ),
    (
        "kernel-requests",
        "whether a driver's request shortens everybody's sleeps, too",
    ),
    (
        "global-key",
        "whether the registry's GlobalTimerResolutionRequests does anything",
    ),
    (
        "occlusion",
        "what becomes of the requests of a process that nobody sees or hears",
    ),
    (
        "throttling",
        "whether SetProcessInformation knows IGNORE_TIMER_RESOLUTION",
    ),
    (
        "rearm",
        "from where a periodic timer counts its next period",
    ),
    (
        "timer-queue-extra",
        "what a timer queue adds to its timers' periods",
    ),
    (
        "high-resolution",
        "whether there are high-resolution waitable timers",
    ),
    (
        "tolerance",
        "the tolerable delay that a waitable timer can have",
    ),
    (
        "platform-interval",
        "whose requests powercfg counts as the platform's interval",
    ),
];

const PARAMETERS: [(&str, &str); 7] = [
    (
        "default-interval",
        "while nobody asks for less; 15.6ms on some",
    ),
    ("smallest-interval", "the least that can be asked for"),
    ("quantum", "what Windows 10 and 11 make intervals of"),
    (
        "overshoot",
        "by what intervals of 7 and 8 exceed the request",
    ),
    (
        "interrupt-latency",
        "mean time until an interrupt looks at the clock",
    ),
    (
        "processors",
        "1 to 64; the first handles all timer interrupts",
    ),
    (
        "global-requests",
        "the registry's GlobalTimerResolutionRequests",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_described() {
        let Catalogue {
            rules, parameters, ..
        } = Catalogue::collect();
        let rules: Vec<_> = rules.iter().map(|rule| rule.name).collect();
        assert_eq!(rules, RULES.map(|(name, _)| name));
        let parameters: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
        assert_eq!(parameters, PARAMETERS.map(|(name, _)| name));
    }

    #[test]
    fn the_great_rule_change_is_among_the_differences() {
        let catalogue = Catalogue::collect();
        let find = |name: &str| {
            catalogue
                .rules
                .iter()
                .find(|rule| rule.name == name)
                .unwrap()
        };
        let reach = find("request-reach");
        let (machine, process) = ("machine", "process");
        let changed = [machine, machine, machine, machine, process, process];
        assert_eq!(reach.by_version, changed);
        assert!(reach.differs() && !find("idle-expiry").differs());
    }
}
