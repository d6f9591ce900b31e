//! `punctual machines`: the simulated machines, their rules, and their settings.

mod show;

use punctual_command::failure::Failure;
use punctual_command::flags::FormatArgs;
use punctual_lab::simulated::Parameter;
use punctual_lab::sweep::simulated::usual_machines;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::process::ExitCode;

/// The schema that this version writes.
const SCHEMA: &str = "punctual.machines/1";

/// The catalogue of machines.
pub struct Catalogue {
    /// The versions' names, oldest first.
    pub versions: Vec<&'static str>,
    pub rules: Vec<Rule>,
    /// The settings of a machine, with their defaults.
    pub parameters: Vec<Parameter>,
    /// Whether the text says what each rule decides, and which cases fix it.
    pub is_long: bool,
}

impl Serialize for Catalogue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}

/// A rule, over all versions.
pub struct Rule {
    pub name: &'static str,
    /// What it decides.
    pub about: &'static str,
    /// The possible values.
    pub values: &'static [&'static str],
    /// The value in each version.
    pub by_version: Vec<&'static str>,
    /// The ids of the cases that fix it.
    pub evidence: &'static [&'static str],
}

/// Runs the command.
pub fn machines(args: &MachinesArgs) -> Result<ExitCode, Failure> {
    let catalogue = Catalogue {
        is_long: args.long,
        ..Catalogue::collect()
    };
    crate::show::in_format(args.format, &catalogue)?;
    Ok(ExitCode::SUCCESS)
}

impl Rule {
    /// Whether any two versions differ in it.
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
            about: all[0][index].about,
            values: all[0][index].values,
            by_version: all.iter().map(|rules| rules[index].value).collect(),
            evidence: all[0][index].evidence,
        };
        Self {
            versions: machines
                .iter()
                .map(|machine| machine.version.name)
                .collect(),
            rules: (0..all[0].len()).map(rule).collect(),
            parameters: machines[0].parameters.iter().collect(),
            is_long: false,
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
                "default": parameter.value,
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

// The command line of `punctual machines`.

/// List the simulated machines and the rules in which they differ.
///
/// A machine is a version of Windows: rules that say when its timed waits end, and settings such as
/// the number of processors. You can append either to its name: windows-7,processors=2, or
/// windows-7,lattice=powers-of-two, whose hardware ticks as that of XP does. The rules are fitted to
/// published measurements, which --long names.
#[derive(Debug, clap::Args)]
#[command(after_long_help = MACHINES_EXAMPLES)]
pub struct MachinesArgs {
    /// Show for each rule what it decides and which published cases fix it
    #[arg(long, conflicts_with = "FormatArgs")]
    pub long: bool,

    #[command(flatten)]
    pub format: FormatArgs,
}

const MACHINES_EXAMPLES: &str = "\
Examples:
  punctual machines
  punctual machines --long
  punctual sweep --on windows-7,default-interval=15.6ms,processors=2
  punctual sweep --on windows-10-2004 --on windows-10-2004,due-time=coarse";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_described() {
        let catalogue = Catalogue::collect();
        assert!(catalogue.rules.iter().all(|rule| !rule.about.is_empty()));
        let mut parameters = catalogue.parameters.iter();
        assert!(parameters.all(|parameter| !parameter.about.is_empty()));
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
