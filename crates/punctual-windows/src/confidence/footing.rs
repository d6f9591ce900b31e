//! What each rule stands on, version by version.

use super::Level;
use super::basis::{Basis, FIXED};
use super::grounds::{GROUNDS, Ground};
use crate::{VERSIONS, Version};
use alloc::vec::Vec;

/// One rule of one version, and what it stands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footing {
    /// The rule: one of [`Rules`](crate::Rules), or of [`FIXED`].
    pub rule: &'static str,
    /// What it stands on.
    pub basis: Basis,
    /// The cases of the evidence that say so: all on both sides if it is disputed, and those that
    /// contradict it if it is contradicted.
    pub cases: Vec<&'static str>,
}

impl Footing {
    /// The best confidence that an answer can have that rests on it and is no published number.
    pub fn level(&self) -> Level {
        match self.basis {
            Basis::MeasuredHere | Basis::MeasuredElsewhere => Level::MeasuredElsewhere,
            Basis::Documented | Basis::Inferred | Basis::Disputed => Level::Inferred,
            Basis::Contradicted => Level::Contradicted,
        }
    }
}

/// What a rule stands on in this version, with the value that the rule has there.
///
/// ```
/// use punctual_windows::Version;
/// use punctual_windows::confidence::{Basis, footing};
///
/// let on_7 = footing("due-time", &Version::named("windows-7")?);
/// assert_eq!((on_7.basis, &on_7.cases[..]), (Basis::MeasuredHere, &["svi-7-busy"][..]));
/// let on_8 = footing("due-time", &Version::named("windows-8")?);
/// assert_eq!(on_8.basis, Basis::MeasuredElsewhere);
/// # Ok::<(), String>(())
/// ```
pub fn footing(rule: &'static str, version: &Version) -> Footing {
    let (basis, grounds) = at(rule, version)
        .or_else(|| nearest(rule, version))
        .or_else(|| documented(rule, version))
        .unwrap_or((Basis::Inferred, Vec::new()));
    Footing {
        rule,
        basis,
        cases: cases(&grounds),
    }
}

type Found = (Basis, Vec<&'static Ground>);

fn grounds(rule: &str, version: &Version, basis: Basis) -> Vec<&'static Ground> {
    let about =
        |ground: &&Ground| ground.rule == rule && ground.basis == basis && ground.is_about(version);
    GROUNDS.iter().filter(about).collect()
}

/// What was measured on this version itself.
fn at(rule: &str, version: &Version) -> Option<Found> {
    let found = |basis| grounds(rule, version, basis);
    let (for_it, against) = (found(Basis::MeasuredHere), found(Basis::Contradicted));
    match (for_it.is_empty(), against.is_empty()) {
        (true, true) => None,
        (false, true) => Some((Basis::MeasuredHere, for_it)),
        (true, false) => Some((Basis::Contradicted, against)),
        (false, false) => Some((Basis::Disputed, [for_it, against].concat())),
    }
}

/// What was measured on the nearest version whose rule is the same: an older one if there is any.
fn nearest(rule: &str, version: &Version) -> Option<Found> {
    let is_this = |other: &Version| other.name == version.name;
    let place = VERSIONS.iter().position(is_this)?;
    let older = VERSIONS[..place].iter().rev();
    let newer = VERSIONS[place..].iter().skip(1);
    let alike = |other: &&Version| value(rule, other) == value(rule, version);
    let (basis, grounds) = older
        .chain(newer)
        .filter(alike)
        .find_map(|other| at(rule, other))?;
    match basis {
        Basis::MeasuredHere => Some((Basis::MeasuredElsewhere, grounds)),
        other => Some((other, grounds)),
    }
}

fn documented(rule: &str, version: &Version) -> Option<Found> {
    let found = grounds(rule, version, Basis::Documented);
    (!found.is_empty()).then_some((Basis::Documented, found))
}

/// The value of a rule in a version; nothing for rules that all versions have alike.
fn value(rule: &str, version: &Version) -> Option<&'static str> {
    let mut rules = version.rules.iter();
    rules
        .find(|found| found.name == rule)
        .map(|found| found.value)
}

fn cases(grounds: &[&Ground]) -> Vec<&'static str> {
    let mut cases: Vec<_> = grounds
        .iter()
        .flat_map(|ground| ground.cases)
        .copied()
        .collect();
    cases.dedup();
    cases
}

/// What every rule stands on in this version, in the order of the rules.
pub fn footings(version: &Version) -> Vec<Footing> {
    let rules = version.rules.iter().map(|rule| rule.name);
    let fixed = FIXED.iter().map(|(rule, _)| *rule);
    rules
        .chain(fixed)
        .map(|rule| footing(rule, version))
        .collect()
}

/// The cases that contradict a rule, each with the rule.
pub fn contradictions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let contradicting = GROUNDS
        .iter()
        .filter(|ground| ground.basis == Basis::Contradicted);
    contradicting.flat_map(|ground| ground.cases.iter().map(|case| (*case, ground.rule)))
}
