//! Whether a clock goes back from one processor to another.
//!
//! A thread on each processor reads the clock. It checks whether the furthest published reading,
//! which was made before its own began, is ahead of its own. This finds differences longer than the
//! time to pass a reading between processors. That time is measured, too.

use crate::Machine;
use crate::machine::Reader;
use punctual::guard::PinGuard;
use punctual::{Error, Instant};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Comparisons of each thread with another processor's reading: enough to see an event of one in a
/// thousand.
const COMPARISONS: usize = 5_000;

/// The limit of its duration. Threads of a busy machine may have to wait for their processors.
const LONGEST: Duration = Duration::from_millis(100);

/// The result.
pub(super) struct Across {
    /// The number of processors that took part.
    pub(super) processors: usize,
    /// How often a reading was compared with another processor's.
    pub(super) compared: u64,
    /// How often it was behind.
    pub(super) back: u64,
    /// How far behind at most, in counts.
    pub(super) furthest_back: u64,
    /// Half of the readings were ahead of the other processor's by at most this, in counts. Smaller
    /// differences between clocks cannot be seen. `None` if nothing was compared.
    pub(super) resolution: Option<u64>,
}

/// The state that all threads share.
struct Shared {
    reader: Reader,
    /// The furthest reading.
    furthest: AtomicU64,
    /// The thread that made it.
    whose: AtomicUsize,
    /// By how much readings were ahead of those of others.
    differences: Mutex<Vec<i64>>,
    problem: Mutex<Option<Error>>,
}

/// Starts a thread on each of these processors, and waits for all.
pub(super) fn race<M: Machine>(
    machine: &M,
    reader: &Reader,
    processors: &[usize],
) -> Result<Across, Error> {
    let shared = Arc::new(Shared {
        furthest: AtomicU64::new((reader.read)()),
        whose: AtomicUsize::new(usize::MAX),
        reader: reader.clone(),
        differences: Mutex::default(),
        problem: Mutex::default(),
    });
    let end = machine.now() + LONGEST;
    let start = |&processor: &usize| {
        let (machine, shared) = (machine.clone(), Arc::clone(&shared));
        let body = move |machine: &M| take_part(machine, &shared, processor, end);
        let clone = machine.clone();
        machine.spawn("clocks", Box::new(move || body(&clone)))
    };
    let threads: Vec<_> = processors.iter().map(start).collect();
    // The threads that did start are waited for, even if others failed.
    let mut failed = None;
    for thread in threads {
        let joined = thread.and_then(|thread| {
            thread
                .join(machine)
                .map_err(|panicked| Error::system(panicked.to_string()))
        });
        failed = failed.or(joined.err());
    }
    let refused = lock(&shared.problem).take();
    match failed.or(refused) {
        Some(error) => Err(error),
        None => Ok(Across::of(processors.len(), &lock(&shared.differences))),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn take_part<M: Machine>(machine: &M, shared: &Shared, processor: usize, end: Instant) {
    let _pin = match PinGuard::pin(machine, processor) {
        Ok(pin) => pin,
        Err(error) => {
            *lock(&shared.problem) = Some(error);
            return;
        }
    };
    let mut differences = Vec::with_capacity(COMPARISONS);
    while differences.len() < COMPARISONS && machine.now() < end {
        let furthest = shared.furthest.load(SeqCst);
        let is_anothers = shared.whose.load(SeqCst) != processor;
        let reading = (shared.reader.read)();
        let ahead = shared.reader.ahead(reading, furthest);
        if is_anothers {
            differences.push(ahead);
        }
        shared.publish(reading, processor);
    }
    lock(&shared.differences).extend(differences);
}

impl Shared {
    /// The furthest reading is kept.
    fn publish(&self, reading: u64, processor: usize) {
        let further = |furthest| (self.reader.ahead(reading, furthest) >= 0).then_some(reading);
        if self.furthest.fetch_update(SeqCst, SeqCst, further).is_ok() {
            // The owner may be stored a moment later. Then a comparison is not counted, or is with
            // a reading of the same processor. Neither gives a false result.
            self.whose.store(processor, SeqCst);
        }
    }
}

impl Across {
    fn of(processors: usize, differences: &[i64]) -> Self {
        let mut ahead: Vec<_> = differences.to_vec();
        ahead.sort_unstable();
        let back = ahead.partition_point(|&difference| difference < 0);
        let furthest = ahead.first().copied().unwrap_or(0).min(0);
        Self {
            processors,
            compared: ahead.len() as u64,
            back: back as u64,
            furthest_back: furthest.unsigned_abs(),
            resolution: ahead
                .get(ahead.len() / 2)
                .map(|median| median.unsigned_abs()),
        }
    }
}
