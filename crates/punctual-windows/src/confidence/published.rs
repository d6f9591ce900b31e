//! Published means, and the conditions for which they stand.

use super::asked::{Asked, Begun, Call, Subject};
use crate::Companion;
use crate::Standing;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use core::time::Duration;

/// A published mean for exactly the conditions that were asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// The case of the evidence.
    pub case: &'static str,
    /// The smallest mean that agrees with it, in milliseconds.
    pub from_ms: f64,
    /// The largest.
    pub to_ms: f64,
    /// Whether this machine is as the measured one was: if others slept there, they do here.
    pub is_alike: bool,
}

impl Published {
    /// Whether a mean is the published one.
    pub fn agrees(&self, mean: Duration) -> bool {
        (self.from_ms..=self.to_ms).contains(&(mean.as_secs_f64() * 1e3))
    }
}

/// A publication about `Sleep(1)` in a tight loop: its versions, who requests which interval (in
/// milliseconds), and its result.
struct Statement {
    case: &'static str,
    versions: &'static [&'static str],
    by: By,
    requests: RangeInclusive<u32>,
    says: Says,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Other,
    Own,
}

#[derive(Clone, Copy)]
enum Says {
    /// The mean, to the nearest tenth.
    Mean(f64),
    /// The mean is the request.
    Request,
    /// As printed: "about", so that any mean in between agrees; on a machine on which other programs
    /// slept.
    BetweenAmongOthers(f64, f64),
}

/// The tolerance of a mean that is published to the nearest tenth.
const TENTH: f64 = 0.05;

/// What `Sleep(1)` waits.
const SLEEP_1: Duration = Duration::from_millis(1);

const fn said(
    case: &'static str,
    versions: &'static [&'static str],
    by: By,
    requests: RangeInclusive<u32>,
    says: Says,
) -> Statement {
    Statement {
        case,
        versions,
        by,
        requests,
        says,
    }
}

const V1909: &[&str] = &["windows-10-1909"];
const V2004: &[&str] = &["windows-10-2004"];

/// The tolerances are those of the evidence. The article's text gives no result for 2004 at 1, 3, 4
/// and 5, and for other versions only the result at 1.
const STATEMENTS: &[Statement] = &[
    said(
        "grc-1909-1",
        &["windows-xp", "windows-10-1909"],
        By::Other,
        1..=1,
        Says::Mean(2.0),
    ),
    said(
        "grc-1909-1",
        &["windows-7", "windows-8"],
        By::Other,
        1..=1,
        Says::Mean(1.0),
    ),
    said("grc-1909-self", V1909, By::Other, 2..=15, Says::Request),
    // About 64 times a second, on the machine of grc-2004-8.
    said(
        "grc-2004-2",
        V2004,
        By::Other,
        2..=2,
        Says::BetweenAmongOthers(1000.0 / 64.5, 1000.0 / 63.5),
    ),
    said("grc-2004-6", V2004, By::Other, 6..=6, Says::Mean(12.0)),
    said("grc-2004-7", V2004, By::Other, 7..=7, Says::Mean(14.0)),
    said(
        "grc-2004-8",
        V2004,
        By::Other,
        8..=8,
        Says::BetweenAmongOthers(14.2, 14.8),
    ),
    said("svi-xp-1", &["windows-xp"], By::Own, 1..=1, Says::Mean(2.0)),
    said(
        "svi-7-1",
        &["windows-7", "windows-8"],
        By::Own,
        1..=1,
        Says::Mean(1.0),
    ),
    said("grc-2004-own", V2004, By::Own, 1..=1, Says::Mean(2.0)),
    said("grc-2004-own", V2004, By::Own, 2..=15, Says::Request),
];

/// The cases that have a published mean.
pub fn statements() -> impl Iterator<Item = &'static str> {
    STATEMENTS.iter().map(|statement| statement.case)
}

/// What is published for these conditions, if anything. Publications are about usual machines: on
/// other hardware, and with other requesters, everything is a prediction.
pub(super) fn find(subject: &Subject, asked: &Asked) -> Option<Published> {
    let (by, requested) = requester(subject, asked)?;
    let about = |statement: &&Statement| {
        statement.by == by
            && statement.versions.contains(&subject.version.name)
            && statement
                .requests
                .clone()
                .any(|request| requested == Duration::from_millis(u64::from(request)))
    };
    let statement = STATEMENTS.iter().find(about)?;
    let (from_ms, to_ms, others_slept) = statement.says.range(requested.as_secs_f64() * 1e3);
    let is_alike = !others_slept || subject.companions.iter().any(is_sleepers);
    Some(Published {
        case: statement.case,
        from_ms,
        to_ms,
        is_alike,
    })
}

fn is_sleepers(companion: &Companion) -> bool {
    matches!(companion, Companion::Sleepers { .. })
}

/// Who requests which interval, if the conditions are those of a publication: `Sleep(1)` in a tight
/// loop on a usual machine, one requester, and at most sleepers beside it.
fn requester(subject: &Subject, asked: &Asked) -> Option<(By, Duration)> {
    // Intervals differ by a hair between the sizes of a quantum, and no source says which it had.
    let is_usual = subject
        .settings()
        .iter()
        .all(|(name, _)| *name == "quantum")
        && subject.rules == subject.version.rules;
    let is_sleep_1 = asked.call == Call::Ordinary
        && asked.duration == SLEEP_1
        && asked.begun == Begun::Tight
        && asked.standing == Standing::default();
    if !is_usual || !is_sleep_1 {
        return None;
    }
    let others: Vec<_> = subject
        .companions
        .iter()
        .filter(|other| !is_sleepers(other))
        .collect();
    match (asked.request, &others[..]) {
        (Some(request), []) => Some((By::Own, request)),
        (None, [Companion::Requester { interval, standing }])
            if *standing == Standing::default() =>
        {
            Some((By::Other, *interval))
        }
        _ => None,
    }
}

impl Says {
    /// The means that agree, and whether other programs slept.
    fn range(self, requested_ms: f64) -> (f64, f64, bool) {
        match self {
            Self::Mean(mean) => (mean - TENTH, mean + TENTH, false),
            Self::Request => (requested_ms - TENTH, requested_ms + TENTH, false),
            Self::BetweenAmongOthers(from, to) => (from, to, true),
        }
    }
}
