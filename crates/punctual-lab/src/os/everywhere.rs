//! Clocks that need no system call of ours: the standard library's, and the processor's own
//! counter.

#![allow(unsafe_code, reason = "the processor's counter")]

use crate::machine::{Clock, Counts, Reader};
use std::time::Instant;

/// All of them.
pub(super) fn clocks<M>() -> Vec<Clock<M>> {
    let mut clocks = vec![Clock {
        name: "std::time::Instant",
        counts: Counts::Time,
        make: |_| Ok(standard()),
    }];
    clocks.extend(counter::offer());
    clocks
}

/// Only the difference between two readings is known.
fn standard() -> Reader {
    let start = Instant::now();
    Reader::new(1.0, move || {
        u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    })
}

#[cfg(target_arch = "x86_64")]
mod counter {
    use crate::machine::{Clock, Counts, Reader};
    use std::arch::x86_64::{_mm_lfence, _rdtsc};
    use std::sync::Arc;

    /// The time-stamp counter. No call tells the length of its counts.
    ///
    /// <https://www.felixcloutier.com/x86/rdtsc>
    pub(super) fn offer<M>() -> Option<Clock<M>> {
        Some(Clock {
            name: "rdtsc",
            counts: Counts::Time,
            make: |_| {
                Ok(Reader {
                    read: Arc::new(read),
                    unit_ns: None,
                    bits: u64::BITS,
                })
            },
        })
    }

    /// The fence keeps the order: without it, the processor may read the counter before the
    /// program's earlier instructions.
    fn read() -> u64 {
        // SAFETY: every x86_64 has the instruction.
        unsafe { _mm_lfence() };
        // SAFETY: every x86_64 has it, and systems permit it to programs unless a program has
        // forbidden it to itself (on Linux, PR_SET_TSC).
        unsafe { _rdtsc() }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod counter {
    use crate::machine::Clock;

    /// There is no counter that programs may read on every system.
    pub(super) fn offer<M>() -> Option<Clock<M>> {
        None
    }
}
