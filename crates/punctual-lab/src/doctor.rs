//! What a machine permits a program that waits, and the command that would permit the rest.

use crate::machine::{Finding, Machine, State, Wishes};
use punctual::Period;
use punctual::margin::{Budget, LateRate};
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
}
