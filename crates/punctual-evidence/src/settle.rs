//! Which open rule of Windows is true: the experiments that would tell, and what their recordings
//! exclude.
//!
//! The published measurements leave some rules open. A [`Hypothesis`] gives each of them a value. An
//! experiment is a question to `measure --for`. Its result is *predicted* by asking simulated machines that
//! follow the hypothesis. [`judge()`] says which hypotheses a recording excludes.
//!
//! Nothing is known of a stranger's machine. So a prediction is the results of several machines, and a
//! hypothesis is excluded only if the results of none of them agree with the recording.

mod experiments;
mod hypothesis;
mod judge;
mod predict;
mod record;
mod sample;
mod saved;
mod version;

pub use experiments::experiments;
pub use hypothesis::{Hypothesis, OPEN, hypotheses, remaining};
pub use judge::{Exclusion, Judged, Judgement, judge};
pub use record::record;
pub use sample::{Difference, Side};
pub use saved::{SCHEMA, Saved};
pub use version::{Unfit, subject};

#[cfg(test)]
mod tests;
