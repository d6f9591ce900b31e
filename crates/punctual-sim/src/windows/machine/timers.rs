//! Waitable timers: ordinary ones, which tick with the machine, and high-resolution ones.

use super::alarms::AlarmId;
use super::model::{CLOCK_PROCESSOR, Event, Target, WindowsKernel, WindowsModel};
use super::objects::{Kind, Object, ObjectKey};
use super::waiting::Until;
use crate::engine::EventId;
use crate::windows::expiry::{tolerance, tolerated_ticks};
use crate::windows::{HighResolutionTimer, Periodic, WaitKind};
use crate::{ProcessId, What};
use punctual::Instant;
use punctual::os::windows::{Handle, Win32Error};
use std::time::Duration;

#[derive(Debug)]
pub(super) struct WaitableTimer {
    pub(super) high_resolution: bool,
    pub(super) armed: Option<Armed>,
}

/// How an active timer is going to be signalled.
#[derive(Debug)]
pub(super) enum Armed {
    /// By a tick.
    Tick {
        owner: ProcessId,
        alarm: AlarmId,
        periodic: Option<Periodic>,
        tolerance: Duration,
    },
    /// By interrupts of its own; `next` is what happens next.
    OneShots {
        setting: SettingId,
        timer: HighResolutionTimer,
        next: EventId,
        periodic: bool,
    },
}

/// Tells a setting of a timer from all others on the machine: a deferred call may come when its
/// timer has been set anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SettingId(u64);

impl SettingId {
    /// What the log calls the timer so set: odd, and no other's.
    fn number(self) -> u64 {
        self.0 * 2 + 1
    }
}

/// What `SetWaitableTimerEx` is given.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting {
    pub(super) until: Until,
    pub(super) period: Option<Duration>,
    pub(super) tolerable_delay: Duration,
}

impl WaitableTimer {
    pub(super) fn new(high_resolution: bool) -> Self {
        Self {
            high_resolution,
            armed: None,
        }
    }
}

impl WindowsModel {
    /// Looks up a timer of the calling process.
    pub(super) fn timer_of_caller(
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

    pub(super) fn set_timer_object(
        &mut self,
        kernel: &mut WindowsKernel,
        timer: Handle,
        setting: Setting,
    ) -> Result<(), Win32Error> {
        let key = self.timer_of_caller(kernel, timer)?;
        self.disarm(kernel, key);
        if let Some(object) = self.object(key) {
            object.signalled = false;
        }
        if self
            .waitable(key)
            .is_some_and(|timer| timer.high_resolution)
        {
            self.arm_one_shots(kernel, key, setting);
        } else {
            self.arm_with_ticks(kernel, key, setting);
        }
        Ok(())
    }

    /// Makes a timer inactive; anything else is left alone.
    pub(super) fn disarm(&mut self, kernel: &mut WindowsKernel, key: ObjectKey) {
        match self.waitable(key).and_then(|timer| timer.armed.take()) {
            Some(Armed::Tick { alarm, .. }) => self.cancel_alarm(kernel, alarm),
            Some(Armed::OneShots { setting, next, .. }) => {
                let timer = setting.number();
                kernel.note(What::TimerCancelled { timer });
                kernel.cancel(next);
            }
            None => {}
        }
    }

    fn waitable(&mut self, key: ObjectKey) -> Option<&mut WaitableTimer> {
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
        let last_tick = self.timer.clock().last_tick(kernel.now());
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

    /// Due times of high-resolution timers count from the call itself.
    fn arm_one_shots(&mut self, kernel: &mut WindowsKernel, key: ObjectKey, setting: Setting) {
        let now = kernel.now();
        let due = match setting.until {
            Until::After(duration) => now + duration,
            Until::At(instant) => instant,
            Until::Never => return,
        };
        let mut timer = HighResolutionTimer::new(due, setting.period);
        if due <= now {
            self.signal(kernel, key);
            if setting.period.is_none() {
                return;
            }
            timer.look(now);
        }
        self.last_setting.0 += 1;
        let setting_id = self.last_setting;
        kernel.note(What::TimerArmed {
            timer: setting_id.number(),
            earliest: timer.due(),
        });
        self.arm_one_shot(kernel, key, setting_id, timer, setting.period.is_some());
    }

    fn arm_one_shot(
        &mut self,
        kernel: &mut WindowsKernel,
        key: ObjectKey,
        setting: SettingId,
        timer: HighResolutionTimer,
        periodic: bool,
    ) {
        let (clock, parameters) = (self.timer.clock(), self.timer.parameters());
        let at = timer.next_interrupt(clock, parameters, kernel.now());
        let event = Event::OneShot(key, at);
        let next = kernel.interrupt(at, CLOCK_PROCESSOR, self.costs.interrupt, event);
        if let Some(waitable) = self.waitable(key) {
            waitable.armed = Some(Armed::OneShots {
                setting,
                timer,
                next,
                periodic,
            });
        }
    }

    /// The interrupt has come; it looks at the timer a little later.
    pub(super) fn one_shot(&mut self, kernel: &mut WindowsKernel, key: ObjectKey, at: Instant) {
        let mean = self.timer.parameters().interrupt_latency;
        let mean = u64::try_from(mean.as_nanos()).unwrap_or(u64::MAX);
        let latency = Duration::from_nanos(self.latencies.exponential(mean));
        if let Some(Armed::OneShots { next, .. }) = self.armed(key) {
            *next = kernel.schedule(kernel.now() + latency, Event::Look(key, at));
        }
    }

    pub(super) fn look(&mut self, kernel: &mut WindowsKernel, key: ObjectKey, at: Instant) {
        let Some(Armed::OneShots {
            setting,
            timer,
            periodic,
            ..
        }) = self.armed(key)
        else {
            return;
        };
        let over = timer.look(kernel.now());
        let (setting, timer, periodic) = (*setting, *timer, *periodic);
        if over {
            let number = setting.number();
            kernel.note(What::TimerDue {
                timer: number,
                tick: at,
                processor: CLOCK_PROCESSOR,
            });
            if periodic {
                kernel.note(What::TimerArmed {
                    timer: number,
                    earliest: timer.due(),
                });
            }
        }
        if !over || periodic {
            self.arm_one_shot(kernel, key, setting, timer, periodic);
        }
        if over {
            let event = Event::Signal(key, setting);
            let signal = kernel.defer(CLOCK_PROCESSOR, self.costs.dispatch, event);
            if !periodic && let Some(Armed::OneShots { next, .. }) = self.armed(key) {
                *next = signal;
            }
        }
    }

    /// The deferred call that signals the timer, unless it was set anew or cancelled since. One
    /// that is not periodic is then inactive.
    pub(super) fn signal_high_resolution(
        &mut self,
        kernel: &mut WindowsKernel,
        key: ObjectKey,
        expected: SettingId,
    ) {
        let Some(timer) = self.waitable(key) else {
            return;
        };
        match timer.armed {
            Some(Armed::OneShots {
                setting, periodic, ..
            }) if setting == expected => {
                if !periodic {
                    timer.armed = None;
                }
                let timer = setting.number();
                kernel.note(What::TimerExpired { timer });
                self.signal(kernel, key);
                kernel.note(What::TimerHandled { timer });
            }
            _ => {}
        }
    }

    fn armed(&mut self, key: ObjectKey) -> Option<&mut Armed> {
        self.waitable(key)?.armed.as_mut()
    }
}
