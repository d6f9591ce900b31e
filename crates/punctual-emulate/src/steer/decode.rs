//! What a timed call asks for, read from its arguments.

use super::abi::{self, ABSOLUTE, Clock, Made, futex};
use crate::call::{Call, Family};

/// What can be read of the program that made a call.
pub(crate) trait Program {
    /// Its memory. False if there is none at this address.
    fn read(&self, address: u64, into: &mut [u8]) -> bool;
    /// The clock of a timer behind a file descriptor.
    fn clock_of_timerfd(&self, fd: u64) -> Option<u64>;
    /// The clock of a timer by its number.
    fn clock_of_timer(&self, timer: u64) -> Option<u64>;
}

/// When it wants its wait to end, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Time {
    /// From now on.
    In(u64),
    /// At a reading of a clock.
    At(Clock, u64),
}

/// How a call has its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// `struct timespec`, behind a pointer.
    Timespec,
    /// `struct timeval`, behind a pointer.
    Timeval,
    /// Milliseconds, in the argument itself.
    Milliseconds,
}

/// A timed call, understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Timed {
    pub(crate) call: Call,
    pub(crate) time: Time,
    /// Which argument has the time, and how.
    pub(crate) argument: usize,
    pub(crate) unit: Unit,
    /// Between firings, of timers that repeat.
    pub(crate) period: Option<u64>,
}

impl Timed {
    /// Whether it sets a timer, and does not wait itself.
    pub(crate) fn is_timer(self) -> bool {
        self.call.family() == Family::Timer
    }
}

/// What is to be done with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decoded {
    Steer(Timed),
    /// It takes a timer back.
    Cancel,
    /// It does not wait, or it is wrong, or it goes by a clock of processor time.
    Leave,
}

/// The kernel's longest time.
pub(crate) const LONGEST: u64 = i64::MAX as u64;

/// A pair of words, as the kernel reads times: checked as it checks them.
fn pair(program: &dyn Program, address: u64, per_second: u64) -> Option<u64> {
    let mut bytes = [0; 16];
    if !program.read(address, &mut bytes) {
        return None;
    }
    nanoseconds(bytes, per_second)
}

/// The nanoseconds of seconds and a fraction. None if the kernel refuses them.
fn nanoseconds(bytes: [u8; 16], per_second: u64) -> Option<u64> {
    let (seconds, fraction) = bytes.split_at(8);
    let seconds = u64::from_le_bytes(seconds.try_into().ok()?);
    let fraction = u64::from_le_bytes(fraction.try_into().ok()?);
    if seconds > LONGEST || fraction >= per_second {
        return None;
    }
    let fraction = fraction * (1_000_000_000 / per_second);
    Some(
        seconds
            .saturating_mul(1_000_000_000)
            .saturating_add(fraction)
            .min(LONGEST),
    )
}

/// Understands a timed call.
pub(crate) fn decode(made: Made, program: &dyn Program) -> Decoded {
    timed(made, program).unwrap_or(Decoded::Leave)
}

