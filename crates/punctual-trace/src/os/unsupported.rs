//! The arm for systems whose kernel we do not ask for traces yet. Recordings are read on any.

use crate::event::ThreadId;
use crate::place::Place;
use crate::tracefs::{Portion, Raw, RingCounts};
use punctual::Error;
use std::collections::BTreeSet;
use std::convert::Infallible;

/// A trace that the kernel writes. There is none on this system.
#[derive(Debug)]
pub struct Capture(Infallible);

/// Begins what a capture has prepared. There is none on this system.
#[derive(Debug, Clone)]
pub struct Starter(Infallible);

impl Capture {
    /// Prepares a trace.
    ///
    /// # Errors
    /// Unsupported, always.
    pub fn prepare() -> Result<Self, Error> {
        let system = std::env::consts::OS;
        Err(Error::unsupported(format!(
            "the kernel of {system} is not asked for traces yet; recordings from elsewhere can be \
             read (--from)"
        )))
    }

    /// Prepares a trace of which the kernel keeps the end.
    ///
    /// # Errors
    /// Unsupported, always.
    pub fn prepare_ring(_: u64) -> Result<Self, Error> {
        Self::prepare()
    }

    /// Begins such a trace.
    ///
    /// # Errors
    /// Never comes to it.
    pub fn start_for(&self, _: &[ThreadId]) -> Result<(), Error> {
        match self.0 {}
    }

    /// Takes what the kernel has written.
    ///
    /// # Errors
    /// Never comes to it.
    pub fn take(&mut self) -> Result<Portion, Error> {
        match self.0 {}
    }

    /// What the kernel has counted.
    ///
    /// # Errors
    /// Never comes to it.
    pub fn counts(&self) -> Result<RingCounts, Error> {
        match self.0 {}
    }

    /// No command helps.
    pub fn remedy() -> Option<&'static str> {
        None
    }

    /// Also records system calls.
    ///
    /// # Errors
    /// Never comes to it.
    pub fn record_calls(&mut self, _: &[ThreadId], _: ThreadId) -> Result<(), Error> {
        match self.0 {}
    }

    /// Also records when threads come to a place in a program.
    ///
    /// # Errors
    /// Never comes to it.
    pub fn probe(&mut self, _: &Place) -> Result<(), Error> {
        match self.0 {}
    }

    /// Also records the texts that programs write into the trace, if they begin so.
    ///
    /// # Errors
    /// Never comes to it.
    pub fn expect_marker(&mut self, _: &str) -> Result<(), Error> {
        match self.0 {}
    }

    /// Also records stacks.
    ///
    /// # Errors
    /// Never comes to it.
    pub fn record_stacks(&mut self, _: &[ThreadId]) -> Result<(), Error> {
        match self.0 {}
    }

    /// Begins the trace, from any thread.
    pub fn starter(&self) -> Starter {
        match self.0 {}
    }

    /// The descriptions of its pages.
    pub fn raw(&self) -> &Raw {
        match self.0 {}
    }
}

/// The kernel's functions. None are known on this system.
#[derive(Debug)]
pub struct KernelFunctions(());

impl KernelFunctions {
    /// Knows none.
    pub fn read() -> Self {
        Self(())
    }

    /// None.
    pub fn at(&self, _: &BTreeSet<u64>) -> Vec<(u64, String)> {
        Vec::new()
    }
}

impl Starter {
    /// Begins.
    ///
    /// # Errors
    /// Never comes to it.
    pub fn start(&self, _: Option<ThreadId>) -> Result<(), Error> {
        match self.0 {}
    }

    /// Pauses.
    ///
    /// # Errors
    /// Never comes to it.
    pub fn pause(&self) -> Result<(), Error> {
        match self.0 {}
    }
}
