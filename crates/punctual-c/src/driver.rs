//! Many timers on one thread.

use crate::callback::{Context, DropFn, OnceFn, TickFn, is_in_callback};
use crate::clock::nanos;
use crate::handle::{self, Opaque};
use crate::options::{Options, Schedule};
use crate::sized::{self, Sized};
use crate::sleeper::{sleeper, window};
use crate::status::{
    Failure, PUNCTUAL_ERROR_PANIC, PUNCTUAL_OK, PUNCTUAL_SHUT_DOWN, Status, border,
};
use crate::timer::Timer;
use punctual::driver::{DriverThread, ShutDown};
use punctual::{Handle, MissedTicks, Native};
use std::ffi::c_void;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Serves many timers on one thread of its own, which wakes close to the fewest possible times for
/// their windows.
///
/// Threads: any number of threads may use it at once, and so may its callbacks. Free it when no
/// call that was given it is under way; its timers may outlive it. In a fork of the process the
/// driver does not run.
pub struct Driver {
    _opaque: [u8; 0],
}

impl Opaque for Driver {
    type Inside = Running;
    const WORD: u32 = u32::from_le_bytes(*b"Driv") & !1;
    const NAME: &'static str = "driver";
}

pub struct Running {
    handle: Handle,
    /// `None` once it is stopped.
    thread: Mutex<Option<DriverThread>>,
}

impl Running {
    /// Stops it, and waits for its thread if that cannot be the one that waits.
    fn stop(&self) -> Result<Status, Failure> {
        self.handle.shut_down();
        if is_in_callback() {
            return Ok(PUNCTUAL_OK);
        }
        // Held until the thread has ended: whoever else stops it meanwhile waits for that too.
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        match thread.take().map(DriverThread::shut_down) {
            None | Some(Ok(())) => Ok(PUNCTUAL_OK),
            Some(Err(_)) => Err(PUNCTUAL_ERROR_PANIC.into()),
        }
    }
}

/// What a driver has done since it was started.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Counters {
    /// `sizeof(punctual_counters)`, set by the caller.
    pub size: usize,
    /// The callbacks that wait, including repeating ones that are running.
    pub waiting: u64,
    /// The calls of callbacks that were due.
    pub fired: u64,
    /// The number of those that came more than a microsecond after the end of their windows.
    pub late: u64,
    /// The longest time from the end of a window until its callback was called.
    pub worst_excess_ns: u64,
    /// The periods of repeating callbacks that passed without a tick.
    pub missed: u64,
    /// The calls of repeating callbacks that were still running at their next deadline.
    pub overruns: u64,
    /// How many times the system put the driver's thread to sleep and woke it.
    pub wakeups: u64,
    /// The number of those wake-ups that came because of an earlier timer or of the stop.
    pub rings: u64,
}

// SAFETY: fields of 8 bytes after the size, all numbers.
unsafe impl Sized for Counters {
    const NAME: &'static str = "counters";
}

/// Starts a driver. The options may be null.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn punctual_driver_start(
    options: *const Options,
    driver: *mut *mut Driver,
) -> Status {
    border(|| {
        handle::make(driver, || {
            let sleeper = sleeper(options)?;
            let thread = punctual::Driver::on(sleeper.os().clone()).start_with(sleeper)?;
            Ok(Running {
                handle: thread.handle(),
                thread: Mutex::new(Some(thread)),
            })
        })
    })
}

/// Stops the driver: callbacks that wait are dropped, and a running one is finished. It waits for
/// the driver's thread to end, except in a callback, or in a fork of the process. Afterwards the
/// counters can still be read.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_driver_stop(driver: *const Driver) -> Status {
    border(|| handle::shared(driver)?.stop())
}

/// Stops the driver and frees it. Null is nothing to free.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_driver_free(driver: *mut Driver) -> Status {
    border(|| {
        if driver.is_null() {
            return Ok(PUNCTUAL_OK);
        }
        // Callbacks that run until then may use the handle.
        let stopped = handle::shared(driver)?.stop();
        handle::free(driver)?;
        stopped
    })
}

