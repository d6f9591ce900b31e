//! Advice for each cause of lateness. The flags in it are those of `punctual explain` and `measure`.

mod linux;
mod turns;
mod windows;

use crate::report::CauseRow;
use serde::{Deserialize, Serialize};

/// The system whose advice applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum System {
    /// Linux.
    Linux,
    /// Windows.
    Windows,
}

/// What is known of the machine and of the thread that waited.
#[derive(Debug, Clone, Copy, Default)]
pub struct Facts<'a> {
    /// The hypervisor below the machine, if there is one.
    pub hypervisor: Option<&'a str>,
    /// The timer slack of the thread that waited.
    pub timer_slack_ns: Option<u64>,
    /// Whether that thread had a short slice.
    pub slice_is_short: bool,
}

/// What to do about a cause, and what not to think of it.
pub fn advice(row: &CauseRow, system: System, facts: Facts<'_>) -> String {
    match system {
        System::Linux => linux::advice(row, facts),
        System::Windows => windows::advice(row),
    }
}
