//! A program that asks for a timer interval and does nothing else.

use super::say_ready;
use crate::os::requests;
use punctual::Error;
use std::convert::Infallible;
use std::thread;
use std::time::Duration;

/// The request ends with the process, as the system sees to.
pub(super) fn serve(interval: Duration) -> Result<Infallible, Error> {
    let _request = requests::hold(interval)?;
    say_ready()?;
    loop {
        thread::park();
    }
}
