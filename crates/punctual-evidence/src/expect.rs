//! Statements about the outcome of a run.

use serde::Deserialize;
use std::fmt;

/// A published statement, whose tolerance it has, and why the rules cannot give it if they cannot.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Expectation {
    /// What was published.
    #[serde(flatten)]
    pub statement: Expect,
    /// Whose the tolerance is. In a run of a case it is always there: its own, or the case's.
    pub tolerance: Option<Whose>,
    /// Why a tolerance of ours is what it is: its own reason, or the case's.
    pub reason: Option<String>,
    /// Why it cannot be made to hold without bending a rule.
    pub expected_to_fail: Option<String>,
    /// The hypotheses tried on a statement that fails, each as `rule=value: what came out`.
    /// Several changes at once are separated by commas, and machine parameters are set alike.
    #[serde(default)]
    pub tried: Vec<String>,
}

impl Expectation {
    /// A statement without a tolerance, which is not expected to fail.
    pub fn exactly(statement: Expect) -> Self {
        Self {
            statement,
            tolerance: Some(Whose::None),
            reason: None,
            expected_to_fail: None,
            tried: Vec::new(),
        }
    }

    /// Whose its tolerance is.
    pub fn whose(&self) -> Whose {
        self.tolerance.unwrap_or(Whose::None)
    }
}

/// A statement about a run. Milliseconds throughout, if nothing else is said.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(
    tag = "what",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case"
)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each variant says what its fields are")]
pub enum Expect {
    /// `timeGetTime` at each wake-up, from the first; the clock's phase is free.
    Listing { readings: Vec<u64> },
    /// Every step of `timeGetTime` from one wake-up to the next is one of these, and each of
    /// these occurs.
    Steps { are: Vec<u64> },
    /// The mean time from one wake-up to the next.
    Mean { is: f64, within: f64 },
    /// What Dawson's program prints, on average.
    Printed { is: f64, within: f64 },
    /// The mean length of the waits, from the call to its return.
    MeanWait { is: f64, within: f64 },
    /// The length of the shortest wait.
    Shortest { from: f64, to: f64 },
    /// The length of the longest wait.
    Longest { from: f64, to: f64 },
    /// How often the loop wakes.
    WakesPerSecond { from: f64, to: f64 },
    /// The share of waits or iterations whose length is in a range.
    Share {
        of: Span,
        from: f64,
        to: f64,
        at_least: f64,
        at_most: f64,
    },
    /// The share of wake-ups that come a multiple of `step` after the one before.
    OnGrid {
        step: f64,
        within: f64,
        at_least: f64,
        at_most: f64,
    },
    /// One long iteration, one short, and their sum.
    LateThenShort { sum: f64, within: f64 },
    /// The share of waits that are at least 0.5 ms shorter than the most common ones is largest
    /// under the first of these requests of another process, in place of the companions' own.
    VariesMost { under: String, than: Vec<String> },
    /// The actual intervals, in units of 100 ns, that a table of requested ones was answered with:
    /// so many rows are equal, and in so many others the published answer is that to an earlier
    /// request.
    Granted {
        table: String,
        equal: usize,
        stale: usize,
    },
    /// The mean step of `timeGetTime`.
    ClockStep { is: f64, within: f64 },
    /// The actual interval.
    Interval { is: f64, within: f64 },
    /// The smallest request in force before the script and after each of its steps.
    Smallest { after: Vec<String> },
    /// The platform interval that `powercfg` shows after the script, in units of 100 ns.
    Platform { is: u64 },
    /// The kernel request that `powercfg` shows, in the same units.
    KernelRequest { is: u64 },
    /// What `powercfg` lists a process with, in the same units.
    Listed { process: String, is: u64 },
    /// What `clockres` shows.
    Clockres {
        maximum: Option<f64>,
        minimum: Option<f64>,
        current: Option<f64>,
    },
    /// What `clockres` shows as the current interval when it is asked again and again: each of
    /// these, to three decimals, and no other.
    Readings { are: Vec<f64> },
    /// Timer interrupts are handled by this processor, and by no other.
    Interrupted { processor: usize },
    /// How often a loop's wake-ups change their phase against the ticks, as a share of what the
    /// same loop does unpinned, and how often at least.
    PhaseShifts { than_unpinned: f64, at_least: u32 },
}

