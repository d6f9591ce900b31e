//! Another process that asks for a timer interval, and does nothing else.

use super::say_ready;
use crate::resolution::{self, Held, OnWindows};
use punctual::Error;
use punctual::os::windows::{Win32Lab, WindowsOs};
use std::convert::Infallible;
use std::thread;
use std::time::Duration;

/// Asks until the process ends, with which the system takes its requests back.
pub(super) fn serve(nanos: &str) -> Result<Infallible, Error> {
    let interval = nanos.parse().map(Duration::from_nanos).map_err(|_| {
        Error::invalid_input(format!("{nanos:?} is no number of nanoseconds to ask for"))
    })?;
    resolution::native(Ask { interval })?
}

struct Ask {
    interval: Duration,
}

impl OnWindows for Ask {
    type Output = Result<Infallible, Error>;

    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        let _held = Held::ask(os, self.interval)?;
        say_ready()?;
        loop {
            thread::park();
        }
    }
}
