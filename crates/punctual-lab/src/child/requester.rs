//! A program that asks for a timer interval and does nothing else.

use super::say_ready;
use crate::conditions::{Throttling, standing};
use crate::resolution::{self, Held, OnWindows};
use punctual::Error;
use punctual::os::windows::WindowsOs;
use punctual_windows::os::windows::Win32Lab;
use std::convert::Infallible;
use std::thread;
use std::time::Duration;

/// The system ends the request when the process ends.
pub(super) fn serve(
    interval: Duration,
    throttling: Option<Throttling>,
) -> Result<Infallible, Error> {
    resolution::native(Ask {
        interval,
        throttling,
    })?
}

struct Ask {
    interval: Duration,
    throttling: Option<Throttling>,
}

impl OnWindows for Ask {
    type Output = Result<Infallible, Error>;

    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        let _held = match self.throttling {
            // A process without a window counts as hidden, and its request is to count.
            None => Held::ask(os, self.interval)?,
            Some(throttling) => {
                standing::tell(throttling, os.win32())?;
                Held::ask_as_it_stands(os, self.interval)?
            }
        };
        say_ready()?;
        loop {
            thread::park();
        }
    }
}
