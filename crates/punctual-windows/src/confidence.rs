//! How far a prediction can be trusted: what its rules rest on.
//!
//! A simulated machine answers any question. Some answers are published numbers, some follow from
//! rules that were measured under other conditions, some from rules that nobody has measured, and
//! some from rules that a published number contradicts. [`confidence`] tells which: the weakest rule
//! that an answer rests on decides.

mod asked;
mod footing;
mod foundation;
mod published;
#[cfg(feature = "std")]
mod said;
#[cfg(feature = "std")]
pub mod text;

pub use asked::{Asked, Begun, Call, Looks, Subject};
pub use footing::{Basis, FIXED};
pub use footing::{Footing, contradictions, footing, footings};
pub use published::{Published, statements};
#[cfg(feature = "std")]
pub use said::{Confidence, Ground};

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;

/// The parameter for the registry's key.
const GLOBAL_REQUESTS: &str = "global-requests";

/// How far a prediction can be trusted, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "std", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "std", serde(rename_all = "snake_case"))]
pub enum Level {
    /// A publication states this number for these conditions, and it comes out.
    Published,
    /// Every rule that it rests on was measured, under other conditions or on another version.
    #[cfg_attr(feature = "std", serde(rename = "rule_measured_elsewhere"))]
    MeasuredElsewhere,
    /// It rests on a rule that nobody has measured, or on an unusual machine.
    Inferred,
    /// A published number contradicts it, or a rule that it rests on.
    Contradicted,
}

impl Level {
    /// All of them, the best first.
    pub const ALL: [Self; 4] = [
        Self::Published,
        Self::MeasuredElsewhere,
        Self::Inferred,
        Self::Contradicted,
    ];

    /// The words for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::MeasuredElsewhere => "rule measured elsewhere",
            Self::Inferred => "inferred",
            Self::Contradicted => "contradicted",
        }
    }

    /// The sign after a figure; nothing for one that is published.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Published => "",
            Self::MeasuredElsewhere => "+",
            Self::Inferred => "?",
            Self::Contradicted => "!",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is known of a prediction before its outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The confidence that its rules give: never [`Level::Published`].
    pub rules_give: Level,
    /// The rules that it rests on, the weakest first.
    pub rests_on: Vec<Footing>,
    /// Why its rules are at best inferred although each was measured; empty if they are not.
    pub because: Vec<String>,
    /// What is published for these conditions.
    pub published: Option<Published>,
}

impl Verdict {
    /// The confidence of a prediction with this mean. A number that was published for a machine like
    /// this one decides over the rules: the prediction is that number, or it is contradicted.
    pub fn of_mean(&self, mean: Duration) -> Level {
        match self.published.as_ref().filter(|said| said.is_alike) {
            Some(published) if published.agrees(mean) => Level::Published,
            Some(_) => Level::Contradicted,
            None => self.rules_give,
        }
    }
}

/// How far a prediction can be trusted.
///
/// ```
/// use punctual_windows::confidence::{Asked, Call, Level, Subject, confidence};
/// use punctual_windows::{MachineParameters, Version};
/// use std::time::Duration;
///
/// let version = Version::named("windows-10-2004")?;
/// let usual = Subject::usual(version);
/// let sleep = Asked::tight(Call::Ordinary, Duration::from_millis(1));
/// let verdict = confidence(&usual, &sleep);
/// assert_eq!(verdict.rules_give, Level::MeasuredElsewhere);
///
/// let high_resolution = Asked::tight(Call::HighResolution, Duration::from_millis(1));
/// let verdict = confidence(&usual, &high_resolution);
/// assert_eq!(verdict.rules_give, Level::Contradicted);
/// assert_eq!(verdict.rests_on[0].rule, "high-resolution");
/// # Ok::<(), String>(())
/// ```
pub fn confidence(subject: &Subject, asked: &Asked) -> Verdict {
    let rules = foundation::rests_on(subject, asked);
    let mut rests_on: Vec<_> = rules
        .into_iter()
        .map(|rule| footing(rule, &subject.version))
        .collect();
    rests_on.sort_by_key(|footing| core::cmp::Reverse(footing.level()));
    let because = unusual(subject);
    let weakest = rests_on.first().map(Footing::level);
    let floor = match because.is_empty() {
        true => Level::MeasuredElsewhere,
        false => Level::Inferred,
    };
    Verdict {
        rules_give: weakest.map_or(floor, |weakest| weakest.max(floor)),
        rests_on,
        because,
        published: published::find(subject, asked),
    }
}

/// What of a machine no measurement was made on: rules that are not its version's, and settings that
/// are not the usual ones. The registry's key is a rule of its own.
fn unusual(subject: &Subject) -> Vec<String> {
    let changed = subject.rules.differences(&subject.version.rules);
    let changed = changed.map(|(name, here, _)| format!("{name}={here}"));
    let settings = subject.settings().into_iter();
    let settings = settings.filter(|&(name, _)| name != GLOBAL_REQUESTS);
    changed
        .chain(settings.map(|(name, value)| format!("{name}={value}")))
        .collect()
}

#[cfg(test)]
mod tests;
