//! The exceptions, whose classes are in `errors.py`.

use pyo3::prelude::*;

/// In a module of their own, because the macro documents nothing.
mod classes {
    #![allow(missing_docs, reason = "errors.py has the documentation")]

    use pyo3::import_exception;

    import_exception!(punctually.errors, BusyError);
    import_exception!(punctually.errors, Cancelled);
    import_exception!(punctually.errors, ForkedError);
    import_exception!(punctually.errors, InvalidInputError);
    import_exception!(punctually.errors, NotPermittedError);
    import_exception!(punctually.errors, ShutDownError);
    import_exception!(punctually.errors, SystemCallError);
    import_exception!(punctually.errors, UnsupportedError);
}

pub use classes::*;

/// The exception of an error of the library.
pub fn raised(error: &punctual::Error) -> PyErr {
    let message = error.to_string();
    if error.is_invalid_input() {
        InvalidInputError::new_err(message)
    } else if error.is_not_permitted() {
        NotPermittedError::new_err(message)
    } else if error.is_unsupported() {
        UnsupportedError::new_err(message)
    } else {
        SystemCallError::new_err(message)
    }
}
