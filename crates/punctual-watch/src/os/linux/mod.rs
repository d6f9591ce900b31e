//! Linux.

mod accounts;
mod facts;
mod quota;
mod thread;

pub(crate) use accounts::numbers;
pub(crate) use facts::{clock_source, own_facts, possible_processors};
pub(crate) use quota::OwnQuota;
pub(crate) use thread::{clocks, pin, process_time, this_thread};
