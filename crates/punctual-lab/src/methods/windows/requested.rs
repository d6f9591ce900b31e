//! Any method, while the process asks for a timer interval of its own.

use crate::machine::Method;
use crate::machine::Request;
use punctual::os::windows::Win32Lab;
use punctual::{Error, Instant};
use std::time::Duration;

/// A method under a request that begins and ends with its turns. A change of the interval takes
/// effect at the next tick, so the first wait of a turn may still be long.
struct Requested<W: Win32Lab> {
    win32: W,
    request: Request,
    method: Box<dyn Method>,
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
