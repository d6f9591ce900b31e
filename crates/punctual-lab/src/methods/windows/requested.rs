//! Any method, under a request of this process for a timer interval.

use crate::machine::{Method, NANOS_PER_UNIT, Request};
use punctual::{Error, Instant};
use punctual_windows::os::windows::Win32Lab;
use std::time::Duration;

/// A method with a request that begins and ends with its turns.
struct Requested<W: Win32Lab> {
    win32: W,
    request: Request,
    method: Box<dyn Method>,
}

/// The method, with this process's request for this timer interval in each of its turns.
///
/// # Errors
/// If the system refuses the request, which is tried once.
pub fn requested<W: Win32Lab>(
    win32: &W,
    method: Box<dyn Method>,
    interval: Duration,
) -> Result<Box<dyn Method>, Error> {
    let request = Request::of(interval);
    request
        .begin(win32)
        .and_then(|()| request.end(win32))
        .map_err(|error| Error::system(format!("the system refused the request: {error}")))?;
    Ok(Box::new(Requested {
        win32: win32.clone(),
        request,
        method,
    }))
}

/// The longest time until a request is in force. It takes effect at the next tick, and the longest
/// time between ticks is the default interval.
pub fn request_delay<W: Win32Lab>(win32: &W) -> Duration {
    // If the query fails: this value is reported of some builds of Windows 10.
    const LONGEST_KNOWN: Duration = Duration::from_millis(20);
    let found = win32.nt_query_timer_resolution();
    found.map_or(LONGEST_KNOWN, |found| {
        Duration::from_nanos(NANOS_PER_UNIT) * found.maximum_time
    })
}

impl<W: Win32Lab> Method for Requested<W> {
    fn begin_turn(&mut self) {
        // The request was accepted when the method was made, so it is accepted now.
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
