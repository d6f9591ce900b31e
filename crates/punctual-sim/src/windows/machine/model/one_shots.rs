//! High-resolution waitable timers: an interrupt looks at the timer, and if it is due, a deferred
//! call signals it.

use super::objects::ObjectKey;
use super::timers::Setting;
use super::waitable::{Armed, OneShots, SettingId};
use super::waiting::Until;
use super::{CLOCK_PROCESSOR, Event, WindowsKernel, WindowsModel};
use crate::What;
use crate::passing::Deferred;
use crate::windows::HighResolutionTimer;
use std::time::Duration;

impl WindowsModel {
    /// Due times of high-resolution timers count from the call itself.
    pub(super) fn arm_one_shots(
        &mut self,
        kernel: &mut WindowsKernel,
        key: ObjectKey,
        setting: Setting,
    ) {
        let now = kernel.now();
        let due = match setting.until {
            Until::After(duration) => now + duration,
            Until::At(instant) => instant,
            Until::Never => return,
        };
        let mut timer = HighResolutionTimer::new(due, setting.period);
        if due <= now {
            self.signal(kernel, key);
            if !timer.is_periodic() {
                return;
            }
            timer.look(now);
        }
        self.last_setting.0 += 1;
        let setting = self.last_setting;
        kernel.note(What::TimerArmed {
            timer: setting.number(),
            earliest: timer.due(),
        });
        self.arm_one_shot(kernel, key, setting, timer);
    }

    fn arm_one_shot(
        &mut self,
        kernel: &mut WindowsKernel,
        key: ObjectKey,
        setting: SettingId,
        timer: HighResolutionTimer,
    ) {
        let now = kernel.now();
        let next_tick = self.ticks_around(now).next;
        let interrupt = timer.next_interrupt(self.timer.parameters(), next_tick, now);
        let event = Event::OneShot(key);
        let next = kernel.interrupt(interrupt, CLOCK_PROCESSOR, self.costs.interrupt, event);
        if let Some(waitable) = self.waitable(key) {
            waitable.armed = Some(Armed::OneShots(OneShots {
                setting,
                timer,
                interrupt,
                next,
            }));
        }
    }

    /// The interrupt has come; it looks at the timer a little later.
    pub(super) fn one_shot(&mut self, kernel: &mut WindowsKernel, key: ObjectKey) {
        let mean = self.timer.parameters().interrupt_latency;
        let mean = u64::try_from(mean.as_nanos()).unwrap_or(u64::MAX);
        let latency = Duration::from_nanos(self.latencies.exponential(mean));
        let looks = kernel.now() + latency;
        if kernel.pass_until(looks) {
            self.look(kernel, key);
        } else if let Some(one_shots) = self.one_shots(key) {
            one_shots.next = kernel.schedule(looks, Event::Look(key));
        }
    }

    pub(super) fn look(&mut self, kernel: &mut WindowsKernel, key: ObjectKey) {
        let Some(one_shots) = self.one_shots(key) else {
            return;
        };
        let over = one_shots.timer.look(kernel.now());
        let (setting, timer, tick) = (one_shots.setting, one_shots.timer, one_shots.interrupt);
        if over {
            let number = setting.number();
            kernel.note(What::TimerDue {
                timer: number,
                tick,
                processor: CLOCK_PROCESSOR,
            });
            if timer.is_periodic() {
                kernel.note(What::TimerArmed {
                    timer: number,
                    earliest: timer.due(),
                });
            }
        }
        if !over || timer.is_periodic() {
            self.arm_one_shot(kernel, key, setting, timer);
        }
        if over {
            self.defer_signal(kernel, key, setting);
        }
    }

    fn defer_signal(&mut self, kernel: &mut WindowsKernel, key: ObjectKey, setting: SettingId) {
        let event = Event::Signal(key, setting);
        match kernel.defer_or_pass(CLOCK_PROCESSOR, self.costs.dispatch, event) {
            Deferred::Now => self.signal_one_shots(kernel, key, setting),
            Deferred::Later(signal) => {
                let one_shots = self.one_shots(key);
                if let Some(once) = one_shots.filter(|found| !found.timer.is_periodic()) {
                    once.next = signal;
                }
            }
        }
    }

    /// The deferred call that signals the timer, unless it was set anew or cancelled since. One
    /// that is not periodic is then inactive.
    pub(super) fn signal_one_shots(
        &mut self,
        kernel: &mut WindowsKernel,
        key: ObjectKey,
        expected: SettingId,
    ) {
        let Some(waitable) = self.waitable(key) else {
            return;
        };
        if let Some(Armed::OneShots(OneShots { setting, timer, .. })) = &waitable.armed
            && *setting == expected
        {
            if !timer.is_periodic() {
                waitable.armed = None;
            }
            let timer = expected.number();
            kernel.note(What::TimerExpired { timer });
            self.signal(kernel, key);
            kernel.note(What::TimerHandled { timer });
        }
    }

    #[inline]
    fn one_shots(&mut self, key: ObjectKey) -> Option<&mut OneShots> {
        match &mut self.waitable(key)?.armed {
            Some(Armed::OneShots(one_shots)) => Some(one_shots),
            _ => None,
        }
    }
}
