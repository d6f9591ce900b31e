//! Any method, while the process asks for a timer interval of its own.

use super::units;
use crate::method::Method;
use punctual::os::windows::{Win32Error, Win32Lab};
use punctual::{Error, Instant};
use std::time::Duration;

/// A method under a request that begins and ends with its turns. A change of the interval takes
/// effect at the next tick, so the first wait of a turn may still be long.
struct Requested<W: Win32Lab> {
    win32: W,
    request: Request,
    method: Box<dyn Method>,
}

/// How to ask: `timeBeginPeriod` knows whole milliseconds, `NtSetTimerResolution` units of 100 ns.
#[derive(Debug, Clone, Copy)]
enum Request {
    Milliseconds(u32),
    Units(u32),
}

/// The method, while the process asks for this timer interval in each of its turns.
///
/// # Errors
/// When the system refuses the request, which is tried once.
pub fn requested<W: Win32Lab>(
    win32: &W,
    method: Box<dyn Method>,
    interval: Duration,
) -> Result<Box<dyn Method>, Error> {
    let request = Request::of(interval);
    request
        .begin(win32)
        .and_then(|()| request.end(win32))
        .map_err(|error| Error::system(format!("the request is refused: {error}")))?;
    Ok(Box::new(Requested {
        win32: win32.clone(),
        request,
        method,
    }))
}

impl Request {
    fn of(interval: Duration) -> Self {
        let milliseconds = u32::try_from(interval.as_millis()).unwrap_or(u32::MAX);
        if Duration::from_millis(milliseconds.into()) == interval {
            Self::Milliseconds(milliseconds)
        } else {
            Self::Units(u32::try_from(units(interval)).unwrap_or(u32::MAX))
        }
    }

    fn begin<W: Win32Lab>(self, win32: &W) -> Result<(), Win32Error> {
        match self {
            Self::Milliseconds(period) => win32.time_begin_period(period),
            Self::Units(units) => win32.nt_set_timer_resolution(units, true).map(drop),
        }
    }

    fn end<W: Win32Lab>(self, win32: &W) -> Result<(), Win32Error> {
        match self {
            Self::Milliseconds(period) => win32.time_end_period(period),
            Self::Units(units) => win32.nt_set_timer_resolution(units, false).map(drop),
        }
    }
}

impl<W: Win32Lab> Method for Requested<W> {
    fn begin_turn(&mut self) {
        // What could be asked for when the method was made can be asked for now.
        let _ = self.request.begin(&self.win32);
        self.method.begin_turn();
    }

    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.method.wait_until(deadline)
    }

    fn end_turn(&mut self) {
        self.method.end_turn();
        let _ = self.request.end(&self.win32);
    }
}
