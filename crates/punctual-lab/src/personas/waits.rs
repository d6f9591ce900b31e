//! The waits that personas ask for, by the calls that every machine has.

use punctual::os::windows::{INFINITE, Waited, Win32Error};
use punctual_windows::os::windows::{TimerCallback, WT_EXECUTEINTIMERTHREAD, Win32Lab, calls};
use punctual_windows::personas::Wait;
use std::sync::Arc;

const ONCE: i32 = 0;

/// What a program waits with. Objects are made when they are first needed.
pub(super) struct Waits<W: Win32Lab> {
    win32: W,
    /// Never set: the timeout ends a wait for it.
    silence: Option<W::Object>,
    timer: Option<W::Object>,
    high_resolution: Option<W::Object>,
    /// Set by callbacks.
    event: Option<Arc<W::Object>>,
    pool: Option<W::PoolTimer>,
    repeating: Option<(Wait, Repeating<W>)>,
}

/// A timer that fires until it is dropped.
enum Repeating<W: Win32Lab> {
    Multimedia(W::MultimediaTimer),
    Queue(W::QueueTimer),
}

/// Whether the error says that this Windows lacks the call.
pub(super) fn is_missing(error: Win32Error) -> bool {
    error == Win32Error::PROC_NOT_FOUND || error == Win32Error::INVALID_PARAMETER
}

impl<W: Win32Lab> Waits<W> {
    pub(super) fn new(win32: &W) -> Self {
        Self {
            win32: win32.clone(),
            silence: None,
            timer: None,
            high_resolution: None,
            event: None,
            pool: None,
            repeating: None,
        }
    }

    /// Ends what goes on between waits.
    pub(super) fn stop(&mut self) {
        self.repeating = None;
        self.event = None;
        self.pool = None;
    }

    pub(super) fn wait(&mut self, wait: Wait) -> Result<(), Win32Error> {
        match wait {
            Wait::Ordinary { milliseconds } => {
                self.win32.sleep(milliseconds);
                Ok(())
            }
            Wait::Port { milliseconds } => self.in_silence(milliseconds),
            Wait::Select { microseconds } => {
                const ALERTABLE: bool = false;
                let units = i64::try_from(microseconds.saturating_mul(10)).unwrap_or(i64::MAX);
                self.win32.nt_delay_execution(ALERTABLE, -units)
            }
            Wait::Waitable {
                units,
                is_new,
                tolerable_delay_ms,
            } => self.waitable(units, is_new, tolerable_delay_ms),
            Wait::HighResolution { units, is_new } => {
                if is_new {
                    self.high_resolution = None;
                }
                self.high_resolution(units, INFINITE)
            }
            Wait::HighResolutionOrPort {
                units,
                milliseconds,
            } => self.high_resolution(units, milliseconds),
            Wait::Pool { units } => self.pool(units),
            Wait::Message { milliseconds } => calls::message(&self.win32, milliseconds),
            Wait::TimeSetEvent { .. } | Wait::Queue { .. } => self.repeating(wait),
        }
    }

    fn in_silence(&mut self, milliseconds: u32) -> Result<(), Win32Error> {
        let silence = kept(&mut self.silence, || calls::event(&self.win32))?;
        let waited = self.win32.wait_for_single_object(silence, milliseconds);
        waited.map(drop)
    }

    fn waitable(&mut self, units: u64, is_new: bool, delay_ms: u32) -> Result<(), Win32Error> {
        if is_new {
            self.timer = None;
        }
        let timer = kept(&mut self.timer, || calls::timer(&self.win32))?;
        if delay_ms == 0 {
            return calls::await_timer(&self.win32, timer, from_now(units));
        }
        self.win32
            .set_waitable_timer_ex(timer, from_now(units), ONCE, delay_ms)?;
        let waited = self.win32.wait_for_single_object(timer, INFINITE);
        waited.map(drop)
    }

    /// Waits for the timer for at most so many milliseconds.
    fn high_resolution(&mut self, units: u64, milliseconds: u32) -> Result<(), Win32Error> {
        let make = || calls::high_resolution_timer(&self.win32);
        let timer = kept(&mut self.high_resolution, make)?;
        self.win32
            .set_waitable_timer(timer, from_now(units), ONCE)?;
        match self.win32.wait_for_single_object(timer, milliseconds)? {
            Waited::Object(_) => Ok(()),
            Waited::Timeout => self.win32.cancel_waitable_timer(timer),
        }
    }

    /// Makes such a timer, unless there is one.
    pub(super) fn make_high_resolution(&mut self) -> Result<(), Win32Error> {
        let make = || calls::high_resolution_timer(&self.win32);
        kept(&mut self.high_resolution, make).map(drop)
    }

    fn pool(&mut self, units: u64) -> Result<(), Win32Error> {
        let event = self.event()?;
        let callback = || calls::setting(&self.win32, &event);
        let make = || self.win32.create_threadpool_timer(callback());
        let pool = kept(&mut self.pool, make)?;
        calls::await_pool(&self.win32, pool, &event, from_now(units));
        Ok(())
    }

    /// Waits for the next call of a timer, which is started unless the same one runs.
    fn repeating(&mut self, wait: Wait) -> Result<(), Win32Error> {
        let event = self.event()?;
        if self.repeating.as_ref().is_none_or(|(of, _)| *of != wait) {
            self.repeating = None;
            // What the last one still set does not count.
            self.win32.reset_event(&event)?;
            let timer = self.start(wait, calls::setting(&self.win32, &event))?;
            self.repeating = Some((wait, timer));
        }
        let waited = self.win32.wait_for_single_object(&event, INFINITE);
        if !wait.is_periodic() {
            self.repeating = None;
        }
        waited.map(drop)
    }

    fn start(&self, wait: Wait, callback: TimerCallback) -> Result<Repeating<W>, Win32Error> {
        match wait {
            Wait::TimeSetEvent {
                milliseconds,
                resolution_ms,
                is_periodic,
            } => self
                .win32
                .time_set_event(milliseconds, resolution_ms, callback, is_periodic)
                .map(Repeating::Multimedia),
            Wait::Queue { milliseconds } => {
                let flags = WT_EXECUTEINTIMERTHREAD;
                self.win32
                    .create_timer_queue_timer(callback, milliseconds, milliseconds, flags)
                    .map(Repeating::Queue)
            }
            _ => Err(Win32Error::INVALID_PARAMETER),
        }
    }

    fn event(&mut self) -> Result<Arc<W::Object>, Win32Error> {
        kept(&mut self.event, || calls::event(&self.win32).map(Arc::new)).cloned()
    }
}

/// A due time: negative means relative to now.
/// What is in it, which is made if nothing is.
fn kept<T>(
    place: &mut Option<T>,
    make: impl FnOnce() -> Result<T, Win32Error>,
) -> Result<&T, Win32Error> {
    let found = match place.take() {
        Some(found) => found,
        None => make()?,
    };
    Ok(place.insert(found))
}

fn from_now(units: u64) -> i64 {
    -i64::try_from(units).unwrap_or(i64::MAX)
}