/// What of an iteration is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Span {
    /// From the call to its return.
    Waits,
    /// From one return to the next.
    Iterations,
}

impl Expect {
    /// Whether it is about requests and what tools show of them, not about waits and ticks.
    pub fn is_about_requests(&self) -> bool {
        matches!(
            self,
            Self::Smallest { .. }
                | Self::Platform { .. }
                | Self::KernelRequest { .. }
                | Self::Listed { .. }
                | Self::Clockres { .. }
        )
    }
}

/// Short enough for a table's cell, but for lists.
impl fmt::Display for Expect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listing { readings } => f.write_str(&list(readings)),
            Self::Steps { are } => write!(f, "steps {}", list(are)),
            Self::Mean { is, within } => write!(f, "mean {is} ±{within}"),
            Self::Printed { is, within } => write!(f, "prints {is} ±{within}"),
            Self::MeanWait { is, within } => write!(f, "waits of {is} ±{within}"),
            Self::Shortest { from, to } => write!(f, "shortest {from}–{to}"),
            Self::Longest { from, to } => write!(f, "longest {from}–{to}"),
            Self::WakesPerSecond { from, to } => write!(f, "{from}–{to} a second"),
            Self::Share {
                of: _,
                from,
                to,
                at_least,
                at_most,
            } => write!(f, "{from}–{to}: {}", shares(*at_least, *at_most)),
            Self::OnGrid {
                step,
                at_least,
                at_most,
                ..
            } => write!(f, "grid of {step}: {}", shares(*at_least, *at_most)),
            Self::LateThenShort { sum, .. } => write!(f, "long + short = {sum}"),
            Self::VariesMost { under, .. } => write!(f, "varies most at {under}"),
            Self::Granted { equal, stale, .. } => write!(f, "{equal} equal, {stale} stale"),
            Self::ClockStep { is, within } => write!(f, "clock step {is} ±{within}"),
            Self::Interval { is, within } => write!(f, "interval {is} ±{within}"),
            Self::Smallest { after } => f.write_str(&list(after)),
            Self::Platform { is } => write!(f, "platform {is}"),
            Self::KernelRequest { is } => write!(f, "kernel request {is}"),
            Self::Listed { process, is } => write!(f, "{process} listed with {is}"),
            Self::Clockres {
                maximum,
                minimum,
                current,
            } => {
                let shown = [maximum, minimum, current].map(|shown| {
                    let shown: &Option<f64> = shown;
                    shown.map_or("?".to_owned(), |shown| shown.to_string())
                });
                write!(f, "clockres {}", list(&shown))
            }
            Self::Readings { are } => write!(f, "reads {}", list(are)),
            Self::Interrupted { processor } => write!(f, "interrupts on {processor}"),
            Self::PhaseShifts {
                than_unpinned,
                at_least,
            } => write!(f, "shifts {at_least}+, ≤ {than_unpinned}×"),
        }
    }
}

pub(super) fn list<T: fmt::Display>(items: &[T]) -> String {
    let items: Vec<_> = items.iter().map(ToString::to_string).collect();
    items.join(" ")
}

fn shares(at_least: f64, at_most: f64) -> String {
    let percent = |share: f64| (share * 1_000.0).round() / 10.0;
    if at_least == at_most {
        return format!("{}%", percent(at_least));
    }
    format!("{}–{}%", percent(at_least), percent(at_most))
}

/// Whose a tolerance is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whose {
    /// Not published.
    Ours,
    /// Published with the number.
    Source,
    /// The numbers are exact.
    None,
}

impl fmt::Display for Whose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ours => "ours",
            Self::Source => "source",
            Self::None => "none",
        })
    }
}
