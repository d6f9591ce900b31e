//! How to wait, and when to tick: the structs that callers fill in.

use crate::sized::Sized;
use crate::status::{Failure, of};
use punctual::margin::Margin;
use punctual::os::{Slice, Spin};
use punctual::{Budget, Instant, LateRate, MissedTicks, Native, Period, Sleeper};
use std::time::Duration;

/// `punctual_options.mode`: at most `late_rate` of the waits end late, as far as `budget` allows.
pub const PUNCTUAL_AIMING: i32 = 0;
/// `punctual_options.mode`: never spins, so that waits end as late as the system ends them.
pub const PUNCTUAL_COARSE: i32 = 1;
/// `punctual_options.mode`: spins for as long as precision needs, without a budget.
pub const PUNCTUAL_EXACT: i32 = 2;
/// `punctual_options.mode`: is woken `margin_ns` before each deadline, and spins for the rest.
pub const PUNCTUAL_FIXED_MARGIN: i32 = 3;

/// `punctual_options.spin`: pauses for some cycles between two readings of the clock.
pub const PUNCTUAL_SPIN_PAUSE: i32 = 0;
/// `punctual_options.spin`: lets other threads run between two readings of the clock.
pub const PUNCTUAL_SPIN_YIELD: i32 = 1;

/// `punctual_options.slice`: a waiting thread gets a short slice, where threads have one (Linux
/// 6.12 and later), so that its turn comes sooner on a busy machine.
pub const PUNCTUAL_SLICE_SHORT: i32 = 0;
/// `punctual_options.slice`: leaves the thread's slice alone.
pub const PUNCTUAL_SLICE_UNCHANGED: i32 = 1;

/// `punctual_schedule.missed_ticks`: a late loop gets the last tick that passed.
pub const PUNCTUAL_MISSED_SKIP: i32 = 0;
/// `punctual_schedule.missed_ticks`: a late loop gets every tick that passed, at once.
pub const PUNCTUAL_MISSED_BURST: i32 = 1;
/// `punctual_schedule.missed_ticks`: a late loop gets the last `burst` ticks that passed, at once.
pub const PUNCTUAL_MISSED_BURST_OF: i32 = 2;
/// `punctual_schedule.missed_ticks`: a late loop gets one tick, from which the schedule starts
/// again.
pub const PUNCTUAL_MISSED_DELAY: i32 = 3;

/// How to wait. A null pointer to it means the defaults, and so does zero in any field but `size`:
///
///     punctual_options options = {.size = sizeof options, .budget = 0.2};
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Options {
    /// `sizeof(punctual_options)`.
    pub size: usize,
    /// The share of waits that may end late, from 0.0001 to 0.25. Default: 0.01.
    pub late_rate: f64,
    /// The share of a processor that this sleeper may spin, up to 1. Default: it shares the budget of the
    /// process with the others, 0.05 in all. To spin never, use `PUNCTUAL_COARSE`.
    pub budget: f64,
    /// The margin of `PUNCTUAL_FIXED_MARGIN`, in nanoseconds.
    pub margin_ns: u64,
    /// `PUNCTUAL_AIMING`, `PUNCTUAL_COARSE`, `PUNCTUAL_EXACT` or `PUNCTUAL_FIXED_MARGIN`.
    pub mode: i32,
    /// `PUNCTUAL_SPIN_PAUSE` or `PUNCTUAL_SPIN_YIELD`.
    pub spin: i32,
    /// `PUNCTUAL_SLICE_SHORT` or `PUNCTUAL_SLICE_UNCHANGED`.
    pub slice: i32,
    /// Zero.
    pub reserved: i32,
}

// SAFETY: three fields of 8 bytes and four of 4 after the size, all numbers.
unsafe impl Sized for Options {
    const NAME: &'static str = "options";
}

impl Options {
    /// A sleeper that waits like this.
    pub fn sleeper(self, os: Native) -> Result<Sleeper, Failure> {
        if self.reserved != 0 {
            return Err(Failure::invalid("options.reserved: to be 0"));
        }
        let sleeper = Sleeper::on(os).with_margin(self.margin()?);
        let sleeper = sleeper.with_spin(match self.spin {
            PUNCTUAL_SPIN_PAUSE => Spin::Pause,
            PUNCTUAL_SPIN_YIELD => Spin::Yield,
            other => return Err(unknown("options.spin", other, "PUNCTUAL_SPIN_…")),
        });
        Ok(sleeper.with_slice(match self.slice {
            PUNCTUAL_SLICE_SHORT => Slice::Short,
            PUNCTUAL_SLICE_UNCHANGED => Slice::Unchanged,
            other => return Err(unknown("options.slice", other, "PUNCTUAL_SLICE_…")),
        }))
    }

