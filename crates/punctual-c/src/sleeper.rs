//! One wait at a time.

use crate::cancel::Cancel;
use crate::clock::{machine, nanos};
use crate::handle::{self, NotNull, Opaque};
use crate::options::Options;
use crate::sized::{self, Sized};
use crate::status::{
    Failure, PUNCTUAL_CANCELLED, PUNCTUAL_END_OF_TIME, PUNCTUAL_INTERRUPTED, PUNCTUAL_OK, Status,
    border, of,
};
use punctual::Signals::{EndIt, GoOn};
use punctual::{Budget, Ended, Instant, Os, Signals, Window};
use std::ptr::null_mut;
use std::time::Duration;

/// Sleeps until a deadline: never shorter, and only as much longer as its options allow.
///
/// It asks the system to be woken a margin before the deadline and spins for the rest. It learns
/// the margin from the wake-ups of its own thread. So give each thread a sleeper of its own, and
/// keep it for as long as the thread waits.
///
/// Threads: one at a time. It may move to another thread between two waits. A second thread that
/// uses it meanwhile gets `PUNCTUAL_ERROR_BUSY`.
pub struct Sleeper {
    _opaque: [u8; 0],
}

impl Opaque for Sleeper {
    type Inside = punctual::Sleeper;
    const WORD: u32 = u32::from_le_bytes(*b"Slee") & !1;
    const NAME: &'static str = "sleeper";
}

/// How a wait went.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Wake {
    /// `sizeof(punctual_wake)`, set by the caller.
    pub size: usize,
    /// The instant at which the wait should have ended; for a window, its beginning.
    pub deadline_ns: u64,
    /// The reading of the clock that ended the wait. It is never before the deadline.
    pub woke_ns: u64,
    /// The time in the system's wait.
    pub slept_ns: u64,
    /// The time spent spinning.
    pub spun_ns: u64,
}

// SAFETY: fields of 8 bytes after the size, all numbers.
unsafe impl Sized for Wake {
    const NAME: &'static str = "wake";
}

impl From<punctual::Wake> for Wake {
    fn from(wake: punctual::Wake) -> Self {
        Self {
            size: size_of::<Self>(),
            deadline_ns: wake.deadline.as_nanos(),
            woke_ns: wake.woke.as_nanos(),
            slept_ns: nanos(wake.slept),
            spun_ns: nanos(wake.spun),
        }
    }
}

/// The options that a caller passed, or the defaults for null.
pub fn sleeper(options: *const Options) -> Result<punctual::Sleeper, Failure> {
    let options = if options.is_null() {
        Options::default()
    } else {
        sized::read(options)?
    };
    options.sleeper(machine()?.clone())
}

/// Sets the share of a processor that all sleepers of this process together may spin, from 0 (never) to 1, from their next
/// waits on. It is 0.05 until then. A sleeper with a budget of its own has that besides.
///
/// Any thread may call it.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_set_process_budget(share: f64) -> Status {
    border(|| {
        let share = Budget::new(share).map_err(of("share"))?;
        machine()?.process_budget().set(share);
        Ok(PUNCTUAL_OK)
    })
}

/// Sleeps for a duration: one call, without a handle. It goes on after signals.
///
/// It waits with a sleeper of the calling thread, which the thread's first call makes and which learns from each.
/// Between two calls that holds nothing of the system. A sleeper that you keep does, and so wakes sooner on a busy
/// machine; a loop has a `punctual_ticker`, which does not drift either.
///
/// Any thread may call it.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_delay(duration_ns: u64) -> Status {
    border(|| {
        machine()?;
        punctual::sleep(Duration::from_nanos(duration_ns));
        Ok(PUNCTUAL_OK)
    })
}

/// Makes a sleeper. Null for the options means the defaults: at most 1 % of waits end late, and the
/// sleepers of this process together spin at most 5 % of the time.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn punctual_sleeper_new(
    options: *const Options,
    sleeper: *mut *mut Sleeper,
) -> Status {
    border(|| handle::make(sleeper, || self::sleeper(options)))
}

/// Frees it, and gives back what it holds of the system. Null is nothing to free.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_sleeper_free(sleeper: *mut Sleeper) -> Status {
    border(|| handle::free(sleeper))
}

/// Gives back what it holds of the system, such as a short slice of the thread, until its next
/// wait. It keeps what it has learned.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_sleeper_pause(sleeper: *mut Sleeper) -> Status {
    border(|| {
        handle::held(sleeper)?.pause();
        Ok(PUNCTUAL_OK)
    })
}

