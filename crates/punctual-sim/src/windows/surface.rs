//! Which calls a version has, and what calls cost.

use punctual::os::windows::Win32Error;
use punctual_windows::Version;
use std::time::Duration;

/// What a version's programs find, as far as its timing rules don't say it already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Generation {
    Xp,
    Seven,
    Eight,
    Ten,
}

impl Generation {
    /// By the version's name: rules can be changed, but no rule adds a call.
    pub(super) fn of(version: &Version) -> Self {
        match version.name {
            "windows-xp" => Self::Xp,
            "windows-7" => Self::Seven,
            "windows-8" => Self::Eight,
            _ => Self::Ten,
        }
    }

    /// A call that came with a version is not found on those before it. What came with Vista is first found on 7.
    pub(super) fn needs(self, first: Self) -> Result<(), Win32Error> {
        match self >= first {
            true => Ok(()),
            false => Err(Win32Error::PROC_NOT_FOUND),
        }
    }

    /// Counts of the performance counter per second.
    pub(super) fn counter_frequency(self) -> u64 {
        match self {
            Self::Xp => ACPI_TIMER,
            Self::Seven | Self::Eight => TIME_STAMP_COUNTER,
            Self::Ten => TEN_MEGAHERTZ,
        }
    }

    /// What the performance counter has counted after so many nanoseconds. The compiler is told each
    /// frequency, and divides by none.
    #[inline]
    pub(super) fn count_after(self, nanos: u64) -> u64 {
        match self {
            Self::Xp => count_at(ACPI_TIMER, nanos),
            Self::Seven | Self::Eight => count_at(TIME_STAMP_COUNTER, nanos),
            Self::Ten => count_at(TEN_MEGAHERTZ, nanos),
        }
    }
}

/// The ACPI power management timer, which its specification sets at 3.579545 MHz.
const ACPI_TIMER: u64 = 3_579_545;
/// A time-stamp counter of 3 GHz divided by 1024: what Windows 7 and 8 print.
const TIME_STAMP_COUNTER: u64 = 2_929_687;
/// From Windows 10 version 1803 on, whatever the processor.
const TEN_MEGAHERTZ: u64 = 10_000_000;

const NANOS_PER_SECOND: u64 = 1_000_000_000;

#[inline(always)]
const fn count_at(frequency: u64, nanos: u64) -> u64 {
    if NANOS_PER_SECOND.is_multiple_of(frequency) {
        return nanos / (NANOS_PER_SECOND / frequency);
    }
    // Seconds and the rest apart: the product of all fits into 64 bits for half an hour only.
    let (seconds, rest) = (nanos / NANOS_PER_SECOND, nanos % NANOS_PER_SECOND);
    seconds * frequency + rest * frequency / NANOS_PER_SECOND
}

/// What calls and interrupts cost: orders of magnitude, ours. Set what you have measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Costs {
    /// Reading a clock, which takes no system call: 30 ns unless set.
    pub look: Duration,
    /// Any other call: 300 ns unless set.
    pub call: Duration,
    /// A timer interrupt that finds something to do: 1 µs of its processor unless set.
    pub interrupt: Duration,
    /// The deferred call that ends waits and signals timers: 1 µs unless set.
    pub dispatch: Duration,
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            look: Duration::from_nanos(30),
            call: Duration::from_nanos(300),
            interrupt: Duration::from_micros(1),
            dispatch: Duration::from_micros(1),
        }
    }
}
