//! A timed call with another end.

use super::abi::{self, ABSOLUTE, Clock, Made, futex};
use super::decode::{LONGEST, Time, Timed, Unit};
use super::stub::{SCRATCH_LENGTH, Tells};
use crate::call::Call;

/// What a call is made into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rewritten {
    pub(crate) made: Made,
    /// What its pointer to a time points to.
    pub(crate) scratch: [u8; SCRATCH_LENGTH],
    /// Whether the stub can make it.
    pub(crate) stub: bool,
}

/// What a call can be made into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Means {
    /// Where scratch memory is.
    pub(crate) scratch: u64,
    /// Whether the kernel has `epoll_pwait2`.
    pub(crate) epoll_pwait2: bool,
    /// Whether the call must stay the one it is, with only its time changed: the program has a filter of
    /// its own, which may refuse another.
    pub(crate) same_call: bool,
}

/// The new end of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct End {
    /// Now and the end, on the monotonic clock.
    pub(crate) now: u64,
    pub(crate) end: u64,
    /// How far the call's own clock is ahead of the monotonic one.
    pub(crate) ahead: i64,
    /// Between firings, of timers that repeat.
    pub(crate) period: u64,
}

/// What remains to be done when a call is over, because the kernel did it to the rewritten one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Remainder {
    None,
    /// If it was interrupted, what is left of the time is written here.
    IfInterrupted(u64),
    /// However it ended, what is left of the time is written here, in this unit.
    Always(u64, Unit),
}

/// Where a call wants to be told what is left of its time.
pub(crate) fn remainder(made: Made, timed: Timed) -> Remainder {
    match timed.call {
        Call::Nanosleep if made.args[1] != 0 => Remainder::IfInterrupted(made.args[1]),
        Call::ClockNanosleep if made.args[1] & ABSOLUTE == 0 && made.args[3] != 0 => {
            Remainder::IfInterrupted(made.args[3])
        }
        Call::Select => Remainder::Always(made.args[4], Unit::Timeval),
        Call::Ppoll => Remainder::Always(made.args[2], Unit::Timespec),
        Call::Pselect6 => Remainder::Always(made.args[4], Unit::Timespec),
        _ => Remainder::None,
    }
}

/// A time as the kernel has it in memory.
pub(crate) fn bytes(nanos: u64, unit: Unit) -> [u8; 16] {
    let fraction = nanos % 1_000_000_000;
    let fraction = if unit == Unit::Timeval {
        fraction / 1000
    } else {
        fraction
    };
    let mut all = [0; 16];
    all[..8].copy_from_slice(&(nanos / 1_000_000_000).to_le_bytes());
    all[8..].copy_from_slice(&fraction.to_le_bytes());
    all
}

/// Gives a call another end.
pub(crate) fn rewrite(made: Made, timed: Timed, end: End, means: Means) -> Rewritten {
    let mut new = made;
    let args = &mut new.args;
    // At least a nanosecond: zero would mean no wait, or no timer.
    let left = end.end.saturating_sub(end.now).max(1);
    let on = |ahead: i64| end.end.saturating_add_signed(ahead).clamp(1, LONGEST);
    let mut time = left;
    let mut unit = timed.unit;
    match timed.call {
        Call::Nanosleep if !means.same_call => {
            new.number = abi::CLOCK_NANOSLEEP;
            args[..4].copy_from_slice(&[Clock::Monotonic.number(), ABSOLUTE, means.scratch, 0]);
            time = on(0);
        }
        Call::ClockNanosleep if !means.same_call || matches!(timed.time, Time::At(..)) => {
            // A relative sleep does not follow the clock of the day when it is set.
            if let Time::In(_) = timed.time {
                args[0] = Clock::Monotonic.number();
            }
            args[1] |= ABSOLUTE;
            args[2] = means.scratch;
            args[3] = 0;
            time = on(end.ahead);
        }
        Call::FutexWait if !means.same_call => {
            args[1] |= u64::from(futex::WAIT_BITSET);
            args[3] = means.scratch;
            args[5] = futex::ANY;
            time = on(0);
        }
        Call::Poll if !means.same_call => {
            new.number = abi::PPOLL;
            args[2] = means.scratch;
            args[3] = 0;
            unit = Unit::Timespec;
        }
        Call::EpollWait | Call::EpollPwait if !means.same_call && means.epoll_pwait2 => {
            new.number = abi::EPOLL_PWAIT2;
            args[3] = means.scratch;
            if timed.call == Call::EpollWait {
                args[4] = 0;
            }
            unit = Unit::Timespec;
        }
        Call::Select if !means.same_call => {
            new.number = abi::PSELECT6;
            args[4] = means.scratch;
            args[5] = 0;
            unit = Unit::Timespec;
        }
        _ => {
            if unit == Unit::Milliseconds {
                let most = u64::from(i32::MAX.unsigned_abs());
                args[timed.argument] = left.div_ceil(1_000_000).min(most);
            } else {
                args[timed.argument] = means.scratch;
            }
            if let Time::At(..) = timed.time {
                time = on(end.ahead);
            }
        }
    }
    Rewritten {
        made: new,
        scratch: scratch(timed, time, unit, end.period),
        stub: stubbed(timed.call),
    }
}

/// What the pointer to a time points to.
fn scratch(timed: Timed, time: u64, unit: Unit, period: u64) -> [u8; SCRATCH_LENGTH] {
    // Never early: microseconds are rounded up.
    let time = if unit == Unit::Timeval {
        time.div_ceil(1000) * 1000
    } else {
        time
    };
    let mut all = [0; SCRATCH_LENGTH];
    if timed.is_timer() {
        all[..16].copy_from_slice(&bytes(period, unit));
        all[16..].copy_from_slice(&bytes(time, unit));
    } else {
        all[..16].copy_from_slice(&bytes(time, unit));
    }
    all
}

/// Whether the stub can make it: it is frequent.
fn stubbed(call: Call) -> bool {
    matches!(
        call,
        Call::Nanosleep
            | Call::ClockNanosleep
            | Call::FutexWait
            | Call::FutexWaitBitset
            | Call::Poll
            | Call::Ppoll
            | Call::Select
            | Call::Pselect6
            | Call::EpollWait
            | Call::EpollPwait
            | Call::EpollPwait2
    )
}

/// What the stub tells the program of what is left, if the call does.
pub(crate) fn tells(made: Made, timed: Timed, asked: u64, end: u64) -> Option<Tells> {
    let Remainder::Always(address, unit) = remainder(made, timed) else {
        return None;
    };
    Some(Tells {
        address,
        beyond: end.cast_signed().saturating_sub_unsigned(asked),
        unit_nanos: if unit == Unit::Timeval { 1000 } else { 1 },
    })
}

#[cfg(test)]
mod tests;
