//! A loop that does not drift.

use crate::cancel::Cancel;
use crate::clock::nanos;
use crate::handle::{self, NotNull, Opaque};
use crate::options::{self, Options, Schedule};
use crate::sized::{self, Sized};
use crate::sleeper::{outcome, sleeper};
use crate::status::{Failure, PUNCTUAL_OK, Status, border};
use punctual::{Ended, Instant, Phase};
use std::ptr::null_mut;

/// Wakes a thread once per period, on a schedule that does not drift. The first tick is the start
/// itself.
///
/// Threads: one at a time, as for a sleeper.
pub struct Ticker {
    _opaque: [u8; 0],
}

impl Opaque for Ticker {
    type Inside = punctual::Ticker;
    const WORD: u32 = u32::from_le_bytes(*b"Tick") & !1;
    const NAME: &'static str = "ticker";
}

/// One tick of a schedule.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Tick {
    /// `sizeof(punctual_tick)`, set by the caller; in a callback, by Punctual.
    pub size: usize,
    /// The number of the tick. Missed ticks have numbers too.
    pub index: u64,
    /// The instant at which it should have come.
    pub deadline_ns: u64,
    /// The reading of the clock at which it came. It is never before the deadline.
    pub woke_ns: u64,
    /// The time since the tick before, zero for the first.
    pub interval_ns: u64,
    /// How many periods before this one passed without a tick.
    pub missed: u64,
}

// SAFETY: fields of 8 bytes after the size, all numbers.
unsafe impl Sized for Tick {
    const NAME: &'static str = "tick";
}

impl From<punctual::Tick> for Tick {
    fn from(tick: punctual::Tick) -> Self {
        Self {
            size: size_of::<Self>(),
            index: tick.index,
            deadline_ns: tick.deadline.as_nanos(),
            woke_ns: tick.woke.as_nanos(),
            interval_ns: nanos(tick.interval),
            missed: tick.missed,
        }
    }
}

/// Makes a ticker. The options may be null.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn punctual_ticker_new(
    schedule: *const Schedule,
    options: *const Options,
    ticker: *mut *mut Ticker,
) -> Status {
    border(|| {
        handle::make(ticker, || {
            let schedule = sized::read(schedule)?;
            if schedule.tolerance_ns != 0 {
                return Err(Failure::invalid(
                    "schedule.tolerance_ns: a ticker has no tolerance: set it to 0, or use a driver",
                ));
            }
            let ticker = punctual::Ticker::with_sleeper(sleeper(options)?, schedule.period()?);
            let ticker = ticker.with_missed_ticks(schedule.missed_ticks()?);
            Ok(match schedule.start() {
                Some(start) => ticker.starting_at(start),
                None => ticker,
            })
        })
    })
}

/// Frees it, and gives back what it holds of the system. Null is nothing to free.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_ticker_free(ticker: *mut Ticker) -> Status {
    border(|| handle::free(ticker))
}

/// Waits for the next tick, and goes on after signals. `tick` may be null.
///
///     punctual_tick tick = {.size = sizeof tick};
///     while (punctual_ticker_next(ticker, &tick) == PUNCTUAL_OK) { ... }
///
/// If its deadline has passed, the tick comes at once. Returns `PUNCTUAL_CANCELLED` if the ticker
/// was cancelled, and `PUNCTUAL_END_OF_TIME` after the last tick of 64-bit time; `tick` is then
/// left alone. The wait takes place whatever `tick` is: that it is wrong is said afterwards, and the tick has passed.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn punctual_ticker_next(ticker: *mut Ticker, tick: *mut Tick) -> Status {
    next(ticker, tick, null_mut(), punctual::Ticker::tick)
}

/// Waits for the next tick, or until the calling thread has handled a signal. Otherwise as `punctual_ticker_next`.
///
/// If a signal came first, it returns `PUNCTUAL_INTERRUPTED` and writes to `remaining_ns` how long before the tick that was,
/// which is more than zero. Otherwise it leaves `remaining_ns` alone, which may be null. The next call waits for the same tick.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn punctual_ticker_next_or_signal(
    ticker: *mut Ticker,
    tick: *mut Tick,
    remaining_ns: *mut u64,
) -> Status {
    next(ticker, tick, remaining_ns, punctual::Ticker::tick_or_signal)
}

// Inlined, as `border` is.
#[inline(always)]
fn next(
    ticker: *mut Ticker,
    tick: *mut Tick,
    remaining_ns: *mut u64,
    wait: impl FnOnce(&mut punctual::Ticker) -> Result<punctual::Tick, Ended>,
) -> Status {
    border(|| {
        let mut ticker = handle::held(ticker)?;
        outcome(wait(&mut ticker), tick, remaining_ns)
    })
}

/// Lets another thread end the ticker's waits through `cancel`, from the next wait on.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_ticker_set_cancel(ticker: *mut Ticker, cancel: *const Cancel) -> Status {
    border(|| {
        handle::held(ticker)?.set_cancel(handle::shared(cancel)?.clone());
        Ok(PUNCTUAL_OK)
    })
}

/// Changes the period to `period_ns / divisor` from now on, without a jump of the phase: the rest
/// of the present period passes at the new rate. A divisor of zero means 1.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_ticker_set_period(
    ticker: *mut Ticker,
    period_ns: u64,
    divisor: u64,
) -> Status {
    border(|| {
        handle::held(ticker)?.set_period(options::period(period_ns, divisor)?);
        Ok(PUNCTUAL_OK)
    })
}

/// Puts the next tick at `start_ns`, or makes it come at once if that is zero, and the ticks after
/// it follow at whole periods. Use it after a pause. The numbering continues, and nothing counts as
/// missed.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_ticker_restart(ticker: *mut Ticker, start_ns: u64) -> Status {
    border(|| {
        let mut ticker = handle::held(ticker)?;
        ticker.restart();
        if start_ns != 0 {
            ticker.restart_at(Instant::from_nanos(start_ns));
        }
        Ok(PUNCTUAL_OK)
    })
}

/// `punctual_ticker_phase`: the deadlines lie where the ticker was told to start, or asked for its first tick.
pub const PUNCTUAL_PHASE_AS_ASKED: i32 = 0;
/// `punctual_ticker_phase`: they lie just after the interrupts that end waits, on a Windows without high-resolution
/// timers.
pub const PUNCTUAL_PHASE_WITH_INTERRUPTS: i32 = 1;
/// `punctual_ticker_phase`: they keep away from the ticks of the Linux kernel, which would make them late on a busy
/// machine.
pub const PUNCTUAL_PHASE_OFF_TICKS: i32 = 2;

/// Writes where the deadlines lie: a `PUNCTUAL_PHASE_…`. A ticker without a start chooses it, from its first tick on, if
/// its period allows that.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_ticker_phase(ticker: *mut Ticker, phase: *mut i32) -> Status {
    border(|| {
        let ticker = handle::held(ticker)?;
        NotNull::new(phase, "phase")?.write(match ticker.phase() {
            Phase::WithInterrupts => PUNCTUAL_PHASE_WITH_INTERRUPTS,
            Phase::OffTicks => PUNCTUAL_PHASE_OFF_TICKS,
            _ => PUNCTUAL_PHASE_AS_ASKED,
        });
        Ok(PUNCTUAL_OK)
    })
}

/// Gives back what it holds of the system until the next tick. Use it when a loop pauses, and
/// `punctual_ticker_restart` to go on.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_ticker_pause(ticker: *mut Ticker) -> Status {
    border(|| {
        handle::held(ticker)?.pause();
        Ok(PUNCTUAL_OK)
    })
}
