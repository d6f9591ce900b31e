//! The text of a simulated machine.

use super::SimulatedMachine;
use punctual_windows::Version;
use std::fmt;
use std::str::FromStr;

impl FromStr for SimulatedMachine {
    type Err = String;

    /// Reads a version's name, and `name=value` pairs after commas: a rule or a setting each.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(',');
        let mut machine = Self::usual(Version::named(parts.next().unwrap_or_default())?);
        let (mut changed, mut settings) = (Vec::new(), Vec::new());
        for part in parts {
            let (name, value) = part.split_once('=').ok_or_else(|| {
                format!("'{part}' sets nothing; write name=value, as in processors=2")
            })?;
            let (name, value) = (name.trim(), value.trim());
            if !machine.is_rule(name) {
                machine.ensure_setting(name)?;
                settings.push(part);
                continue;
            }
            machine.rules.set(name, value)?;
            if changed.contains(&name) {
                return Err(format!("{name}: given twice; give it once"));
            }
            changed.push(name);
        }
        machine.parameters = settings.join(",").parse()?;
        Ok(machine)
    }
}

impl SimulatedMachine {
    fn is_rule(&self, name: &str) -> bool {
        self.rules.iter().any(|rule| rule.name == name)
    }

    /// A name that is neither a rule's nor a setting's is refused with the names of both.
    fn ensure_setting(&self, name: &str) -> Result<(), String> {
        let settings: Vec<_> = self.parameters.iter().map(|setting| setting.name).collect();
        if settings.contains(&name) {
            return Ok(());
        }
        let rules: Vec<_> = self.rules.iter().map(|rule| rule.name).collect();
        Err(format!(
            "there is no setting or rule '{name}'; settings are {}; rules are {}",
            settings.join(", "),
            rules.join(", ")
        ))
    }
}

/// The name, the rules that are not the version's, and the hardware. Companions have a flag of their
/// own.
impl fmt::Display for SimulatedMachine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.version.name)?;
        for (name, value, _) in self.rules.differences(&self.version.rules) {
            write!(f, ",{name}={value}")?;
        }
        let parameters = self.parameters.to_string();
        if !parameters.is_empty() {
            write!(f, ",{parameters}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual::Os;
    use punctual_windows::VERSIONS;
    use punctual_windows::os::windows::Win32Lab;
    use std::time::Duration;

    fn read(text: &str) -> Result<SimulatedMachine, String> {
        text.parse()
    }

    #[test]
    fn rules_and_settings_may_come_in_any_order() {
        let machine = read("windows-10-2004, processors=2,due-time = precise").unwrap();
        let text = "windows-10-2004,due-time=precise,processors=2";
        assert_eq!(machine.to_string(), text);
        assert_eq!(read(text), Ok(machine));
    }

    #[test]
    fn a_rule_that_is_the_versions_own_is_not_shown() {
        let machine = read("windows-7,due-time=coarse").unwrap();
        assert_eq!(machine.rules, machine.version.rules);
        assert_eq!(machine.to_string(), "windows-7");
    }

    #[test]
    fn every_rule_of_every_version_is_read_back() {
        for version in VERSIONS {
            for rule in version.rules.iter() {
                for value in rule.values {
                    let text = format!("{},{}={value}", version.name, rule.name);
                    let machine = read(&text).unwrap();
                    assert_eq!(read(&machine.to_string()), Ok(machine.clone()));
                    assert_eq!(
                        machine.rules == version.rules,
                        *value == rule.value,
                        "{text}"
                    );
                }
            }
        }
    }

    #[test]
    fn no_setting_has_the_name_of_a_rule() {
        let machine = SimulatedMachine::usual(VERSIONS[0]);
        assert!(
            machine
                .parameters
                .iter()
                .all(|setting| !machine.is_rule(setting.name))
        );
    }

    #[test]
    fn an_error_lists_what_there_is() {
        for (text, complaint) in [
            (
                "windows-95",
                "there is no machine 'windows-95'; there are windows-xp",
            ),
            (
                "windows-7,due=coarse",
                "there is no setting or rule 'due'; settings are default-interval",
            ),
            ("windows-7,cores=4", "rules are lattice, due-time"),
            (
                "windows-7,due-time=early",
                "the rule due-time is coarse or precise, not \"early\"",
            ),
            (
                "windows-7,due-time=coarse,due-time=precise",
                "due-time: given twice",
            ),
            (
                "windows-7,processors=0",
                "processors: a number from 1 to 64",
            ),
            ("windows-7,due-time", "'due-time' sets nothing"),
            ("windows-7,", "'' sets nothing"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(complaint), "{text}: {error}");
        }
    }

    #[test]
    fn a_changed_rule_changes_what_a_program_sees() {
        let sleep = |machine: &str| {
            let run = read(machine).unwrap().run(1, |os| {
                let win32 = os.win32();
                win32.sleep(1);
                win32.compute(Duration::from_millis(15));
                let before = os.now();
                win32.sleep(15);
                os.now().duration_since(before)
            });
            run.unwrap().value
        };
        let (precise, coarse) = (
            sleep("windows-10-2004,due-time=precise"),
            sleep("windows-10-2004"),
        );
        let asked = Duration::from_millis(15);
        assert!(coarse < asked && asked <= precise);
    }
}
