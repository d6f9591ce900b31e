//! The tests of this crate from the outside, as one program: it links once.

mod etl;
mod names;
mod pages;
mod perfetto;
mod readers;
mod recorded;
mod reference;
#[cfg(feature = "sim")]
mod round_trip;
#[cfg(feature = "sim")]
mod simulated;
mod stacks;
mod streaming;
mod synthesised;
mod tally;
mod windows_priorities;
mod xperf;
