//! What a machine permits a program that waits, and the command that would permit the rest.

use crate::machine::Machine;
use crate::method::Wishes;
use punctual::margin::{Budget, LateRate};
use punctual::{Error, Period};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.doctor/1";

/// Everything found on a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Examination {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made it.
    pub punctual_version: String,
    /// In the order in which to show them.
    pub findings: Vec<Finding>,
}

/// One thing on which punctual waiting depends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Its name: `timer slack`.
    pub what: String,
    /// How it stands.
    pub state: State,
    /// What that means for waits.
    pub effect: String,
    /// The command that would make it good, where there is one.
    pub remedy: Option<String>,
}

/// How a thing stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// As waiting would have it.
    Good,
    /// There, and worse than it could be.
    Limited,
    /// Not there, or not permitted.
    Missing,
    /// Nothing tells.
    Unknown,
}

impl Finding {
    /// It is as waiting would have it.
    pub fn good(what: impl Into<String>, effect: impl Into<String>) -> Self {
        Self::new(what, State::Good, effect, None)
    }

    /// It is not, and this would help, if anything does.
    pub fn new(
        what: impl Into<String>,
        state: State,
        effect: impl Into<String>,
        remedy: Option<&str>,
    ) -> Self {
        Self {
            what: what.into(),
            state,
            effect: effect.into(),
            remedy: remedy.map(str::to_owned),
        }
    }

    /// What an attempt came to. If it failed and there is a remedy, that says more than the error.
    pub fn attempted<T>(
        what: impl Into<String>,
        attempt: Result<T, Error>,
        effect: impl Into<String>,
        remedy: Option<&str>,
    ) -> Self {
        match (attempt, remedy) {
            (Ok(_), _) => Self::good(what, effect),
            (Err(error), None) => Self::new(what, State::Missing, error.to_string(), None),
            (Err(_), remedy) => {
                let effect = format!("not permitted: {}", effect.into());
                Self::new(what, State::Missing, effect, remedy)
            }
        }
    }
}

/// Examines a machine for the calling thread: reads what there is to read, tries what there is to
/// try, and undoes it.
pub fn examine<M: Machine>(machine: &M) -> Vec<Finding> {
    let mut findings = machine.findings();
    findings.extend(methods(machine));
    findings
}

/// A finding for each method that cannot be made, or one that all can.
fn methods<M: Machine>(machine: &M) -> Vec<Finding> {
    let wishes = Wishes {
        period: Period::try_from(Duration::from_millis(1)).expect("a millisecond is a period"),
        late_rate: LateRate::default(),
        budget: Budget::default(),
    };
    let offers = M::methods();
    let missing: Vec<_> = offers
        .iter()
        .filter_map(|offer| Some((offer.name, (offer.make)(machine, wishes).err()?)))
        .map(|(name, error)| {
            let what = format!("method {name}");
            let remedy = M::remedy_for_method(name, &error);
            Finding::new(what, State::Missing, error.to_string(), remedy)
        })
        .collect();
    if missing.is_empty() {
        let all = format!("all {} ways of waiting can be measured", offers.len());
        return vec![Finding::good("methods", all)];
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Native;

    #[test]
    fn whatever_is_not_good_says_what_that_means() {
        let findings = examine(&Native::detect().unwrap());
        assert!(!findings.is_empty());
        for finding in findings {
            assert!(!finding.effect.is_empty(), "{finding:?}");
            assert!(
                finding.state != State::Good || finding.remedy.is_none(),
                "{finding:?}"
            );
        }
    }

    #[test]
    fn an_attempt_that_is_refused_comes_with_the_remedy() {
        let refused: Result<(), _> = Err(Error::not_permitted("no"));
        let finding = Finding::attempted("priority", refused, "is raised", Some("sudo thing"));
        assert_eq!(finding.state, State::Missing);
        assert_eq!(finding.effect, "not permitted: is raised");
        assert_eq!(finding.remedy.as_deref(), Some("sudo thing"));
        let made = Finding::attempted("priority", Ok(()), "is raised", Some("sudo thing"));
        assert_eq!((made.state, made.remedy), (State::Good, None));
    }
}
