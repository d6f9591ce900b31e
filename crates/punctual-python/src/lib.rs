//! The native module of the Python package `punctually`.
//!
//! What comes in: calls of Python. What goes out: waits with the interpreter's lock given up.
//!
//! | to change | open |
//! |---|---|
//! | a wait, a loop, a driver | `sleeper.rs`, `ticker.rs`, `driver.rs` |
//! | when the lock is taken back | `lead.rs`, `waiting.rs` |
//! | what Python sees | `python/punctually/`, whose `_native.pyi` has the types of this module |
//! | waits of languages on simulated machines | `punctual-python-lab`, which `build.rs` puts beside it |

mod alarm;
mod cancel;
mod clock;
mod driver;
mod errors;
mod guards;
mod interpreter;
mod lateness;
mod lead;
mod os;
mod quantities;
mod sleeper;
mod stats;
mod switch_interval;
mod ticker;
mod waiting;
mod wake;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    interpreter::check(module.py())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    clock::register(module)?;
    cancel::register(module)?;
    wake::register(module)?;
    sleeper::register(module)?;
    ticker::register(module)?;
    stats::register(module)?;
    driver::register(module)?;
    guards::register(module)?;
    alarm::register(module)
}
