//! Statistics of lateness.

use crate::clock::nanos;
use crate::handle::{self, Opaque};
use crate::sized::{self, Sized};
use crate::status::{PUNCTUAL_NOTHING_YET, PUNCTUAL_OK, PUNCTUAL_SECOND_ENDED, Status, border};
use punctual::{Arrival, Instant, LatenessStats};

/// Counts how late the ticks of a loop come, and at which rate: over all time, and second by
/// second.
///
/// Threads: one at a time, as for a sleeper.
pub struct Stats {
    _opaque: [u8; 0],
}

impl Opaque for Stats {
    type Inside = LatenessStats;
    const WORD: u32 = u32::from_le_bytes(*b"Stat") & !1;
    const NAME: &'static str = "stats";
}

/// A summary of events.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Summary {
    /// `sizeof(punctual_summary)`, set by the caller.
    pub size: usize,
    /// The number of events.
    pub count: u64,
    /// The periods that passed without one.
    pub missed: u64,
    /// The median of the lateness.
    pub p50_ns: u64,
    /// The 99th percentile of the lateness.
    pub p99_ns: u64,
    /// The worst lateness.
    pub worst_ns: u64,
    /// The mean time between events.
    pub mean_interval_ns: u64,
    /// Events per second.
    pub rate_hertz: f64,
}

// SAFETY: fields of 8 bytes after the size, all numbers.
unsafe impl Sized for Summary {
    const NAME: &'static str = "summary";
}

impl From<punctual::Summary> for Summary {
    fn from(summary: punctual::Summary) -> Self {
        Self {
            size: size_of::<Self>(),
            count: summary.count,
            missed: summary.missed,
            p50_ns: nanos(summary.p50),
            p99_ns: nanos(summary.p99),
            worst_ns: nanos(summary.worst),
            mean_interval_ns: nanos(summary.mean_interval),
            rate_hertz: summary.rate_hertz,
        }
    }
}

/// Makes statistics without any event. They read no clock, and take nine kilobytes.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn punctual_stats_new(stats: *mut *mut Stats) -> Status {
    border(|| handle::make(stats, || Ok(LatenessStats::new())))
}

/// Frees them. Null is nothing to free.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_stats_free(stats: *mut Stats) -> Status {
    border(|| handle::free(stats))
}

/// Records an event: when it should have come, when it came, and how many periods were missed
/// before it.
///
/// Returns `PUNCTUAL_SECOND_ENDED` for the first event after the end of a second:
/// `punctual_stats_last_second` then has the summary of that second, without this event.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_stats_record(
    stats: *mut Stats,
    deadline_ns: u64,
    woke_ns: u64,
    missed: u64,
) -> Status {
    border(|| {
        let mut arrival = Arrival::new(
            Instant::from_nanos(deadline_ns),
            Instant::from_nanos(woke_ns),
        );
        arrival.missed = missed;
        Ok(match handle::held(stats)?.record(arrival) {
            Some(_) => PUNCTUAL_SECOND_ENDED,
            None => PUNCTUAL_OK,
        })
    })
}

/// The summary of all events.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_stats_summary(stats: *mut Stats, summary: *mut Summary) -> Status {
    border(|| {
        let stats = handle::held(stats)?;
        sized::place(summary)?.write(stats.summary().into());
        Ok(PUNCTUAL_OK)
    })
}

/// The summary of the last second that ended. Returns `PUNCTUAL_NOTHING_YET` before the end of the
/// first, and leaves `summary` alone.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_stats_last_second(stats: *mut Stats, summary: *mut Summary) -> Status {
    border(|| {
        let stats = handle::held(stats)?;
        let place = sized::place(summary)?;
        let Some(second) = stats.last_second() else {
            return Ok(PUNCTUAL_NOTHING_YET);
        };
        place.write(second.into());
        Ok(PUNCTUAL_OK)
    })
}

/// Leaves the time since the last event out of the rate and the mean interval. Use it after a
/// pause.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_stats_resume(stats: *mut Stats) -> Status {
    border(|| {
        handle::held(stats)?.resume();
        Ok(PUNCTUAL_OK)
    })
}

/// Forgets everything.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_stats_reset(stats: *mut Stats) -> Status {
    border(|| {
        handle::held(stats)?.reset();
        Ok(PUNCTUAL_OK)
    })
}
