//! Where the events of a late wake-up come from: the kernel's ring.

use crate::os::threads;
use punctual::{Error, Instant, Native};
use punctual_trace::tracefs::{Portion, Raw, RingCounts};
use punctual_trace::{Capture, ThreadId};
use std::thread::available_parallelism;

/// How much the kernel keeps for each processor: at 40 bytes an event, a second of a processor with a hundred thousand
/// events a second.
const MOST_KIB: u64 = 4096;

/// How much it keeps of all processors together, so as not to take a machine's memory.
const MOST_KIB_IN_ALL: u64 = 64 * 1024;

/// What the recorder takes events from.
pub(super) trait Source {
    /// The instant it is.
    fn now(&self) -> Instant;
    /// Makes sure that it records, and that it records the wake-ups of all watching threads.
    fn tend(&mut self) -> Result<(), Error>;
    /// Takes what was recorded since the last time, or since it began anew.
    fn take(&mut self) -> Result<Portion, Error>;
    /// The descriptions of its pages; `None` if there is no trace.
    fn raw(&self) -> Option<&Raw>;
    /// How many more events there were, and how many more were lost, since the last time.
    fn counted(&mut self) -> (u64, u64);
}

/// The kernel's ring. After an error it begins anew, when it is tended the next time.
#[derive(Debug, Default)]
pub(super) struct Ring {
    clock: Native,
    /// `None` while the kernel's trace cannot be read.
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    capture: Capture,
    /// The threads whose wake-ups are recorded; of all, at first.
    threads: Vec<u32>,
    counts: RingCounts,
}

impl Running {
    /// Begins with the wake-ups of all threads, since those of the watch are still being started.
    fn begin() -> Result<Self, Error> {
        let processors = available_parallelism().map_or(1, |number| number.get() as u64);
        let capture = Capture::prepare_ring((MOST_KIB_IN_ALL / processors).min(MOST_KIB))?;
        capture.start_for(&[])?;
        Ok(Self {
            capture,
            threads: Vec::new(),
            counts: RingCounts::default(),
        })
    }

    fn record_wake_ups_of(&mut self, threads: Vec<u32>) -> Result<(), Error> {
        if self.threads != threads {
            let ids: Vec<_> = threads.iter().copied().map(ThreadId).collect();
            self.threads = threads;
            self.capture.start_for(&ids)?;
        }
        Ok(())
    }
}

impl Source for Ring {
    fn now(&self) -> Instant {
        self.clock.now()
    }

    fn tend(&mut self) -> Result<(), Error> {
        self.running = Some(match self.running.take() {
            None => Running::begin()?,
            Some(mut running) => {
                running.record_wake_ups_of(threads::of_this_process())?;
                running
            }
        });
        Ok(())
    }

    fn take(&mut self) -> Result<Portion, Error> {
        let Some(mut running) = self.running.take() else {
            return Err(Error::unsupported("the kernel's trace is not read"));
        };
        let portion = running.capture.take()?;
        self.running = Some(running);
        Ok(portion)
    }

    fn raw(&self) -> Option<&Raw> {
        self.running.as_ref().map(|running| running.capture.raw())
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
