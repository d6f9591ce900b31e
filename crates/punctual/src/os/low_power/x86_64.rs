//! TPAUSE of Intel's processors, and MWAITX of AMD's. The time-stamp counter ends both.

use super::Processor;
use std::arch::asm;
use std::arch::x86_64::{__cpuid_count, _rdtsc, CpuidResult};
use std::time::Duration;

/// The instruction that the processor has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// Intel, "Software Developer's Manual", volume 2B, TPAUSE.
    Tpause,
    /// AMD, "Architecture Programmer's Manual", volume 3, MONITORX and MWAITX.
    Mwaitx,
}

/// The deeper of TPAUSE's two states, C0.2: only it leaves the core to a sibling. Linux chooses it,
/// too, for delays of microseconds.
const C0_2: u32 = 0;

/// For MWAITX: no C-state deeper than C0, so that it goes on as soon as it can. Linux' delays use it.
const NO_DEEP_STATE: u32 = 0xf0;

/// For MWAITX: the counter in EBX ends the wait.
const WITH_TIMER: u32 = 1 << 1;

impl Found {
    /// Asks the processor. A virtual machine can hide what its processor has.
    pub(super) fn detect() -> Option<Self> {
        const EXTENDED: u32 = 0x8000_0000;
        // Miri interprets no instructions.
        if cfg!(miri) {
            return None;
        }
        let last = cpuid(0).eax;
        if last >= 7 && cpuid(7).ecx & 1 << 5 != 0 {
            return Some(Self::Tpause);
        }
        let last = cpuid(EXTENDED).eax;
        (last > EXTENDED && cpuid(EXTENDED + 1).ecx & 1 << 29 != 0).then_some(Self::Mwaitx)
    }
}

impl Processor for Found {
    #[inline]
    fn counter(self) -> u64 {
        // SAFETY: Linux, macOS and Windows let programs read it. A Linux program can forbid it to its
        // threads (`PR_SET_TSC`), which ends any thread that reads the system's clock, too.
        unsafe { _rdtsc() }
    }

    #[inline]
    fn rest(self, until: u64) {
        match self {
            Self::Tpause => tpause(until),
            Self::Mwaitx => mwaitx(until.saturating_sub(self.counter())),
        }
    }

    fn coarse(self) -> Duration {
        Duration::ZERO
    }
}

/// What the processor says of itself. It has the leaf if it has asked for the last one.
fn cpuid(leaf: u32) -> CpuidResult {
    // Safe since Rust 1.94.
    #[allow(
        unused_unsafe,
        reason = "the oldest compiler that builds this needs it"
    )]
    // SAFETY: every processor of 64 bits has the instruction.
    unsafe {
        __cpuid_count(leaf, 0)
    }
}

/// Stands still until the time-stamp counter has come to `until`. An interrupt ends it, and so does
/// the limit of the system: on Linux `umwait_control/max_time`, 100,000 counts by default.
#[inline]
pub(super) fn tpause(until: u64) {
    let (low, high) = (until & u64::from(u32::MAX), until >> 32);
    // SAFETY: it touches no memory, and only a processor that has the instruction is asked. No bit is
    // set that is reserved.
    unsafe {
        asm!(
            "tpause ecx",
            in("ecx") C0_2,
            in("rax") low,
            in("rdx") high,
            options(nomem, nostack),
        );
    }
}

/// Stands still for so many counts of the time-stamp counter, but no longer than 2^32, which are more
/// than a second. An interrupt ends it, and so would a store to the line, which nobody makes.
#[inline]
pub(super) fn mwaitx(counts: u64) {
    /// As large as the largest line that a processor watches, so that nothing else lies in it.
    #[repr(align(64))]
    struct Line([u8; 64]);

    // Zero would be no timer.
    let counts = counts.clamp(1, u32::MAX.into());
    let line = Line([0; 64]);
    // SAFETY: it reads `line`, and only a processor that has the instructions is asked. RBX, which the
    // compiler keeps to itself, is as it was afterwards.
    unsafe {
        asm!(
            "monitorx",
            "mov eax, {hint:e}",
            "mov ecx, {extensions:e}",
            "xchg rbx, {counts}",
            "mwaitx",
            "xchg rbx, {counts}",
            hint = in(reg) NO_DEEP_STATE,
            extensions = in(reg) WITH_TIMER,
            counts = inout(reg) counts => _,
            inout("rax") line.0.as_ptr() => _,
            inout("rcx") 0_u64 => _,
            in("rdx") 0_u64,
            options(nostack, readonly, preserves_flags),
        );
    }
}
