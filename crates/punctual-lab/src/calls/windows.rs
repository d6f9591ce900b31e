//! Windows' calls that wait, on any implementation of them.

mod messages;
mod methods;
mod objects;
mod once;

pub use methods::methods;

use crate::machine::{Call, CallOffer};
use punctual::Error;
use punctual::os::windows::WindowsOs;
use punctual_windows::mechanisms::Mechanism;
use punctual_windows::os::windows::Win32Lab;
use std::time::Duration;

/// Most calls count milliseconds.
const MILLISECOND: Duration = Duration::from_millis(1);

/// The kernel counts units of 100 ns.
const UNIT: Duration = Duration::from_nanos(100);

/// All of them.
pub fn all<W: Win32Lab>() -> Vec<CallOffer<WindowsOs<W>>> {
    vec![
        objects::sleep(),
        objects::wait(),
        objects::nt_delay(),
        objects::waitable(),
        objects::high_resolution(),
        once::pool(),
        once::queue(),
        messages::set_timer(),
    ]
}

/// A mechanism as a call, which takes lengths in this unit.
fn offer<W: Win32Lab, C: Call + 'static>(
    mechanism: Mechanism,
    unit: Duration,
    make: fn(&WindowsOs<W>) -> Result<C, Error>,
) -> CallOffer<WindowsOs<W>> {
    CallOffer {
        name: mechanism.name,
        summary: mechanism.summary,
        unit,
        make: Box::new(move |os| Ok(Box::new(make(os)?))),
    }
}

/// Waits until the timer has just ticked: an ordinary wait ends there.
pub fn await_tick<W: Win32Lab>(win32: &W) {
    const LEAST: u32 = 1;
    win32.sleep(LEAST);
}
