//! One-shot timers as ways to wait for a deadline.

use super::{pool, queue};
use crate::machine::{Call, CallOffer, Method, Offer};
use crate::methods::windows::offer;
use punctual::os::windows::WindowsOs;
use punctual::{Error, Instant, Os};
use punctual_windows::mechanisms::{POOL_ONCE, QUEUE_ONCE};
use punctual_windows::os::windows::Win32Lab;

/// Timers that call back once, set for the rest of the time to each deadline.
pub fn methods<W: Win32Lab>() -> [Offer<WindowsOs<W>>; 2] {
    [
        offer(POOL_ONCE, |os, _| remaining(os, &pool())),
        offer(QUEUE_ONCE, |os, _| remaining(os, &queue())),
    ]
}

fn remaining<W: Win32Lab>(
    os: &WindowsOs<W>,
    offer: &CallOffer<WindowsOs<W>>,
) -> Result<Box<dyn Method>, Error> {
    let call = (offer.make)(os)?;
    let os = os.clone();
    Ok(Box::new(Remaining { os, call }))
}

struct Remaining<W: Win32Lab> {
    os: WindowsOs<W>,
    call: Box<dyn Call>,
}

impl<W: Win32Lab> Method for Remaining<W> {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let remaining = deadline.duration_since(self.os.now());
        // Windows refuses a timer only if it has no memory left. The wait then ends at once.
        let _ = self.call.call(remaining);
        self.os.now()
    }
}
