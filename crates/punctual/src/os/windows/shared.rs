//! What all handles of one machine share, found out once and undone with the last of them.

use super::clock::{self, Clock};
use super::throttling::Throttling;
use super::timers::{Kind, Timers};
use super::{Win32, Win32Error};
use crate::margin::ProcessBudget;
use std::sync::Arc;
use std::time::Duration;

/// Where the system doesn't say: the longest default interval that has been reported, on some
/// builds of Windows 10. Most have 15.625 ms.
const LONGEST_DEFAULT_INTERVAL: Duration = Duration::from_millis(20);

/// Where the system doesn't say: the least period that `timeBeginPeriod` takes on any machine.
const LEAST_PERIOD: u32 = 1;

pub(super) struct Shared<W: Win32> {
    pub(super) win32: W,
    pub(super) clock: Clock,
    /// The spacing of ticks when nothing has requested less.
    pub(super) default_interval: Duration,
    /// What a request asks for, in milliseconds.
    pub(super) request_period: u32,
    pub(super) throttling: Throttling,
    pub(super) process_budget: Arc<ProcessBudget>,
    pub(super) plain: Timers<W>,
    /// `None` where the system has no such timers.
    pub(super) high_resolution: Option<Timers<W>>,
}

impl<W: Win32> Shared<W> {
    pub(super) fn new(win32: W, process_budget: Arc<ProcessBudget>) -> Self {
        let default_interval = win32
            .nt_query_timer_resolution()
            .map_or(LONGEST_DEFAULT_INTERVAL, |found| {
                clock::from_units(found.maximum_time)
            });
        let request_period = win32
            .time_get_dev_caps()
            .map_or(LEAST_PERIOD, |caps| caps.period_min);
        Self {
            clock: Clock::new(win32.query_performance_frequency()),
            default_interval,
            request_period,
            throttling: Throttling::new(&win32),
            process_budget,
            plain: Timers::new(Kind::Plain, &win32),
            high_resolution: high_resolution_timers(&win32).ok(),
            win32,
        }
    }
}

/// Versions are told apart by trying: numbers lie, in compatibility mode and without a manifest.
/// A timer is also set once, because a system that makes such a timer may still refuse to set it;
/// it then waits for its first borrower.
fn high_resolution_timers<W: Win32>(win32: &W) -> Result<Timers<W>, Win32Error> {
    const LATER: Duration = Duration::from_secs(1);
    let timers = Timers::new(Kind::HighResolution, win32);
    let trial = timers.lend()?;
    win32.set_waitable_timer(trial.object(), clock::due_time(LATER), 0)?;
    win32.cancel_waitable_timer(trial.object())?;
    drop(trial);
    Ok(timers)
}
