//! What only one system tells.

pub(crate) mod readable;
pub mod starter;
pub(crate) mod threads;

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[path = "linux/mod.rs"]
mod sys;

#[cfg(windows)]
#[path = "windows/mod.rs"]
mod sys;

#[cfg(not(any(windows, all(target_os = "linux", target_pointer_width = "64"))))]
#[path = "other.rs"]
mod sys;

use crate::disturbances::Clocks;
pub(crate) use sys::{
    OwnQuota, clock_source, numbers, own_facts, pin, possible_processors, process_time, this_thread,
};

/// Two readings that are no further apart are of one moment: a hundredth of the shortest suspension.
const ONE_MOMENT_NS: u64 = 1_000_000;

/// A thread that loses its processor between two readings tries again. On a machine so busy that this always
/// happens, the last readings have to do.
const TRIALS: usize = 10;

/// All clocks at one moment.
pub(crate) fn clocks() -> Clocks {
    at_one_moment(sys::clocks)
}

fn at_one_moment(mut read: impl FnMut() -> Clocks) -> Clocks {
    let mut clocks = read();
    for _ in 1..TRIALS {
        let again = read();
        if again.awake_ns.saturating_sub(clocks.awake_ns) <= ONE_MOMENT_NS {
            break;
        }
        clocks = again;
    }
    clocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_loses_its_processor_between_two_clocks_reads_them_again() {
        // Each reading begins at the first number, and the second clock is read at the second.
        let mut readings = [
            (1, 300_000_001),
            (300_000_002, 300_000_003),
            (300_000_004, 300_000_005),
        ]
        .map(|(awake_ns, boot_ns)| Clocks {
            awake_ns,
            boot_ns,
            wall_ns: 0,
        })
        .into_iter();
        let clocks = at_one_moment(|| readings.next().unwrap());
        assert_eq!(clocks.boot_ns - clocks.awake_ns, 1);
    }
}
