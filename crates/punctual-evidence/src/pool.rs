//! Independent pieces of work on all processors.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does pieces `0..count` and returns the results in order. `progress` is given the number of pieces
/// that are done; once it breaks, no piece is begun, and those that were not done have no result.
pub fn map<T: Send>(
    count: usize,
    progress: &(dyn Fn(usize) -> ControlFlow<()> + Sync),
    work: impl Fn(usize) -> T + Sync,
) -> Vec<Option<T>> {
    let results = Mutex::new(Vec::from_iter((0..count).map(|_| None)));
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let stopped = AtomicBool::new(false);
    let worker = || {
        while !stopped.load(Relaxed) {
            let piece = next.fetch_add(1, Relaxed);
            if piece >= count {
                return;
            }
            let result = work(piece);
            results.lock().unwrap_or_else(PoisonError::into_inner)[piece] = Some(result);
            if progress(done.fetch_add(1, Relaxed) + 1).is_break() {
                stopped.store(true, Relaxed);
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 1..threads.min(count) {
            scope.spawn(worker);
        }
        worker();
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_pieces() {
        let squares = map(100, &|_| ControlFlow::Continue(()), |piece| piece * piece);
        let expected: Vec<_> = (0..100).map(|piece| Some(piece * piece)).collect();
        assert_eq!(squares, expected);
        assert!(map(0, &|_| ControlFlow::Break(()), |piece| piece).is_empty());
    }

    #[test]
    fn one_that_is_stopped_begins_nothing_more() {
        let begun = AtomicUsize::new(0);
        let stop = |done: usize| {
            if done < 3 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let results = map(1_000_000, &stop, |_| begun.fetch_add(1, Relaxed));
        let done = results.iter().flatten().count();
        assert_eq!(done, begun.load(Relaxed));
        assert!((3..1_000_000).contains(&done));
    }
}
