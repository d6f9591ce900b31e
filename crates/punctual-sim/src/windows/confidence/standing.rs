//! What each rule stands on, version by version.

use super::Confidence;
use super::grounds::{GROUNDS, Ground};
use crate::windows::{VERSIONS, Version};

/// What a rule of one version stands on, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// It was measured on this version.
    MeasuredHere,
    /// It was measured on another version, whose rule is the same.
    MeasuredElsewhere,
    /// It is documented, and nobody has measured it.
    Documented,
    /// It is inferred: the simplest rule that nothing contradicts.
    Inferred,
    /// A published number contradicts it.
    Contradicted,
}

/// One rule of one version, and what it stands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The rule: one of [`Rules`](crate::windows::Rules), or of [`FIXED`].
    pub rule: &'static str,
    /// What it stands on.
    pub basis: Basis,
    /// The cases of the evidence that say so; those that contradict it if it is contradicted.
    pub cases: Vec<&'static str>,
}

impl Basis {
    /// The words for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::MeasuredHere => "measured",
            Self::MeasuredElsewhere => "measured on another version",
            Self::Documented => "documented",
            Self::Inferred => "inferred",
            Self::Contradicted => "contradicted",
        }
    }
}

impl Standing {
    /// The best confidence that an answer can have that rests on it and is no published number.
    pub fn confidence(&self) -> Confidence {
        match self.basis {
            Basis::MeasuredHere | Basis::MeasuredElsewhere => Confidence::MeasuredElsewhere,
            Basis::Documented | Basis::Inferred => Confidence::Inferred,
            Basis::Contradicted => Confidence::Contradicted,
        }
    }
}

/// A rule that every version has alike, so that [`Rules`](crate::windows::Rules) has no choice for
/// it: its name, and what it says.
pub const FIXED: [(&str, &str); 8] = [
    (LAST_TICK, "most clocks stand at the last tick"),
    (TICK_COUNT, "GetTickCount moves by the default interval"),
    (SELECT, "Winsock's select waits like a sleep"),
    (MESSAGE_TIMER, "the tick at which a message timer is due"),
    (TIME_SET_EVENT, "timeSetEvent holds a request of its own"),
    (POOL_TIMER, "a timer of the thread pool waits like a sleep"),
    (
        SCHEDULING,
        "which thread of several gets a processor, and when",
    ),
    (COSTS, "what calls, interrupts and switches of threads cost"),
];

/// C4.
pub(super) const LAST_TICK: &str = "clocks";
/// C4.
pub(super) const TICK_COUNT: &str = "tick-count";
pub(super) const SELECT: &str = "select";
/// C11.
pub(super) const MESSAGE_TIMER: &str = "message-timer";
/// C12.
pub(super) const TIME_SET_EVENT: &str = "time-set-event";
pub(super) const POOL_TIMER: &str = "pool-timer";
pub(super) const SCHEDULING: &str = "scheduling";
pub(super) const COSTS: &str = "costs";

/// What a rule stands on in this version, with the value that the rule has there.
///
/// ```
/// use punctual_sim::windows::Version;
/// use punctual_sim::windows::confidence::{Basis, standing};
///
/// let on_7 = standing("due-time", &Version::named("windows-7")?);
/// assert_eq!((on_7.basis, &on_7.cases[..]), (Basis::MeasuredHere, &["svi-7-busy"][..]));
/// let on_8 = standing("due-time", &Version::named("windows-8")?);
/// assert_eq!(on_8.basis, Basis::MeasuredElsewhere);
/// # Ok::<(), String>(())
/// ```
pub fn standing(rule: &'static str, version: &Version) -> Standing {
    let (basis, grounds) = at(rule, version)
        .or_else(|| nearest(rule, version))
        .or_else(|| documented(rule, version))
        .unwrap_or((Basis::Inferred, Vec::new()));
    Standing {
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
pub fn standings(version: &Version) -> Vec<Standing> {
    let rules = version.rules.iter().map(|rule| rule.name);
    let fixed = FIXED.iter().map(|(rule, _)| *rule);
    rules
        .chain(fixed)
        .map(|rule| standing(rule, version))
        .collect()
}

/// The cases that contradict a rule, each with the rule.
pub fn contradictions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let contradicting = GROUNDS
        .iter()
        .filter(|ground| ground.basis == Basis::Contradicted);
    contradicting.flat_map(|ground| ground.cases.iter().map(|case| (*case, ground.rule)))
}
