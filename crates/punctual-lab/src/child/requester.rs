//! A program that asks for a timer interval and does nothing else.

use super::say_ready;
use crate::resolution::{self, Held, OnWindows};
use punctual::Error;
use punctual::os::windows::{Win32Lab, WindowsOs};
use std::convert::Infallible;
use std::thread;
use std::time::Duration;

/// The system ends the request when the process ends.
pub(super) fn serve(interval: Duration) -> Result<Infallible, Error> {
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
