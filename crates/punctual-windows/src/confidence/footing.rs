//! What each rule stands on, version by version: which case says what of it.

use super::Level;
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
        .or_else(|| only_documented(rule, version))
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

fn only_documented(rule: &str, version: &Version) -> Option<Found> {
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
    /// One published case measures it on this version, and another contradicts it.
    Disputed,
    /// A published case contradicts it.
    Contradicted,
}

impl Basis {
    /// The words for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::MeasuredHere => "measured",
            Self::MeasuredElsewhere => "measured on another version",
            Self::Documented => "documented",
            Self::Inferred => "inferred",
            Self::Disputed => "disputed",
            Self::Contradicted => "contradicted",
        }
    }
}

/// A rule that every version has alike, so that [`Rules`](crate::Rules) has no choice for
/// it: its name, and what it says.
pub const FIXED: [(&str, &str); 10] = [
    (
        ARBITRATION,
        "the smallest request of all processes decides about the interval",
    ),
    (
        PERIODIC_WAITABLE,
        "a periodic waitable timer keeps a schedule, as a timer queue does",
    ),
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

/// C1.
pub(super) const ARBITRATION: &str = "arbitration";
/// C4.
pub(super) const LAST_TICK: &str = "clock-at-tick";
/// C4.
pub(super) const TICK_COUNT: &str = "tick-count";
pub(super) const SELECT: &str = "select";
/// C8.
pub(super) const PERIODIC_WAITABLE: &str = "periodic-waitable";
/// C11.
pub(super) const MESSAGE_TIMER: &str = "message-timer";
/// C12.
pub(super) const TIME_SET_EVENT: &str = "time-set-event";
pub(super) const POOL_TIMER: &str = "pool-timer";
pub(super) const SCHEDULING: &str = "scheduling";
pub(super) const COSTS: &str = "call-cost";

/// Cases that measure, document or contradict a rule.
struct Ground {
    rule: &'static str,
    basis: Basis,
    /// Those on which the source measured, and not all for which its case is expected to hold.
    versions: &'static [&'static str],
    cases: &'static [&'static str],
}

impl Ground {
    fn is_about(&self, version: &Version) -> bool {
        self.versions.contains(&version.name)
    }
}

const XP: &str = "windows-xp";
const V7: &str = "windows-7";
const V8: &str = "windows-8";
const V1909: &str = "windows-10-1909";
const V2004: &str = "windows-10-2004";
const V11: &str = "windows-11";

const fn measured(
    rule: &'static str,
    versions: &'static [&'static str],
    cases: &'static [&'static str],
) -> Ground {
    Ground {
        rule,
        basis: Basis::MeasuredHere,
        versions,
        cases,
    }
}

const fn documented(
    rule: &'static str,
    versions: &'static [&'static str],
    cases: &'static [&'static str],
) -> Ground {
    Ground {
        basis: Basis::Documented,
        ..measured(rule, versions, cases)
    }
}

const fn contradicted(
    rule: &'static str,
    versions: &'static [&'static str],
    cases: &'static [&'static str],
) -> Ground {
    Ground {
        basis: Basis::Contradicted,
        ..measured(rule, versions, cases)
    }
}

/// All of them. A rule without any is inferred, as is a rule on a version of whose value nothing is
/// known.
const GROUNDS: &[Ground] = &[
    measured(ARBITRATION, &[XP], &["vd-xp-queue-47-raised"]),
    measured(ARBITRATION, &[V1909], &["grc-1909-self"]),
    measured(ARBITRATION, &[V2004], &["grc-2004-gettime"]),
    contradicted(ARBITRATION, &[V2004], &["grc2-c1"]),
    measured("lattice", &[XP], &["vd-xp-queue-47-raised"]),
    contradicted("lattice", &[XP], &["svi-xp-2"]),
    measured("lattice", &[V7, V8], &["svi-7-1", "grc-1909-1"]),
    measured("lattice", &[V1909], &["grc-1909-1"]),
    measured("lattice", &[V2004], &["grc-2004-own", "mic-table"]),
    measured("due-time", &[V7], &["svi-7-busy"]),
    // On versions that are ours: the sources name none, and are too late to be about 7 or 8.
    measured(
        "due-time",
        &[V1909, V2004, V11],
        &["early-250", "early-1000", "early-4"],
    ),
    contradicted(
        "due-time",
        &[V1909, V2004, V11],
        &["grc-random", "doc-sleep-ex"],
    ),
    measured("request-reach", &[XP], &["vd-xp-queue-47-raised"]),
    measured("request-reach", &[V1909], &["grc-1909-self"]),
    measured("request-reach", &[V2004], &["grc-2004-2", "grc-2004-own"]),
    measured("timer-queue-class", &[V2004], &["grc-queue-2004"]),
    measured("kernel-requests", &[V2004], &["grcc-driver"]),
    measured("global-key", &[V2004, V11], &["grc-key"]),
    documented("occlusion", &[V11], &["doc-occluded"]),
    documented("throttling", &[V11], &["doc-ignore-timer-resolution"]),
    measured(
        "rearm",
        &[XP],
        &["vd-xp-queue-100", "vd-xp-waitable-periodic"],
    ),
    measured("rearm", &[V7], &["vd-win7-queue-50"]),
    measured("timer-queue-extra", &[XP], &["vd-xp-queue-47-raised"]),
    measured("timer-queue-extra", &[V7], &["vd-win7-queue-50"]),
    // C9 as a whole: no combination of its rules accounts for all that was published.
    contradicted(
        "high-resolution",
        &[V2004, V11],
        &[
            "hr-avg-1us",
            "hr-half",
            "grc2-hr",
            "sil-due-quiet",
            "sil-due-half-nt",
            "qt-26100-5",
            "qt-comment",
        ],
    ),
    measured("platform-interval", &[V1909], &["grc2-c2"]),
    measured("platform-interval", &[V2004], &["grc-powercfg"]),
    measured(MESSAGE_TIMER, &[V1909], &["msg-fps"]),
    documented(
        MESSAGE_TIMER,
        &[XP, V7, V8, V1909, V2004, V11],
        &["doc-set-timer"],
    ),
    measured(LAST_TICK, &[XP], &["vd-xp-queue-47-raised"]),
    measured(LAST_TICK, &[V1909], &["grc-1909-self"]),
    measured(LAST_TICK, &[V2004], &["grc-2004-gettime"]),
    measured(TIME_SET_EVENT, &[V2004], &["grc-queue-2004"]),
];
