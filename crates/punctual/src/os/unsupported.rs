//! The arm for systems that have no folder yet: it compiles, and says so when it is run.

use super::refusal::refusal;
use crate::Error;
use std::env::consts::{ARCH, OS};

/// Stands in for the system this program runs on. No value of it is ever made.
pub use crate::os::VirtualOs as System;

impl System {
    /// Says that this system is not supported yet.
    ///
    /// # Errors
    /// Always.
    pub(crate) fn detect() -> Result<Self, Error> {
        Err(refusal(OS, ARCH, usize::BITS))
    }
}
