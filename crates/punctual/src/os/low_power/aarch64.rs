//! WFET of ARM's newer processors, which the counter ends, and WFE, which an event ends: Linux has the
//! timer send one every 100 µs or so, so that no wait for another processor lasts for ever.

use super::Processor;
use std::arch::asm;
use std::time::Duration;

/// The instruction that the processor has and the kernel vouches for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// ARM, "Architecture Reference Manual for A-profile", WFET: `FEAT_WFxT`.
    Timed,
    /// The same, WFE, with the kernel's stream of events.
    Streamed,
}

/// What the kernel says in `AT_HWCAP`: the stream of events runs.
const EVENT_STREAM: u64 = 1 << 2;

/// What the kernel says in `AT_HWCAP2`: the processors have WFET.
const TIMED_WAITS: u64 = 1 << 31;

/// The kernel means it to have an event every 100 µs (`ARCH_TIMER_EVT_STREAM_PERIOD_US`), and takes the
/// nearest power of two of the counter's unit, which is up to a third more. Until Linux 5.11 it was
/// twice that, by an error of one bit.
const STREAM_PERIOD: Duration = Duration::from_micros(270);

impl Found {
    /// Asks the kernel: a program cannot ask the processor.
    pub(super) fn detect() -> Option<Self> {
        if capabilities(libc::AT_HWCAP2) & TIMED_WAITS != 0 {
            Some(Self::Timed)
        } else if capabilities(libc::AT_HWCAP) & EVENT_STREAM != 0 {
            Some(Self::Streamed)
        } else {
            None
        }
    }
}

impl Processor for Found {
    #[inline]
    fn counter(self) -> u64 {
        let count: u64;
        // SAFETY: Linux lets programs read the virtual counter. The barrier keeps the reading from
        // being made ahead of what stands before it.
        unsafe {
            asm!("isb", "mrs {count}, cntvct_el0", count = out(reg) count, options(nomem, nostack));
        }
        count
    }

    #[inline]
    fn rest(self, until: u64) {
        match self {
            Self::Timed => wait_for_event_until(until),
            Self::Streamed => wait_for_event(),
        }
    }

    fn coarse(self) -> Duration {
        match self {
            Self::Timed => Duration::ZERO,
            Self::Streamed => STREAM_PERIOD,
        }
    }
}

fn capabilities(which: libc::c_ulong) -> u64 {
    // SAFETY: it takes a number, and answers zero to one that it does not know.
    unsafe { libc::getauxval(which) }
}

/// Stands still until the virtual counter has come to `until`, or an event or an interrupt comes.
#[inline]
pub(super) fn wait_for_event_until(until: u64) {
    // As a number, because assemblers refuse the name unless told that the processor has it.
    // SAFETY: it touches no memory, and only a processor that has the instruction is asked.
    unsafe {
        asm!(".inst 0xd5031000 // wfet x0", in("x0") until, options(nomem, nostack, preserves_flags));
    }
}

/// Stands still until an event or an interrupt comes.
#[inline]
pub(super) fn wait_for_event() {
    // SAFETY: it touches no memory, and every processor has it.
    unsafe { asm!("wfe", options(nomem, nostack, preserves_flags)) };
}
