//! Timers of Windows that a runtime starts once and that fire again and again.

use super::runtime::millis;
use crate::machine::{Machine, Setting};
use punctual_windows::personas::Wait;
use punctual_windows::{Periodic, Requester, WaitKind, multimedia_request};
use std::time::Duration;

/// Such a timer, which runs until its runtime asks for another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Repeating {
    wait: Wait,
    schedule: Periodic,
    /// What `timeSetEvent` requests as long as its timer runs.
    request: Option<Duration>,
}

impl Repeating {
    /// What ends a wait for the next firing. A firing that nobody waited for ends it at once.
    pub(super) fn next(
        kept: &mut Option<Self>,
        machine: &mut Machine,
        process: u32,
        wait: Wait,
    ) -> Setting {
        if kept.is_none_or(|kept| kept.wait != wait) {
            if let Some(request) = kept.take().and_then(|kept| kept.request) {
                machine.end_request(Requester::Process(process), request);
            }
            *kept = Some(Self::start(machine, process, wait));
        }
        let now = machine.now();
        let Some(timer) = kept else {
            return Setting::Exact(now);
        };
        let setting = match wait {
            Wait::Queue { .. } => Setting::QueueAt(timer.schedule.due()),
            _ => Setting::At(timer.schedule.due()),
        };
        // What is waited for now is not waited for again.
        timer.schedule.fire(timer.schedule.due());
        setting
    }

    fn start(machine: &mut Machine, process: u32, wait: Wait) -> Self {
        let (kind, request) = match wait {
            Wait::TimeSetEvent { resolution_ms, .. } => {
                let request = multimedia_request(millis(resolution_ms));
                (WaitKind::Ordinary, Some(request))
            }
            _ => (WaitKind::TimerQueue, None),
        };
        if let Some(request) = request {
            machine.begin_request(Requester::Process(process), request);
        }
        let timer = machine.timer();
        let period = wait.length().max(millis(1));
        let due = timer.due_time(machine.now(), period);
        Self {
            wait,
            schedule: Periodic::new(timer.rules(), kind, due, period),
            request,
        }
    }
}
