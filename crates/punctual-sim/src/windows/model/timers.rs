//! Waitable timers, and how ordinary ones tick with the machine.

use super::alarms::AlarmId;
use super::objects::{Armed, Handle, Kind, Object, ObjectKey, WaitableTimer};
use super::waiting::Until;
use super::{Target, WindowsKernel, WindowsModel};
use crate::ProcessId;
use punctual::Instant;
use punctual::os::windows::Win32Error;
use punctual_windows::choices::HighResolutionEnd;
use punctual_windows::expiry::{tolerance, tolerated_ticks};
use punctual_windows::{Periodic, WaitKind};
use std::time::Duration;

/// What `SetWaitableTimerEx` is given.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) until: Until,
    pub(crate) period: Option<Duration>,
    pub(crate) tolerable_delay: Duration,
}

impl WindowsModel {
    /// Looks up a timer of the calling process.
    pub(crate) fn timer_of_caller(
        &mut self,
        kernel: &WindowsKernel,
        timer: Handle,
    ) -> Result<ObjectKey, Win32Error> {
        let key = self.key_of_caller(kernel, timer)?;
        match self.waitable(key) {
            Some(_) => Ok(key),
            None => Err(Win32Error::INVALID_HANDLE),
        }
    }

    pub(crate) fn set_timer_object(
        &mut self,
        kernel: &mut WindowsKernel,
        timer: Handle,
        setting: Setting,
    ) -> Result<(), Win32Error> {
        let key = self.key_of_caller(kernel, timer)?;
        let Some(Object {
            signalled,
            kind: Kind::Timer(timer),
            ..
        }) = self.object(key)
        else {
            return Err(Win32Error::INVALID_HANDLE);
        };
        *signalled = false;
        let is_high_resolution = timer.high_resolution;
        if timer.armed.is_some() {
            self.disarm(kernel, key);
        }
        let end = self.timer.rules().hr_end;
        if is_high_resolution && end == HighResolutionEnd::Interrupts {
            self.arm_one_shots(kernel, key, setting);
        } else {
            self.arm_with_ticks(kernel, key, setting);
        }
        Ok(())
    }

    /// Makes a timer inactive; anything else is left alone.
    pub(crate) fn disarm(&mut self, kernel: &mut WindowsKernel, key: ObjectKey) {
        match self.waitable(key).and_then(|timer| timer.armed.take()) {
            Some(Armed::Tick { alarm, .. }) => self.cancel_alarm(kernel, alarm),
            Some(Armed::OneShots(one_shots)) => one_shots.cancel(kernel),
            None => {}
        }
    }

    #[inline]
    pub(super) fn waitable(&mut self, key: ObjectKey) -> Option<&mut WaitableTimer> {
        match self.object(key) {
            Some(Object {
                kind: Kind::Timer(timer),
                ..
            }) => Some(timer),
            _ => None,
        }
    }

    fn arm_with_ticks(&mut self, kernel: &mut WindowsKernel, key: ObjectKey, setting: Setting) {
        let Some(due) = self.due(kernel, setting.until) else {
            return;
        };
        let owner = kernel.current_process();
        let rules = *self.timer.rules();
        let tolerance = tolerance(&rules, setting.tolerable_delay);
        // One that was due long ago is due now: its periods do not count from then.
        let last_tick = self.ticks_around(kernel.now()).last;
        let over = due <= last_tick;
        let due = due.max(last_tick);
        let mut periodic = setting
            .period
            .map(|period| Periodic::new(&rules, WaitKind::Ordinary, due, period));
        if over {
            self.signal(kernel, key);
            let Some(timer) = &mut periodic else {
                return;
            };
            timer.fire(due);
        }
        let due = periodic.map_or(due, |timer| timer.due());
        self.arm_for(kernel, key, owner, due, periodic, tolerance);
    }

    fn arm_for(
        &mut self,
        kernel: &mut WindowsKernel,
        key: ObjectKey,
        owner: ProcessId,
        due: Instant,
        periodic: Option<Periodic>,
        tolerance: Duration,
    ) {
        let class = self.class_of(owner, WaitKind::Ordinary);
        let target = Target::Timer(key);
        let alarm = if tolerance.is_zero() {
            self.set_alarm(kernel, class, due, target)
        } else {
            let (first, last) = tolerated_ticks(self.timer.clock(), due, tolerance);
            self.set_tolerant_alarm(kernel, class, first..=last, target)
        };
        if let Some(timer) = self.waitable(key) {
            timer.armed = Some(Armed::Tick {
                owner,
                alarm,
                periodic,
                tolerance,
            });
        }
    }

    /// A tick has found a timer due. It may have been set anew or closed since.
    pub(super) fn timer_expires(
        &mut self,
        kernel: &mut WindowsKernel,
        key: ObjectKey,
        alarm: AlarmId,
        tick: Instant,
    ) {
        let Some(timer) = self.waitable(key) else {
            return;
        };
        match timer.armed.take() {
            Some(Armed::Tick {
                owner,
                alarm: expected,
                periodic,
                tolerance,
            }) if expected == alarm => {
                if let Some(mut periodic) = periodic {
                    periodic.fire(tick);
                    let due = periodic.due();
                    self.arm_for(kernel, key, owner, due, Some(periodic), tolerance);
                }
                self.signal(kernel, key);
            }
            other => timer.armed = other,
        }
    }
}