    fn margin(self) -> Result<Margin, Failure> {
        Ok(match self.mode {
            PUNCTUAL_AIMING => {
                let late_rate =
                    chosen("options.late_rate", self.late_rate, LateRate::new)?.unwrap_or_default();
                match chosen("options.budget", self.budget, Budget::new)? {
                    Some(own) => Margin::new(late_rate, own),
                    None => Margin::sharing(late_rate),
                }
            }
            PUNCTUAL_COARSE => Margin::coarse(),
            PUNCTUAL_EXACT => Margin::exact(),
            PUNCTUAL_FIXED_MARGIN => Margin::fixed(Duration::from_nanos(self.margin_ns)),
            other => {
                return Err(unknown(
                    "options.mode",
                    other,
                    "PUNCTUAL_AIMING, PUNCTUAL_COARSE, …",
                ));
            }
        })
    }
}

/// Nothing for zero, and otherwise what the number makes, if it can.
fn chosen<T>(
    field: &str,
    number: f64,
    make: fn(f64) -> Result<T, punctual::Error>,
) -> Result<Option<T>, Failure> {
    if number == 0.0 {
        return Ok(None);
    }
    make(number).map(Some).map_err(of(field))
}

fn unknown(field: &str, found: i32, right: &str) -> Failure {
    Failure::invalid(format!("{field} is {found}, which is none of {right}"))
}

/// When to tick. The period is a fraction, so that it is exact: `period_ns / divisor` nanoseconds.
///
///     punctual_schedule frames = {.size = sizeof frames, .period_ns = PUNCTUAL_SECOND, .divisor = 60};
///     punctual_schedule video = {.size = sizeof video, .period_ns = 1001 * PUNCTUAL_SECOND, .divisor = 30000};
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Schedule {
    /// `sizeof(punctual_schedule)`.
    pub size: usize,
    /// The period's numerator, in nanoseconds. Not zero.
    pub period_ns: u64,
    /// The period's denominator. Zero means 1.
    pub divisor: u64,
    /// The instant of the first tick. Zero means now: for a ticker, when its first tick is asked
    /// for.
    pub start_ns: u64,
    /// How much later than its deadline a tick may come, so that it shares a wake-up with others.
    /// Only for `punctual_driver_every`; zero for a ticker.
    pub tolerance_ns: u64,
    /// `PUNCTUAL_MISSED_SKIP`, `PUNCTUAL_MISSED_BURST`, `PUNCTUAL_MISSED_BURST_OF` or
    /// `PUNCTUAL_MISSED_DELAY`.
    pub missed_ticks: i32,
    /// The number of ticks of `PUNCTUAL_MISSED_BURST_OF`.
    pub burst: u32,
}

// SAFETY: four fields of 8 bytes and two of 4 after the size, all numbers.
unsafe impl Sized for Schedule {
    const NAME: &'static str = "schedule";
}

impl Schedule {
    pub fn period(self) -> Result<Period, Failure> {
        period(self.period_ns, self.divisor)
    }

    pub fn missed_ticks(self) -> Result<MissedTicks, Failure> {
        Ok(match self.missed_ticks {
            PUNCTUAL_MISSED_SKIP => MissedTicks::Skip,
            PUNCTUAL_MISSED_BURST => MissedTicks::Burst,
            PUNCTUAL_MISSED_BURST_OF => MissedTicks::BurstOf(self.burst),
            PUNCTUAL_MISSED_DELAY => MissedTicks::Delay,
            other => return Err(unknown("schedule.missed_ticks", other, "PUNCTUAL_MISSED_…")),
        })
    }

    /// The instant of the first tick, if it is not now.
    pub fn start(self) -> Option<Instant> {
        (self.start_ns != 0).then(|| Instant::from_nanos(self.start_ns))
    }
}

/// A period from the two numbers that every function takes.
pub fn period(period_ns: u64, divisor: u64) -> Result<Period, Failure> {
    Period::try_from_nanos_fraction(period_ns, divisor.max(1)).map_err(of("period_ns"))
}
