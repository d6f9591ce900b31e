//! Numbers for the host's threads.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many threads have been numbered. It determines only the next number, so no thread's behaviour
/// depends on the others.
static NUMBERED: AtomicUsize = AtomicUsize::new(0);

/// No thread's number.
const UNNUMBERED: usize = usize::MAX;

thread_local! {
    /// Initialised by a constant and without a destructor, so that to read it is a load.
    static LANE: Cell<usize> = const { Cell::new(UNNUMBERED) };
}

/// The calling thread's number: counted from zero in the order in which threads first ask.
#[inline]
pub(super) fn of_this_thread() -> usize {
    match LANE.get() {
        UNNUMBERED => number_this_thread(),
        lane => lane,
    }
}

#[cold]
fn number_this_thread() -> usize {
    let lane = NUMBERED.fetch_add(1, Ordering::Relaxed);
    LANE.set(lane);
    lane
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::thread;

    #[test]
    fn a_thread_keeps_its_number_and_shares_it_with_no_other() {
        let threads: Vec<_> = (0..8)
            .map(|_| thread::spawn(|| (of_this_thread(), of_this_thread())))
            .collect();
        let lanes: HashSet<_> = threads
            .into_iter()
            .map(|thread| {
                let (first, second) = thread.join().unwrap();
                assert_eq!(first, second);
                first
            })
            .collect();
        assert_eq!(lanes.len(), 8);
    }
}
