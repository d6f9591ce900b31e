//! What the numbers in events mean on the machine that wrote them.

use super::Raw;
use std::collections::{HashMap, HashSet};

/// The functions whose timers refill the quotas of groups of threads: that of the quota's period, and
/// that which hands on what other processors have left over.
///
/// `kernel/sched/fair.c`
pub const REFILLS: [&str; 2] = ["sched_cfs_period_timer", "sched_cfs_slack_timer"];

/// The system calls by which programs wait for locks.
const LOCKS: [&str; 3] = ["futex", "futex_wait", "futex_waitv"];

/// The tables of a machine.
#[derive(Debug, Default)]
pub(super) struct Tables {
    calls: HashMap<i64, String>,
    locks: HashSet<i64>,
    refills: HashSet<i64>,
}

impl Tables {
    pub(super) fn of(raw: &Raw) -> Self {
        let calls = raw.calls.iter();
        let locks = calls
            .clone()
            .filter(|(_, name)| LOCKS.contains(&name.as_str()));
        let refills = raw.functions.iter();
        let refills = refills.filter(|(_, name)| REFILLS.contains(&name.as_str()));
        Self {
            calls: calls.cloned().collect(),
            locks: locks.map(|&(number, _)| number).collect(),
            refills: refills.map(|&(address, _)| address.cast_signed()).collect(),
        }
    }

    /// The name of a system call.
    pub(super) fn call(&self, number: i64) -> Option<&str> {
        self.calls.get(&number).map(String::as_str)
    }

    /// Whether a system call may wait for a lock.
    pub(super) fn is_lock(&self, number: i64) -> bool {
        self.locks.contains(&number)
    }

    /// Whether a timer's function refills a quota.
    pub(super) fn refills(&self, function: i64) -> bool {
        self.refills.contains(&function)
    }
}
