//! What ends a run: bad input, something that broke while it ran, or Ctrl-C.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A run that began and could not be finished.
pub type Failure = Box<dyn Error>;

/// What a shell calls the exit status of a program that Ctrl-C ended.
pub const INTERRUPTED: i32 = 130;

/// Whether Ctrl-C was pressed, from now on: it no longer ends the process.
pub fn interrupts() -> Result<Arc<AtomicBool>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&interrupted);
    ctrlc::set_handler(move || heard.store(true, Ordering::Relaxed))?;
    Ok(interrupted)
}
