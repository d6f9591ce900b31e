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

/// How much is tried: what finds the common mistakes, or with `PUNCTUAL_LONG=1` what finds rare ones, too.
fn effort(quick: u32, long: u32) -> u32 {
    match std::env::var_os("PUNCTUAL_LONG") {
        None => quick,
        Some(_) => long,
    }
}