fn timed(made: Made, program: &dyn Program) -> Option<Decoded> {
    let Made { number, args } = made;
    let relative = |call, argument| {
        let length = pair(program, args[argument], 1_000_000_000)?;
        steer(call, Time::In(length), argument, Unit::Timespec)
    };
    let absolute = |call, clock, argument| {
        let at = pair(program, args[argument], 1_000_000_000)?;
        steer(call, Time::At(clock, at), argument, Unit::Timespec)
    };
    let milliseconds = |call, argument: usize| {
        let length = args[argument] & 0xffff_ffff;
        steer(
            call,
            Time::In(length * 1_000_000),
            argument,
            Unit::Milliseconds,
        )
    };
    match number {
        abi::NANOSLEEP => relative(Call::Nanosleep, 0),
        abi::CLOCK_NANOSLEEP => {
            let clock = Clock::of(args[0])?;
            if args[1] & ABSOLUTE != 0 {
                return absolute(Call::ClockNanosleep, clock, 2);
            }
            relative(Call::ClockNanosleep, 2)
        }
        abi::FUTEX => of_futex(args, program),
        abi::FUTEX_WAITV => absolute(Call::FutexWaitv, Clock::of(args[4])?, 3),
        abi::POLL => milliseconds(Call::Poll, 2),
        abi::EPOLL_WAIT => milliseconds(Call::EpollWait, 3),
        abi::EPOLL_PWAIT => milliseconds(Call::EpollPwait, 3),
        abi::PPOLL => relative(Call::Ppoll, 2),
        abi::PSELECT6 => relative(Call::Pselect6, 4),
        abi::SELECT => {
            let mut bytes = [0; 16];
            if !program.read(args[4], &mut bytes) {
                return None;
            }
            // The kernel takes more than a second of microseconds here.
            let (seconds, micros) = bytes.split_at(8);
            let seconds = i64::from_le_bytes(seconds.try_into().ok()?);
            let micros = i64::from_le_bytes(micros.try_into().ok()?);
            let length = u64::try_from(seconds)
                .ok()?
                .saturating_mul(1_000_000_000)
                .saturating_add(u64::try_from(micros).ok()?.saturating_mul(1000));
            steer(
                Call::Select,
                Time::In(length.min(LONGEST)),
                4,
                Unit::Timeval,
            )
        }
        abi::EPOLL_PWAIT2 => relative(Call::EpollPwait2, 3),
        abi::RT_SIGTIMEDWAIT => relative(Call::RtSigtimedwait, 2),
        abi::SEMTIMEDOP => relative(Call::Semtimedop, 3),
        abi::MQ_TIMEDSEND => absolute(Call::MqTimedsend, Clock::Realtime, 4),
        abi::MQ_TIMEDRECEIVE => absolute(Call::MqTimedreceive, Clock::Realtime, 4),
        abi::IO_GETEVENTS => relative(Call::IoGetevents, 4),
        abi::IO_PGETEVENTS => relative(Call::IoPgetevents, 4),
        abi::TIMERFD_SETTIME | abi::TIMER_SETTIME | abi::SETITIMER => of_timer(made, program),
        _ => None,
    }
}

fn steer(call: Call, time: Time, argument: usize, unit: Unit) -> Option<Decoded> {
    if time == Time::In(0) {
        return None;
    }
    Some(Decoded::Steer(Timed {
        call,
        time,
        argument,
        unit,
        period: None,
    }))
}

fn of_futex(args: [u64; 6], program: &dyn Program) -> Option<Decoded> {
    let operation = u32::try_from(args[1] & 0xffff_ffff).ok()?;
    let at = pair(program, args[3], 1_000_000_000)?;
    let by_flag = if operation & futex::REALTIME == 0 {
        Clock::Monotonic
    } else {
        Clock::Realtime
    };
    let (call, time) = match operation & !(futex::PRIVATE | futex::REALTIME) {
        // With the clock of the day it is one of the kernel's oddities: left to it.
        futex::WAIT if by_flag == Clock::Monotonic => (Call::FutexWait, Time::In(at)),
        futex::WAIT_BITSET => (Call::FutexWaitBitset, Time::At(by_flag, at)),
        futex::LOCK_PI => (Call::FutexLockPi, Time::At(Clock::Realtime, at)),
        futex::LOCK_PI2 => (Call::FutexLockPi, Time::At(by_flag, at)),
        futex::WAIT_REQUEUE_PI => (Call::FutexWaitRequeuePi, Time::At(by_flag, at)),
        _ => return None,
    };
    steer(call, time, 3, Unit::Timespec)
}

fn of_timer(made: Made, program: &dyn Program) -> Option<Decoded> {
    let Made { number, args } = made;
    let (call, argument, unit) = match number {
        abi::TIMERFD_SETTIME => (Call::TimerfdSettime, 2, Unit::Timespec),
        abi::TIMER_SETTIME => (Call::TimerSettime, 2, Unit::Timespec),
        _ => (Call::Setitimer, 1, Unit::Timeval),
    };
    if number == abi::SETITIMER && args[1] == 0 {
        return Some(Decoded::Cancel);
    }
    let per_second = if unit == Unit::Timeval {
        1_000_000
    } else {
        1_000_000_000
    };
    let period = pair(program, args[argument], per_second)?;
    let first = pair(program, args[argument].checked_add(16)?, per_second)?;
    let clock = match number {
        abi::TIMERFD_SETTIME => program.clock_of_timerfd(args[0]),
        abi::TIMER_SETTIME => program.clock_of_timer(args[0]),
        _ => Some(Clock::Realtime.number()),
    };
    let clock = Clock::of(clock?)?;
    if first == 0 {
        return Some(Decoded::Cancel);
    }
    let absolute = number != abi::SETITIMER && args[1] & ABSOLUTE != 0;
    let time = if absolute {
        Time::At(clock, first)
    } else {
        Time::In(first)
    };
    Some(Decoded::Steer(Timed {
        call,
        time,
        argument,
        unit,
        period: Some(period).filter(|&period| period > 0),
    }))
}

#[cfg(test)]
mod tests;
