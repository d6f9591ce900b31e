//! Waitable timers: set for the remaining time, set to a time of the system clock, or periodic.
//! Each exists plain and with high resolution (Windows 10 version 1803 and later).
//!
//! <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-setwaitabletimer>

use super::{objects, offer, unavailable, units, whole_milliseconds};
use crate::machine::{Method, Offer, Wishes};
use punctual::os::windows::WindowsOs;
use punctual::{Error, Instant, Os, Period};
use punctual_windows::mechanisms::{
    HIGH_RES, HIGH_RES_ABS, HIGH_RES_CYCLE, WAITABLE, WAITABLE_ABS, WAITABLE_CYCLE,
};
use punctual_windows::os::windows::Win32Lab;

pub(super) fn relative<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(WAITABLE, |os, _| {
        Ok(Box::new(Relative(Timer::make(os, PLAIN)?)))
    })
}

pub(super) fn absolute<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(WAITABLE_ABS, |os, _| {
        Ok(Box::new(Absolute(Timer::make(os, PLAIN)?)))
    })
}

pub(super) fn periodic<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(WAITABLE_CYCLE, |os, wishes| {
        make_periodic(os, wishes, PLAIN)
    })
}

pub(super) fn relative_high_resolution<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(HIGH_RES, |os, _| make_relative_high_resolution(os))
}

pub(super) fn absolute_high_resolution<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(HIGH_RES_ABS, |os, _| {
        Ok(Box::new(Absolute(Timer::make(os, HIGH_RESOLUTION)?)))
    })
}

pub(super) fn periodic_high_resolution<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(HIGH_RES_CYCLE, |os, wishes| {
        make_periodic(os, wishes, HIGH_RESOLUTION)
    })
}

/// Like [`absolute`], at times computed from the start of the turn.
pub(super) fn on_time_base<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    Offer {
        make: |os, wishes| Ok(Box::new(OnTimeBase::make(os, wishes, PLAIN)?)),
        ..absolute()
    }
}

/// The same with high resolution.
pub(super) fn on_time_base_high_resolution<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    Offer {
        make: |os, wishes| Ok(Box::new(OnTimeBase::make(os, wishes, HIGH_RESOLUTION)?)),
        ..absolute_high_resolution()
    }
}

pub(super) fn make_relative_high_resolution<W: Win32Lab>(
    os: &WindowsOs<W>,
) -> Result<Box<dyn Method>, Error> {
    Ok(Box::new(Relative(Timer::make(os, HIGH_RESOLUTION)?)))
}

const PLAIN: bool = false;
const HIGH_RESOLUTION: bool = true;
const ONCE: i32 = 0;

struct Timer<W: Win32Lab> {
    os: WindowsOs<W>,
    timer: W::Object,
}

impl<W: Win32Lab> Timer<W> {
    fn make(os: &WindowsOs<W>, high_resolution: bool) -> Result<Self, Error> {
        Ok(Self {
            os: os.clone(),
            timer: objects::timer(os.win32(), high_resolution)?,
        })
    }

    /// Waits until it has fired.
    fn await_timer(&self) {
        objects::wait(self.os.win32(), &self.timer);
    }

    /// Sets it and waits for it once.
    fn wait(&self, due_time: i64) -> Instant {
        // This timer can be set, and any due time is valid.
        let set = self
            .os
            .win32()
            .set_waitable_timer(&self.timer, due_time, ONCE);
        if set.is_ok() {
            self.await_timer();
        }
        self.os.now()
    }
}

struct Relative<W: Win32Lab>(Timer<W>);

impl<W: Win32Lab> Method for Relative<W> {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let remaining = deadline.duration_since(self.0.os.now());
        // Negative means relative to now.
        self.0.wait(-units(remaining))
    }
}

struct Absolute<W: Win32Lab>(Timer<W>);

impl<W: Win32Lab> Method for Absolute<W> {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let win32 = self.0.os.win32();
        let remaining = units(deadline.duration_since(self.0.os.now()));
        let precise = win32.get_system_time_precise_as_file_time();
        let now = precise.unwrap_or_else(|_| win32.get_system_time_as_file_time());
        let now = i64::try_from(now.0).unwrap_or(i64::MAX);
        self.0.wait(now.saturating_add(remaining))
    }
}

struct OnTimeBase<W: Win32Lab> {
    timer: Timer<W>,
    period: Period,
    /// The system clock at the start of the turn.
    base: i64,
    beats: u64,
}

impl<W: Win32Lab> OnTimeBase<W> {
    fn make(os: &WindowsOs<W>, wishes: Wishes, high_resolution: bool) -> Result<Self, Error> {
        Ok(Self {
            timer: Timer::make(os, high_resolution)?,
            period: wishes.period,
            base: 0,
            beats: 0,
        })
    }
}

impl<W: Win32Lab> Method for OnTimeBase<W> {
    fn begin_turn(&mut self) {
        let now = self.timer.os.win32().get_system_time_as_file_time();
        self.base = i64::try_from(now.0).unwrap_or(i64::MAX);
        self.beats = 0;
    }

    /// Measures the timer's own schedule, so it does not use the deadline.
    fn wait_until(&mut self, _: Instant) -> Instant {
        self.beats += 1;
        let due = self.period.offset(self.beats).unwrap_or_default();
        self.timer.wait(self.base.saturating_add(units(due)))
    }
}

struct Periodic<W: Win32Lab> {
    timer: Timer<W>,
    period_ms: i32,
}

fn make_periodic<W: Win32Lab>(
    os: &WindowsOs<W>,
    wishes: Wishes,
    high_resolution: bool,
) -> Result<Box<dyn Method>, Error> {
    let period_ms = whole_milliseconds(wishes.period)?;
    let timer = Timer::make(os, high_resolution)?;
    let period_ms = i32::try_from(period_ms)
        .map_err(|_| Error::unsupported("its period can be at most 24 days"))?;
    let win32 = os.win32();
    win32
        .set_waitable_timer(&timer.timer, -units(wishes.period.to_duration()), period_ms)
        .and_then(|()| win32.cancel_waitable_timer(&timer.timer))
        .map_err(unavailable("SetWaitableTimer with a period"))?;
    Ok(Box::new(Periodic { timer, period_ms }))
}

impl<W: Win32Lab> Method for Periodic<W> {
    fn begin_turn(&mut self) {
        const UNITS_PER_MILLISECOND: i64 = 10_000;
        let first = -i64::from(self.period_ms) * UNITS_PER_MILLISECOND;
        let win32 = self.timer.os.win32();
        // It was set like this when it was made.
        let _ = win32.set_waitable_timer(&self.timer.timer, first, self.period_ms);
    }

    /// Measures the timer's own period, so it does not use the deadline.
    fn wait_until(&mut self, _: Instant) -> Instant {
        self.timer.await_timer();
        self.timer.os.now()
    }

    fn end_turn(&mut self) {
        let win32 = self.timer.os.win32();
        let _ = win32.cancel_waitable_timer(&self.timer.timer);
    }
}
