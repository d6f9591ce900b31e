//! Clocks that no system call reads: the standard library's, and the processor's own counter.

#![allow(unsafe_code, reason = "the processor's counter")]

use crate::machine::{Clock, Counts, Reader};
use std::time::Instant;

/// Those there are.
pub(super) fn clocks<M>() -> Vec<Clock<M>> {
    let mut clocks = vec![Clock {
        name: "std::time::Instant",
        counts: Counts::Time,
        make: |_| Ok(standard()),
    }];
    clocks.extend(counter::offer());
    clocks
}

/// It tells only how far two of its readings are apart.
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

    /// The time-stamp counter. No call tells how long its counts are.
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

    /// Not before what the program did before: without the fence, the processor may read the
    /// counter ahead of it.
    fn read() -> u64 {
        // SAFETY: every x86_64 has the instruction.
        unsafe { _mm_lfence() };
        // SAFETY: every x86_64 has it, and systems permit it to programs unless one has forbidden
        // it to itself (on Linux, PR_SET_TSC).
        unsafe { _rdtsc() }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod counter {
    use crate::machine::Clock;

    /// None that programs may read everywhere.
    pub(super) fn offer<M>() -> Option<Clock<M>> {
        None
    }
}
