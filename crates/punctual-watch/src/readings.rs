//! What the system says about itself.

use std::collections::BTreeMap;
use std::time::Instant;

/// What the system says about itself. What it does not tell is not in it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Readings {
    /// When they were last renewed; `None` before the first time. Old readings mean that the observer hangs.
    pub renewed: Option<Instant>,
    /// Facts about the machine that change rarely: names such as `kernel`, `clock_source`, `governor`.
    pub facts: BTreeMap<&'static str, String>,
    /// Numbers that only rise, and those that do not, in the order in which they are told.
    pub numbers: Vec<Reading>,
}

/// A number that the system keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Its name in the exposition, without `punctual_` before it and without its unit or `_total`.
    pub name: &'static str,
    /// A sentence that says what it is.
    pub help: &'static str,
    /// `seconds`, `hertz`, `ratio`, or nothing.
    pub unit: Option<&'static str>,
    /// Whether it only rises while the machine runs.
    pub rises: bool,
    /// Labels, such as `cpu` or `resource`.
    pub labels: Vec<(&'static str, String)>,
    /// The number.
    pub value: f64,
}

impl Reading {
    /// Seconds that only rise.
    pub(crate) fn seconds(
        name: &'static str,
        help: &'static str,
        labels: Vec<(&'static str, String)>,
        value: f64,
    ) -> Self {
        Self {
            name,
            help,
            unit: Some("seconds"),
            rises: true,
            labels,
            value,
        }
    }
}
