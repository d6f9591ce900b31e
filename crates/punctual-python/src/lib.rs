//! The native module of the Python package `punctually`.

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
mod simulate;
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
    alarm::register(module)?;
    simulate::register(module)
}
