//! The summary of many wake-ups: how many were explained, how late they were, and how much of that
//! each cause took.
//!
//! A [`Tally`] takes one wake-up after the other, and its memory stays small however many they are. It
//! makes a [`Report`], which has names instead of numbers and is written as JSON.

mod batches;
pub mod bound;
mod causes;
pub mod comparison;
mod named;
mod rows;
mod tally;
pub mod text;
mod worst;

pub use batches::Batch;
pub use named::named;
pub use rows::{
    CauseRow, Counted, Report, SegmentRow, StackRow, UnexplainedRow, WakeUpRow, WakerRow,
};
pub use tally::Tally;
