//! Ctrl-C, Ctrl-Break and the closing of a console, which Windows tells alike.
//!
//! <https://learn.microsoft.com/en-us/windows/console/setconsolectrlhandler>

use crate::stop::{Heard, Signal};
use std::io;

/// Calls this for each of them, on a thread of its own. Called once in a process.
pub fn listen(mut hears: impl FnMut(Heard) + Send + 'static) -> io::Result<()> {
    let heard = Heard {
        signal: Signal::Interrupt,
        by_process: false,
    };
    ctrlc::set_handler(move || hears(heard)).map_err(io::Error::other)
}
