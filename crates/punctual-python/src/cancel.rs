//! Ending waits from another thread.

use crate::clock::native;
use pyo3::prelude::*;

/// Ends waits from any thread.
///
/// It ends every wait that uses it, and every later one, until it is reset. So one `Cancel` can stop all
/// loops of a program.
#[pyclass(frozen, module = "punctually")]
pub struct Cancel {
    pub inner: punctual::Cancel,
}

#[pymethods]
impl Cancel {
    #[new]
    fn new() -> PyResult<Self> {
        let inner = punctual::Cancel::on(native()?.clone());
        Ok(Self { inner })
    }

    /// Ends the waits. A second time changes nothing. It may be called by a signal handler.
    fn cancel(&self) {
        self.inner.cancel();
    }

    /// Makes it usable again. Call it after the cancelled waits have returned.
    fn reset(&self) {
        self.inner.reset();
    }

    /// Whether it is cancelled.
    #[getter]
    fn is_cancelled(&self) -> bool {
        self.inner.is_cancelled()
    }

    fn __repr__(&self) -> String {
        format!("<Cancel is_cancelled={}>", self.is_cancelled())
    }
}
