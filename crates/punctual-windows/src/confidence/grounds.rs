//! Which case says what of which rule, on which versions.

use super::basis::{ARBITRATION, Basis, LAST_TICK, MESSAGE_TIMER, TIME_SET_EVENT};
use crate::Version;

/// Cases that measure, document or contradict a rule.
pub(super) struct Ground {
    pub(super) rule: &'static str,
    pub(super) basis: Basis,
    /// Those on which the source measured, and not all for which its case is expected to hold.
    versions: &'static [&'static str],
    pub(super) cases: &'static [&'static str],
}

impl Ground {
    pub(super) fn is_about(&self, version: &Version) -> bool {
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
pub(super) const GROUNDS: &[Ground] = &[
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
