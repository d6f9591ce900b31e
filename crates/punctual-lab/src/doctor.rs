//! What a machine permits a program that waits, and what would permit the rest.

use crate::machine::{Finding, Machine, Matter};
use crate::waiters::{Kind, WaiterOptions};
use punctual::Period;

/// Examines a machine for the calling thread: reads what there is to read, tries what there is to
/// try, and undoes it.
pub fn examine<M: Machine>(machine: &M) -> Vec<Finding> {
    let mut findings = machine.findings();
    findings.extend(methods(machine));
    findings
}

/// A finding for each method that cannot be made, or one that all can.
fn methods<M: Machine>(machine: &M) -> Vec<Finding> {
    let options = WaiterOptions::of(Period::from_hertz(1_000));
    let offers = M::waiters_for(Kind::Deadlines);
    let missing: Vec<_> = offers
        .iter()
        .filter_map(|offer| {
            Some((
                offer.name,
                offer.make(Kind::Deadlines)?(machine, options).err()?,
            ))
        })
        .map(|(name, error)| {
            let remedy = M::remedy_for(name, &error);
            Finding::attempted(Matter::Method(name), Err::<(), _>(error), remedy)
        })
        .collect();
    match missing.is_empty() {
        true => vec![Finding::good(Matter::Methods(offers.len()))],
        false => missing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Native;
    use crate::machine::State;

    #[test]
    fn what_is_good_needs_no_remedy_and_what_failed_says_why() {
        let findings = examine(&Native::detect().unwrap());
        assert!(!findings.is_empty());
        for finding in findings {
            let is_good = finding.state == State::Good;
            assert!(!is_good || finding.remedy.is_none(), "{finding:?}");
            assert!(!is_good || finding.refusal.is_none(), "{finding:?}");
        }
    }
}
