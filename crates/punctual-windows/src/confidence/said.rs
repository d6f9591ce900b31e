//! What is said of a figure: how far it can be trusted, as recordings have it.

use super::{Footing, Level, Verdict};
use serde::{Deserialize, Serialize};
use std::borrow::ToOwned;
use std::string::String;
use std::time::Duration;
use std::vec::Vec;

/// How far a figure of a simulated machine can be trusted, and why not further.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confidence {
    /// How far.
    pub level: Level,
    /// The case of the evidence that publishes this figure for these conditions; `None` if there is
    /// none.
    pub case: Option<String>,
    /// What it rests on, the weakest first.
    pub rests_on: Vec<Ground>,
    /// What is unusual about the machine: settings and rules that no measurement was made with.
    pub unusual: Vec<String>,
}

/// A rule that a figure rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ground {
    /// The rule.
    pub rule: String,
    /// What it stands on, in words: `measured`, `inferred`, …
    pub basis: String,
    /// How far an answer can be trusted that rests on it.
    pub level: Level,
    /// The cases of the evidence that say so.
    pub cases: Vec<String>,
}

impl From<Footing> for Ground {
    fn from(footing: Footing) -> Self {
        Self {
            rule: footing.rule.to_owned(),
            basis: footing.basis.name().to_owned(),
            level: footing.level(),
            cases: footing.cases.into_iter().map(str::to_owned).collect(),
        }
    }
}

impl Verdict {
    /// The verdict on a mean; or on figures of which no mean is published.
    pub fn said(&self, mean: Option<Duration>) -> Confidence {
        let level = mean.map_or(self.rules_give, |mean| self.of_mean(mean));
        let published = self.published.as_ref();
        let published = published.filter(|said| said.is_alike && mean.is_some());
        Confidence {
            level,
            case: published.map(|published| published.case.to_owned()),
            rests_on: self.rests_on.iter().cloned().map(Ground::from).collect(),
            unusual: self.because.clone(),
        }
    }
}
