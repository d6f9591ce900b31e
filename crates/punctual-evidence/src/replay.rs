//! Published measurements of how Windows ends timed waits, replayed on whole simulated machines.
//!
//! What was measured through Windows' calls is measured through the simulated machine's, by
//! programs: with processors, calls that take time and interrupts that do. A case of the evidence
//! is several runs of several statements; whatever does not come out is said, with the reason if
//! it is known, and never made to come out.
//!
//! ```
//! use punctual_evidence::{RuleChange, Verdict, replay, sources};
//!
//! let sources = sources();
//! let mut cases = sources.iter().flat_map(|source| &source.case);
//! let busy = cases.find(|case| case.id == "svi-7-busy").unwrap();
//! assert_eq!(replay(busy, &[]).verdict(), Verdict::Holds);
//!
//! let precise: RuleChange = "due-time=precise".parse()?;
//! assert_eq!(replay(busy, &[precise]).verdict(), Verdict::Fails);
//! # Ok::<(), String>(())
//! ```

mod clock;
mod others;
mod predictions;
mod programs;
mod rule_change;
mod run;
mod scene;
mod scripts;

pub use predictions::{Hypotheses, Prediction, hypotheses, predictions};
pub use rule_change::RuleChange;

use super::{Case, Finding, Needs, Run, Wake};
use punctual::Instant;
use punctual_sim::Error;
use punctual_sim::windows::{SimWin32, WindowsMachine};
use scene::Scene;
use std::time::Duration;

/// What came of a case.
#[derive(Debug, Clone)]
pub struct Replay {
    /// Every statement of every run on every version, in the data's order.
    pub statements: Vec<Statement>,
    /// Why there are not all of them, if there are not.
    pub not_replayed: Option<String>,
}

/// A published statement and what came out on one version of Windows.
#[derive(Debug, Clone)]
pub struct Statement {
    /// Which variation of the case, from 1.
    pub variation: usize,
    /// The version's name.
    pub version: String,
    /// What was published and what came out.
    pub finding: Finding,
}

/// What is to be said of a case as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Every statement holds.
    Holds,
    /// Those that do not hold are known not to, each with its reason.
    ExpectedToFail,
    /// It says nothing about the rules, or could not be replayed.
    NotReplayed,
    /// A statement does not hold, and that was not known.
    Fails,
}

impl Replay {
    /// What is to be said of the case.
    pub fn verdict(&self) -> Verdict {
        let mut findings = self.statements.iter().map(|statement| &statement.finding);
        if findings.clone().any(|finding| !finding.is_fine()) {
            Verdict::Fails
        } else if self.not_replayed.is_some() {
            Verdict::NotReplayed
        } else if findings.all(|finding| finding.holds) {
            Verdict::Holds
        } else {
            Verdict::ExpectedToFail
        }
    }

    /// The statement to show if only one can be: the first that decides the verdict.
    pub fn telling(&self) -> Option<&Statement> {
        let failing = |statement: &&Statement| !statement.finding.holds;
        let mut statements = self.statements.iter();
        let unexpected = statements
            .clone()
            .find(|statement| !statement.finding.is_fine());
        let failing = unexpected.or_else(|| statements.clone().find(failing));
        failing.or_else(|| statements.next())
    }

    /// What was tried on statements that are known to fail: each hypothesis once.
    pub fn tried(&self) -> Vec<&str> {
        let mut tried = Vec::new();
        let findings = self.statements.iter().map(|statement| &statement.finding);
        for finding in findings.filter(|finding| !finding.holds) {
            for hypothesis in &finding.expected.tried {
                if !tried.contains(&hypothesis.as_str()) {
                    tried.push(hypothesis);
                }
            }
        }
        tried
    }

    /// Why statements are known to fail: each reason once.
    pub fn reasons(&self) -> Vec<&str> {
        let mut reasons = Vec::new();
        for finding in self.statements.iter().map(|statement| &statement.finding) {
            let reason = finding
                .expected
                .expected_to_fail
                .as_deref()
                .filter(|_| !finding.holds);
            if let Some(reason) = reason.filter(|reason| !reasons.contains(reason)) {
                reasons.push(reason);
            }
        }
        reasons
    }
}

/// Replays all of a case, with some rules changed wherever it runs.
pub fn replay(case: &Case, changes: &[RuleChange]) -> Replay {
    let mut replayed = Replay {
        statements: Vec::new(),
        not_replayed: None,
    };
    if case.needs == Needs::Nothing {
        replayed.not_replayed = Some("quoted: no rule could be wrong about it".to_owned());
    }
    for (variation, run) in (1..).zip(case.runs()) {
        let run = changes
            .iter()
            .fold(run, |run, change| run.overridden(&change.over()));
        replayed.add(variation, &run);
    }
    replayed
}

impl Replay {
    fn add(&mut self, variation: usize, run: &Run) {
        for version in &run.versions {
            match run.replay(version) {
                Ok(findings) => {
                    self.statements
                        .extend(findings.into_iter().map(|finding| Statement {
                            variation,
                            version: version.clone(),
                            finding,
                        }));
                }
                Err(error) => {
                    let reason = format!("variation {variation} on {version}: {error}");
                    self.not_replayed.get_or_insert(reason);
                }
            }
        }
    }
}

impl Run {
    /// What comes out on a version, statement by statement: on the machine with which most of it
    /// holds, if it may have been measured on several.
    ///
    /// # Errors
    /// If a program did not get to its end, so that there is nothing to compare.
    ///
    /// # Panics
    /// If the run names a version, rule or parameter that there is not.
    pub fn replay(&self, version: &str) -> Result<Vec<Finding>, Error> {
        let misses = |findings: &[Finding]| findings.iter().filter(|found| !found.holds).count();
        let mut best: Option<Vec<Finding>> = None;
        for run in self.possible() {
            let findings = run::replay(&run, version)?;
            if best
                .as_ref()
                .is_none_or(|best| misses(&findings) < misses(best))
            {
                best = Some(findings);
            }
            if best.as_ref().is_some_and(|best| misses(best) == 0) {
                break;
            }
        }
        Ok(best.unwrap_or_default())
    }

    /// The machine that it describes, whose first tick comes this long after the zero of its clocks.
    ///
    /// # Panics
    /// If the run names a version, rule or parameter that there is not.
    pub fn machine_on(&self, version: &str, first_tick: Duration) -> WindowsMachine {
        Scene { run: self, version }.machine(first_tick)
    }
}

impl Wake {
    /// A wait that has just ended, and began then.
    pub fn note(win32: &SimWin32, began: Instant) -> Self {
        clock::note(win32, began)
    }
}