/// Sleeps until a deadline, and goes on after signals. If the deadline has passed, the call only reads the
/// clock.
///
/// `cancel` may be null; so may `wake`. Returns `PUNCTUAL_CANCELLED` if the wait was cancelled
/// before its deadline; `wake` is then left alone. The wait takes place whatever `wake` is: that it is wrong is
/// said afterwards.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_sleep_until(
    sleeper: *mut Sleeper,
    deadline_ns: u64,
    cancel: *const Cancel,
    wake: *mut Wake,
) -> Status {
    sleep(sleeper, cancel, wake, GoOn, null_mut(), |_| {
        Ok(Instant::from_nanos(deadline_ns).into())
    })
}

/// Sleeps for a duration, measured from this call. Otherwise as `punctual_sleep_until`.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_sleep_for(
    sleeper: *mut Sleeper,
    duration_ns: u64,
    cancel: *const Cancel,
    wake: *mut Wake,
) -> Status {
    sleep(sleeper, cancel, wake, GoOn, null_mut(), |sleeper| {
        Ok((sleeper.now() + Duration::from_nanos(duration_ns)).into())
    })
}

/// Sleeps until an instant within a window of time. The system chooses the instant, so that it can
/// end several waits with one wake-up. Otherwise as `punctual_sleep_until`.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_sleep_within(
    sleeper: *mut Sleeper,
    earliest_ns: u64,
    latest_ns: u64,
    cancel: *const Cancel,
    wake: *mut Wake,
) -> Status {
    sleep(sleeper, cancel, wake, GoOn, null_mut(), |_| {
        window(earliest_ns, latest_ns)
    })
}

/// Sleeps until a deadline, or until the calling thread has handled a signal, as `nanosleep` does. Otherwise as
/// `punctual_sleep_until`.
///
/// If a signal came first, it returns `PUNCTUAL_INTERRUPTED` and writes to `remaining_ns` what was left of the wait, which is
/// more than zero. Otherwise it leaves `remaining_ns` alone, which may be null. To go on, call it again with the same
/// deadline.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn punctual_sleep_until_or_signal(
    sleeper: *mut Sleeper,
    deadline_ns: u64,
    cancel: *const Cancel,
    wake: *mut Wake,
    remaining_ns: *mut u64,
) -> Status {
    sleep(sleeper, cancel, wake, EndIt, remaining_ns, |_| {
        Ok(Instant::from_nanos(deadline_ns).into())
    })
}

/// Sleeps for a duration, or until the calling thread has handled a signal. Otherwise as
/// `punctual_sleep_until_or_signal`. To go on, call it with what was left.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn punctual_sleep_for_or_signal(
    sleeper: *mut Sleeper,
    duration_ns: u64,
    cancel: *const Cancel,
    wake: *mut Wake,
    remaining_ns: *mut u64,
) -> Status {
    sleep(sleeper, cancel, wake, EndIt, remaining_ns, |sleeper| {
        Ok((sleeper.now() + Duration::from_nanos(duration_ns)).into())
    })
}

/// A window from the two instants that C passes.
pub fn window(earliest_ns: u64, latest_ns: u64) -> Result<Window, Failure> {
    if latest_ns < earliest_ns {
        return Err(Failure::invalid(format!(
            "latest_ns: the window ends at {latest_ns} ns, before it begins at {earliest_ns} ns"
        )));
    }
    Ok((Instant::from_nanos(earliest_ns)..=Instant::from_nanos(latest_ns)).into())
}

// Inlined, as `border` is. Each caller has a closure of its own, so that the body is inlined into each.
#[inline(always)]
fn sleep(
    sleeper: *mut Sleeper,
    cancel: *const Cancel,
    wake: *mut Wake,
    signals: Signals,
    remaining_ns: *mut u64,
    window: impl FnOnce(&punctual::Sleeper) -> Result<Window, Failure>,
) -> Status {
    border(|| {
        let mut sleeper = handle::held(sleeper)?;
        let cancel = handle::shared_or_none(cancel)?;
        let window = window(&sleeper)?;
        let ended = sleeper.begin(window).sleep(signals, cancel);
        outcome(ended, wake, remaining_ns)
    })
}

/// What is said of a wait, and written where its caller wants it. A place that is wrong is looked at last, so that a wait
/// takes place in any case: else a loop would be a busy one.
#[inline(always)]
pub fn outcome<T: Into<C>, C: Sized>(
    ended: Result<T, Ended>,
    place: *mut C,
    remaining_ns: *mut u64,
) -> Result<Status, Failure> {
    match ended {
        Ok(result) => {
            if let Some(place) = sized::place_or_none(place)? {
                place.write(result.into());
            }
            Ok(PUNCTUAL_OK)
        }
        Err(Ended::Cancelled) => Ok(PUNCTUAL_CANCELLED),
        Err(Ended::Interrupted { remaining }) => {
            // Nobody has to want to know it.
            if !remaining_ns.is_null() {
                NotNull::new(remaining_ns, "remaining_ns")?.write(nanos(remaining));
            }
            Ok(PUNCTUAL_INTERRUPTED)
        }
        Err(_) => Ok(PUNCTUAL_END_OF_TIME),
    }
}