/// Calls a callback once, within a window of time. If that has passed, it is called at once, and is
/// late.
///
/// `drop` frees the context, in every case and exactly once. `timer` may be null, and otherwise
/// gets a handle, to be freed with `punctual_timer_free`. Returns `PUNCTUAL_SHUT_DOWN` if the
/// driver was stopped.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn punctual_driver_once(
    driver: *const Driver,
    earliest_ns: u64,
    latest_ns: u64,
    callback: OnceFn,
    context: *mut c_void,
    drop: DropFn,
    timer: *mut *mut Timer,
) -> Status {
    let context = Context::new(context, drop);
    add(driver, timer, |handle| {
        let callback = context.once(callback)?;
        Ok(handle.once(window(earliest_ns, latest_ns)?, callback))
    })
}

/// Calls a callback once, after a duration, and at most a tolerance later. A duration of zero means
/// as soon as possible. Otherwise as `punctual_driver_once`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn punctual_driver_after(
    driver: *const Driver,
    duration_ns: u64,
    tolerance_ns: u64,
    callback: OnceFn,
    context: *mut c_void,
    drop: DropFn,
    timer: *mut *mut Timer,
) -> Status {
    let context = Context::new(context, drop);
    add(driver, timer, |handle| {
        let callback = context.once(callback)?;
        let handle = handle.tolerating(Duration::from_nanos(tolerance_ns));
        Ok(handle.after(Duration::from_nanos(duration_ns), callback))
    })
}

/// Calls a callback for every tick of a schedule. Otherwise as `punctual_driver_once`.
///
/// The first call may come before this function returns, so the callback cannot rely on its own
/// timer.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn punctual_driver_every(
    driver: *const Driver,
    schedule: *const Schedule,
    callback: TickFn,
    context: *mut c_void,
    drop: DropFn,
    timer: *mut *mut Timer,
) -> Status {
    let context = Context::new(context, drop);
    add(driver, timer, |handle| {
        let callback = context.every(callback)?;
        let schedule = sized::read(schedule)?;
        let (period, missed_ticks) = (schedule.period()?, schedule.missed_ticks()?);
        let handle = handle.tolerating(Duration::from_nanos(schedule.tolerance_ns));
        // Its first call comes as soon as possible, and cannot be late.
        if schedule.start().is_none() && missed_ticks == MissedTicks::Skip {
            return Ok(handle.every(period, callback));
        }
        let start = schedule.start().unwrap_or_else(|| handle.now());
        let ticks = punctual::Schedule::new(start, period).with_missed_ticks(missed_ticks);
        Ok(handle.repeat(ticks, callback))
    })
}

/// Reads the counters.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_driver_counters(
    driver: *const Driver,
    counters: *mut Counters,
) -> Status {
    border(|| {
        let handle = &handle::shared(driver)?.handle;
        let place = sized::place(counters)?;
        let found = handle.counters();
        place.write(Counters {
            size: size_of::<Counters>(),
            waiting: handle.len() as u64,
            fired: found.fired,
            late: found.late,
            worst_excess_ns: nanos(found.worst_excess),
            missed: found.missed,
            overruns: found.overruns,
            wakeups: found.wakeups,
            rings: found.rings,
        });
        Ok(PUNCTUAL_OK)
    })
}

/// Gives the driver a timer, and C its handle if wanted.
fn add(
    driver: *const Driver,
    timer: *mut *mut Timer,
    add: impl FnOnce(&Handle<Native>) -> Result<Result<punctual::driver::Timer, ShutDown>, Failure>,
) -> Status {
    border(|| {
        let handle = &handle::shared(driver)?.handle;
        if timer.is_null() {
            return Ok(match add(handle)? {
                Ok(_) => PUNCTUAL_OK,
                Err(ShutDown) => PUNCTUAL_SHUT_DOWN,
            });
        }
        let mut is_shut_down = false;
        let made = handle::make(timer, || {
            add(handle)?.map_err(|ShutDown| {
                is_shut_down = true;
                PUNCTUAL_SHUT_DOWN.into()
            })
        });
        if is_shut_down {
            Ok(PUNCTUAL_SHUT_DOWN)
        } else {
            made
        }
    })
}
