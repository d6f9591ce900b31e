//! The native module of the Python package `punctually`.

mod clock;
mod errors;
mod simulate;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    clock::register(module)?;
    simulate::register(module)
}
