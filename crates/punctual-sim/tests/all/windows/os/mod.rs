//! The conformance bodies on the Windows that the tests run on, where they run on one.

#[cfg(windows)]
mod real;
