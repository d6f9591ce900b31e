//! Advice for a thread that waited for its turn, on Linux.

use crate::report::{CauseRow, named};

/// For a thread that was woken while another had its processor. The priority of that one decides what
/// helps.
pub(super) fn run_queue_wait(row: &CauseRow, slice_is_short: bool) -> String {
    let occupant = named(&row.occupant, row.priority.as_ref());
    let priority = row.priority.as_deref().unwrap_or_default();
    if row.occupant.starts_with("irq/") {
        return format!(
            "{occupant} is the thread in which the kernel handles an interrupt. Move the interrupt to \
             another processor (/proc/irq/*/smp_affinity), or the waiting thread (--pin)"
        );
    }
    if priority.starts_with("real-time") || priority.starts_with("deadline") {
        return format!(
            "{occupant} had the processor, and comes before every ordinary thread. Give the waiting \
             thread a processor of its own (--pin), or a higher real-time priority"
        );
    }
    format!(
        "{occupant} kept the processor, though the waiting thread was ready: to the scheduler that one was \
         not more urgent. Why, no trace says; a thread whose slice is short, or that spins for \
         shorter, has its turn sooner. {}. {OTHERWISE}",
        about_slices(slice_is_short)
    )
}

/// For a thread whose processor was taken from it.
pub(super) fn slice_expired(row: &CauseRow, slice_is_short: bool) -> String {
    let occupant = named(&row.occupant, row.priority.as_ref());
    format!(
        "the thread had the processor and wanted to keep it, for a spin or for its work, and {occupant} got \
         it: its turn had been used up. The trace shows that the kernel took the processor away, and \
         not whether the thread's slice was over or the other's turn came first. Spin for shorter \
         (--budget), or let another thread do the work. {}. {OTHERWISE}",
        about_slices(slice_is_short)
    )
}

/// For a thread that was ready when its processor chose another. It may have been woken in time, and have made the
/// kernel choose.
pub(super) fn picked_another(row: &CauseRow, slice_is_short: bool) -> String {
    let occupant = named(&row.occupant, row.priority.as_ref());
    format!(
        "the kernel chose what to run while the thread was ready, and it chose {occupant}. Since Linux 6.6 \
         it takes, of the threads that have not had more than their share, the one with the earliest \
         virtual deadline. That can be one whose slice is nearly used up, and slices end at ticks only. \
         The trace shows the choice, not the deadlines. Spin for shorter (--budget): that uses less of \
         the thread's share. {}. {OTHERWISE}",
        about_slices(slice_is_short)
    )
}

fn about_slices(slice_is_short: bool) -> &'static str {
    match slice_is_short {
        true => "Its slice was a short one already",
        false => {
            "Since Linux 6.12 any thread may set a short slice (punctual's SliceGuard; try --slice \
             0.1ms)"
        }
    }
}

const OTHERWISE: &str = "Otherwise raise its priority (--priority high or realtime), run fewer \
                         threads than there are processors, or give it one of its own (--pin)";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cause;

    fn row(cause: Cause, occupant: &str, priority: &str) -> CauseRow {
        CauseRow {
            cause,
            occupant: occupant.to_owned(),
            priority: Some(priority.to_owned()),
            wakeups: 1,
            runs: 1,
            total_ns: 4_000_000,
            max_ns: 4_000_000,
            longest_ns: 4_000_000,
            share: 1.0,
        }
    }

    #[test]
    fn what_helps_against_a_thread_depends_on_its_priority() {
        let about = |occupant, priority| {
            run_queue_wait(&row(Cause::RunQueueWait, occupant, priority), false)
        };
        assert!(about("make", "nice 0").contains("--priority high"));
        assert!(about("make", "nice 0").contains("--slice 0.1ms"));
        let urgent = about("jackd", "real-time 50");
        assert!(urgent.contains("jackd, real-time 50"), "{urgent}");
        assert!(!urgent.contains("--priority high"), "{urgent}");
        assert!(!urgent.contains("--slice"), "{urgent}");
        assert!(about("irq/24-nvme0q1", "real-time 50").contains("smp_affinity"));
    }

    #[test]
    fn a_thread_with_a_short_slice_is_not_told_to_get_one() {
        let row = row(Cause::RunQueueWait, "make", "nice 0");
        for advice in [run_queue_wait, slice_expired, picked_another] {
            assert!(advice(&row, false).contains("--slice"));
            assert!(!advice(&row, true).contains("--slice"));
        }
    }

    #[test]
    fn what_the_trace_shows_of_a_turn_is_told_from_what_it_does_not() {
        let said = slice_expired(&row(Cause::SliceExpired, "make", "nice 5"), false);
        assert!(said.contains("make, nice 5"), "{said}");
        assert!(
            said.contains("took the processor away, and not whether"),
            "{said}"
        );
        assert!(said.contains("--slice 0.1ms"), "{said}");
    }
}
