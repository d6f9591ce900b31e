//! Which open rule of Windows is true: the experiments that would tell, and what their recordings
//! exclude.
//!
//! The published measurements leave some rules open. A [`Hypothesis`] gives each of them a value. An
//! experiment is a question to `sleep`. Its result is *predicted* by asking simulated machines that
//! follow the hypothesis. [`decide()`] chooses the experiments that tell the most hypotheses apart, and
//! [`judge()`] says which of them a recording excludes.
//!
//! Nothing is known of a stranger's machine. So a prediction is the results of several machines, and a
//! hypothesis is excluded only if the results of none of them agree with the recording.

mod candidates;
mod decide;
mod hypothesis;
mod judge;
mod predict;
mod sample;
mod saved;
mod version;

pub use candidates::{Experiment, candidates, experiments};
pub use decide::{Chosen, Decision, Foreseen, decide};
pub use hypothesis::{Hypothesis, OPEN, hypotheses, remaining, rule_of};
pub use judge::{Exclusion, Judged, Judgement, judge};
pub use predict::{Predicted, Stopped, Surroundings, usual_surroundings};
pub use sample::{Difference, Sample, Side, TOLERANCE, Tolerance};
pub use saved::{SCHEMA, Saved};
pub use version::{Unfit, subject};

#[cfg(test)]
mod tests;
