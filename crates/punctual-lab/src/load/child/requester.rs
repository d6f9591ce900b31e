//! Another process that asks for a timer interval, and does nothing else.

use super::say_ready;
use crate::Machine;
use crate::method::Method;
use punctual::{Error, Instant, Native};
use std::convert::Infallible;
use std::thread;
use std::time::Duration;

/// Asks until the process ends, with which the system takes its requests back.
pub(super) fn serve(nanos: &str) -> Result<Infallible, Error> {
    let interval = nanos.parse().map(Duration::from_nanos).map_err(|_| {
        Error::invalid_input(format!("{nanos:?} is no number of nanoseconds to ask for"))
    })?;
    let mut held = Native::detect()?.requested(Box::new(Nothing), interval)?;
    held.begin_turn();
    say_ready()?;
    loop {
        thread::park();
    }
}

/// A method that is never waited with: what counts is the request that goes with its turn.
struct Nothing;

impl Method for Nothing {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        deadline
    }
}
