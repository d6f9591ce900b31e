//! High-resolution waitable timers: an interrupt looks at the timer, and if it is due, a deferred
//! call signals it.

use super::objects::{Armed, ObjectKey, OneShots, SettingId};
use super::timers::Setting;
use super::waiting::Until;
use super::{CLOCK_PROCESSOR, Event, WindowsKernel, WindowsModel};
use crate::What;
use crate::inline_events::DpcOutcome;
use crate::random::nanos;
use punctual::Instant;
use punctual_windows::HighResolutionTimer;
use punctual_windows::choices::HighResolutionTicks;
use std::time::Duration;

impl WindowsModel {
    /// Sets a high-resolution timer.
    pub(super) fn arm_one_shots(
        &mut self,
        kernel: &mut WindowsKernel,
        key: ObjectKey,
        setting: Setting,
    ) {
        let now = kernel.now();
        let due = match setting.until {
            Until::After(duration) => {
                let last_tick = self.ticks_around(now).last;
                HighResolutionTimer::due_time(self.timer.rules(), last_tick, now, duration)
            }
            Until::At(instant) => instant,
            Until::Never => return,
        };
        let mut timer = HighResolutionTimer::new(due, setting.period);
        if due <= now {
            self.signal(kernel, key);
            if !timer.is_periodic() {
                return;
            }
            timer.look(self.timer.rules(), now, now);
        }
        self.last_setting.0 += 1;
        let setting = self.last_setting;
        kernel.note(What::TimerArmed {
            timer: setting.number(),
            earliest: timer.due(),
        });
        let interrupt = self.first_interrupt(timer, now);
        self.arm_one_shot(kernel, key, (setting, timer), interrupt);
    }

    fn first_interrupt(&mut self, timer: HighResolutionTimer, now: Instant) -> Instant {
        let ticks = self.ticks_around(now);
        let (rules, parameters) = (self.timer.rules(), self.timer.parameters());
        timer.first_interrupt(rules, parameters, (ticks.last, ticks.next), now)
    }

    fn next_interrupt(&mut self, timer: HighResolutionTimer, now: Instant) -> Instant {
        let next_tick = self.ticks_around(now).next;
        let (rules, parameters) = (self.timer.rules(), self.timer.parameters());
        timer.next_interrupt(rules, parameters, next_tick, now)
    }

    /// The interrupt that is to look at it.
    fn arm_one_shot(
        &mut self,
        kernel: &mut WindowsKernel,
        key: ObjectKey,
        (setting, timer): (SettingId, HighResolutionTimer),
        interrupt: Instant,
    ) {
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
        if self.timer.rules().hr_ticks == HighResolutionTicks::Restarted {
            self.restart_ticks(kernel, key);
        }
        let mean = nanos(self.timer.parameters().interrupt_latency);
        let latency = Duration::from_nanos(self.latencies.exponential(mean));
        let looks = kernel.now() + latency;
        if kernel.pass_until(looks) {
            self.look(kernel, key);
        } else if let Some(one_shots) = self.one_shots(key) {
            one_shots.next = kernel.schedule(looks, Event::Look(key));
        }
    }

    /// An interrupt between two ticks is one itself.
    fn restart_ticks(&mut self, kernel: &mut WindowsKernel, key: ObjectKey) {
        let Some(interrupt) = self.one_shots(key).map(|found| found.interrupt) else {
            return;
        };
        if self.ticks_around(interrupt).last != interrupt {
            self.timer.restart_ticks(interrupt);
            self.forget_ticks();
            self.schedule_tick(kernel);
        }
    }

    pub(super) fn look(&mut self, kernel: &mut WindowsKernel, key: ObjectKey) {
        let rules = *self.timer.rules();
        let now = kernel.now();
        let Some(one_shots) = self.one_shots(key) else {
            return;
        };
        let over = one_shots.timer.look(&rules, one_shots.interrupt, now);
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
        if !over {
            let interrupt = self.next_interrupt(timer, now);
            self.arm_one_shot(kernel, key, (setting, timer), interrupt);
        } else if timer.is_periodic() {
            let interrupt = self.first_interrupt(timer, now);
            self.arm_one_shot(kernel, key, (setting, timer), interrupt);
        }
        if over {
            self.defer_signal(kernel, key, setting);
        }
    }

    fn defer_signal(&mut self, kernel: &mut WindowsKernel, key: ObjectKey, setting: SettingId) {
        let event = Event::Signal(key, setting);
        match kernel.defer_or_pass(CLOCK_PROCESSOR, self.costs.dispatch, event) {
            DpcOutcome::Now => self.signal_one_shots(kernel, key, setting),
            DpcOutcome::Later(signal) => {
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
