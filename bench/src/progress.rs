//! How far a run has come, on stderr when that is a terminal.

use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// Drawn between blocks and turns only, by the thread that measures: never while something is measured.
pub struct Progress(ProgressBar);

impl Progress {
    /// Of a run that will take so long.
    pub fn new(total: Duration) -> Result<Self, Failure> {
        let style = ProgressStyle::with_template("{wide_bar} {percent:>3} %  {msg}")?;
        // Indicatif draws on stderr, and nothing at all where that is no terminal.
        let bar = ProgressBar::new(micros(total)).with_style(style);
        Ok(Self(bar))
    }

    /// Says what comes now.
    pub fn announce(&self, what: String) {
        self.0.set_message(what);
    }

    /// Draws nothing from now on.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }

    pub fn advance(&self, by: Duration) {
        self.0.inc(micros(by));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
