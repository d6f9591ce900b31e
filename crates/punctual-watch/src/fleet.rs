//! Which of two groups of machines wakes later, and by how much, from what Prometheus keeps of them.
//!
//! Watches tell Prometheus how late each wake-up was, as histograms. This module asks Prometheus for two groups of
//! machines, such as those with the old and those with the new kernel, and compares a percentile of lateness between
//! the groups. What varies is the machine, so machines are resampled, not wake-ups.
//!
//! | module | what it is |
//! |---|---|
//! | [`selector`] | what is asked, checked before anything is asked |
//! | [`client`], [`reply`] | the HTTP interface of Prometheus |
//! | [`lateness`] | a histogram, and which of its percentiles is compared |
//! | [`machines`] | which machines are in which group, and their histograms |
//! | [`resampling`] | the ratio between two groups, and how sure it is |
//! | [`comparison`] | all of this together |
//! | [`error`] | why there is no answer |

pub mod client;
pub mod comparison;
pub mod error;
pub mod lateness;
pub mod machines;
pub mod reply;
pub mod resampling;
pub mod selector;

pub use client::Address;
pub use comparison::{Compared, Comparison, Question, compare};
pub use error::Error;
pub use lateness::Percentile;
pub use selector::Selector;
