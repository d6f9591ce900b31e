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

mod others;
mod predictions;
mod programs;
mod run;
mod scripts;

pub use predictions::{Hypotheses, Prediction, hypotheses, predictions};

use super::{Case, Finding, Needs, Run, Wake};
use crate::{Companion as Described, Override};
use programs::duration;
use punctual::Instant;
use punctual_sim::Error;
use punctual_sim::windows::{SimWin32, WindowsMachine};
use punctual_windows::{Companion, MachineParameters, VERSIONS, Version};
use std::fmt;
use std::str::FromStr;
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
        programs::note(win32, began)
    }
}

/// A rule to be changed: `due-time=coarse`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleChange {
    name: String,
    value: String,
}

impl RuleChange {
    /// Which rule.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn over(&self) -> Override {
        Override {
            rules: [(self.name.clone(), self.value.clone())].into(),
            ..Override::default()
        }
    }
}

impl FromStr for RuleChange {
    type Err = String;

    /// The error lists the rules there are, or the values of the rule.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| format!("write RULE=VALUE, as in due-time=coarse; {}", rules()))?;
        let mut any_version = VERSIONS[0].rules;
        any_version.set(name, value)?;
        Ok(Self {
            name: name.to_owned(),
            value: value.to_owned(),
        })
    }
}

fn rules() -> String {
    let names: Vec<_> = VERSIONS[0].rules.iter().map(|rule| rule.name).collect();
    format!("rules are {}", names.join(", "))
}

impl fmt::Display for RuleChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

/// One run of a case on one version.
#[derive(Clone, Copy)]
struct Scene<'a> {
    run: &'a Run,
    version: &'a str,
}

impl Scene<'_> {
    /// With its first tick this long after the zero of its clocks.
    ///
    /// # Panics
    /// If the run names a version, rule or parameter that there is not.
    fn machine(self, phase: Duration) -> WindowsMachine {
        let version = readable(Version::named(self.version));
        let mut rules = version.rules;
        for (name, value) in &self.run.rules {
            readable(rules.set(name, value));
        }
        let pairs = self
            .run
            .machine
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let parameters = pairs.collect::<Vec<_>>().join(",");
        let parameters: MachineParameters = readable(parameters.parse());
        let machine = WindowsMachine::new(version)
            .with_rules(rules)
            .with_parameters(parameters)
            .with_first_tick(phase);
        let companions = self.run.companions.iter();
        companions
            .flat_map(|described| companions_of(described, parameters.processors))
            .fold(machine, WindowsMachine::with_companion)
    }
}

/// What the data says was read when it was tested, and rules are checked where they are given.
fn readable<T>(read: Result<T, String>) -> T {
    read.unwrap_or_else(|error| panic!("{error}"))
}

fn companions_of(described: &Described, processors: usize) -> Vec<Companion> {
    let companion = match described {
        Described::Requester { interval } => Companion::requester(duration(interval)),
        Described::Driver { interval } => Companion::Driver {
            interval: duration(interval),
        },
        Described::Sleepers {
            count,
            from,
            to,
            random_work,
        } => Companion::Sleepers {
            threads: *count,
            from: *from,
            to: *to,
            most_work: duration(random_work),
        },
        Described::Toggler {
            interval,
            raised,
            lowered,
        } => Companion::Toggler {
            interval: duration(interval),
            raised: duration(raised),
            lowered: duration(lowered),
        },
        Described::Load { threads } => {
            let threads = match threads.as_str() {
                "all" => processors,
                number => number.parse().expect("a number, or all"),
            };
            return vec![Companion::Load; threads];
        }
    };
    vec![companion]
}
