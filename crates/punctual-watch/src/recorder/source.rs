//! Where the events of a late wake-up come from: the kernel's ring.

use super::moment::{Moment, Taken};
use crate::os::threads;
use punctual::{Error, Instant, Native};
use punctual_lab::Machine;
use punctual_trace::tracefs::{Raw, RingCounts};
use punctual_trace::{Capture, ThreadId};
use std::collections::VecDeque;
use std::thread::available_parallelism;
use std::time::Duration;

/// How much the kernel keeps for each processor: at 40 bytes an event, a second of a processor with a hundred thousand
/// events a second.
const MOST_KIB: u64 = 4096;

/// How much it keeps of all processors together, so as not to take a machine's memory.
const MOST_KIB_IN_ALL: u64 = 64 * 1024;

/// What was taken is needed again by wake-ups that were late then but had not woken. None is late for longer.
const REMEMBERED: Duration = Duration::from_secs(20);

/// How many bytes of it are remembered at most, besides the last: of a few late wake-ups in quick succession, on a busy
/// machine.
const MOST_BYTES: usize = 32 << 20;

/// What the recorder takes events from.
pub(super) trait Source {
    /// The instant it is.
    fn now(&self) -> Instant;
    /// Makes sure that it records, and that it records the wake-ups of all watching threads.
    fn tend(&mut self) -> Result<(), Error>;
    /// Takes what was recorded.
    fn take(&mut self) -> Result<(), Error>;
    /// What was taken last; `None` if there is no trace.
    fn moment(&self) -> Option<Moment<'_>>;
    /// How many more events there were, and how many more were lost, since the last time.
    fn counted(&mut self) -> (u64, u64);
}

/// The kernel's ring.
#[derive(Debug)]
pub(super) struct Ring {
    clock: Native,
    environment: serde_json::Value,
    /// `None` while the kernel's trace cannot be read.
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    capture: Capture,
    raw: Raw,
    /// The threads whose wake-ups are recorded; of all, at first.
    threads: Vec<u32>,
    /// Since when nothing was taken.
    since: Instant,
    taken: VecDeque<Taken>,
    counts: RingCounts,
}

impl Ring {
    /// Records nothing yet.
    pub(super) fn new() -> Self {
        let machine = punctual_lab::Native::detect().ok();
        let environment = machine.map(|machine| machine.environment());
        Self {
            clock: Native::new(),
            environment: serde_json::to_value(environment).unwrap_or_default(),
            running: None,
        }
    }

    /// After an error it begins anew, when it is tended the next time.
    fn or_none(&mut self, result: Result<(), Error>) -> Result<(), Error> {
        if result.is_err() {
            self.running = None;
        }
        result
    }

    /// Begins with the wake-ups of all threads, since those of the watch are still being started.
    fn begin(&self) -> Result<Running, Error> {
        let processors = available_parallelism().map_or(1, |number| number.get() as u64);
        let capture = Capture::prepare_ring((MOST_KIB_IN_ALL / processors).min(MOST_KIB))?;
        capture.start_for(&[])?;
        Ok(Running {
            raw: capture.raw().clone(),
            capture,
            threads: Vec::new(),
            since: self.clock.now(),
            taken: VecDeque::new(),
            counts: RingCounts::default(),
        })
    }
}

fn bytes_before_last(taken: &VecDeque<Taken>) -> usize {
    let sizes = taken
        .iter()
        .rev()
        .skip(1)
        .map(|taken| taken.portion.bytes());
    sizes.sum()
}

fn ids(threads: &[u32]) -> Vec<ThreadId> {
    threads.iter().copied().map(ThreadId).collect()
}

impl Source for Ring {
    fn now(&self) -> Instant {
        self.clock.now()
    }

    fn tend(&mut self) -> Result<(), Error> {
        let Some(running) = &mut self.running else {
            self.running = Some(self.begin()?);
            return Ok(());
        };
        let (threads, now) = (threads::of_this_process(), self.clock.now());
        running.taken.retain(|taken| taken.to + REMEMBERED > now);
        if running.threads == threads {
            return Ok(());
        }
        let started = running.capture.start_for(&ids(&threads));
        running.threads = threads;
        self.or_none(started)
    }

    fn take(&mut self) -> Result<(), Error> {
        let Some(running) = &mut self.running else {
            return Err(Error::unsupported("the kernel's trace is not read"));
        };
        let taken = running.capture.take().map(|portion| {
            let to = self.clock.now();
            let from = std::mem::replace(&mut running.since, to);
            running.taken.push_back(Taken { from, to, portion });
            while bytes_before_last(&running.taken) > MOST_BYTES {
                running.taken.pop_front();
            }
        });
        self.or_none(taken)
    }

    fn moment(&self) -> Option<Moment<'_>> {
        let running = self.running.as_ref()?;
        Some(Moment {
            raw: &running.raw,
            taken: &running.taken,
            environment: &self.environment,
        })
    }

    fn counted(&mut self) -> (u64, u64) {
        let Some(running) = &mut self.running else {
            return (0, 0);
        };
        // What it does not tell now, it tells later.
        let counts = running.capture.counts().unwrap_or(running.counts);
        let before = std::mem::replace(&mut running.counts, counts);
        (
            counts.events.saturating_sub(before.events),
            counts.lost.saturating_sub(before.lost),
        )
    }
}
