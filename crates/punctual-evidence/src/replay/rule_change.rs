//! A rule with another value, on every version.

use crate::Override;
use punctual_windows::VERSIONS;
use std::fmt;
use std::str::FromStr;

/// A rule to be changed: `due-time=coarse`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleChange {
    name: String,
    value: String,
}

impl RuleChange {
    /// Which rule.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn over(&self) -> Override {
        Override {
            rules: [(self.name.clone(), self.value.clone())].into(),
            ..Override::default()
        }
    }
}

impl FromStr for RuleChange {
    type Err = String;

    /// The error lists the rules there are, or the values of the rule.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| format!("write RULE=VALUE, as in due-time=coarse; {}", rules()))?;
        let mut any_version = VERSIONS[0].rules;
        any_version.set(name, value)?;
        Ok(Self {
            name: name.to_owned(),
            value: value.to_owned(),
        })
    }
}

fn rules() -> String {
    let names: Vec<_> = VERSIONS[0].rules.iter().map(|rule| rule.name).collect();
    format!("rules are {}", names.join(", "))
}

impl fmt::Display for RuleChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}
