//! Processors that are kept from idling, by processes that run only where nothing else does.

use crate::answering::Worker;
use crate::failure::Failure;
use crate::machine::processors;
use crate::os::waits;
use crate::waiting::load;
use std::collections::BTreeSet;

/// The hidden subcommand that such a process runs.
pub const SUBCOMMAND: &str = "keep-awake";

/// Keeps all processors but some awake, until this is dropped.
pub fn keep(others: &BTreeSet<usize>) -> Result<Vec<Worker>, Failure> {
    let all = (0..processors()).filter(|processor| !others.contains(processor));
    all.map(|processor| Worker::start(SUBCOMMAND, &processor.to_string()))
        .collect()
}

/// What such a process does.
pub fn keep_awake(processor: usize) -> Result<(), Failure> {
    waits::name_thread("awake");
    waits::stay_on(processor);
    waits::become_idle()?;
    load::spin_until_input_ends()
}
