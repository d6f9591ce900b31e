//! The late wake-ups of a watch: those that a flight recorder has saved, and what is counted of all.

use crate::settings::LateSettings;
use punctual_trace::recorder::Saved;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a flight recorder has counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LateCounts {
    /// Late wake-ups that were put on the list since the start.
    pub kept: u64,
    /// Late wake-ups that were only counted: there were too many at once.
    pub not_kept: u64,
    /// The bytes of all recordings in the folder.
    pub bytes: u64,
    /// Events that the kernel has written into the ring.
    pub events: u64,
    /// Events that the kernel could not write. Those that newer ones replaced are not among them.
    pub lost_events: u64,
}

/// The late wake-ups of this machine.
#[derive(Debug)]
pub struct Lates {
    /// Those that were saved.
    pub saved: Arc<Saved>,
    not_kept: AtomicU64,
    events: AtomicU64,
    lost_events: AtomicU64,
}

impl Lates {
    /// Opens the folder, with what an earlier run has saved there.
    ///
    /// # Errors
    /// Those of [`Saved::open`].
    pub fn open(settings: &LateSettings) -> io::Result<Self> {
        Ok(Self {
            saved: Arc::new(Saved::open(&settings.folder, settings.rules())?),
            not_kept: AtomicU64::new(0),
            events: AtomicU64::new(0),
            lost_events: AtomicU64::new(0),
        })
    }

    /// What was counted so far.
    pub fn counts(&self) -> LateCounts {
        LateCounts {
            kept: self.saved.listed(),
            not_kept: self.not_kept.load(Relaxed),
            bytes: self.saved.bytes(),
            events: self.events.load(Relaxed),
            lost_events: self.lost_events.load(Relaxed),
        }
    }

    /// Counts a late wake-up that is not looked at, as when too many came at once. It takes no lock.
    pub fn count_not_kept(&self) {
        self.not_kept.fetch_add(1, Relaxed);
    }

    /// Takes over what the kernel has counted. Its counters begin again with each trace, so these are sums.
    pub fn count_events(&self, more: u64, more_lost: u64) {
        self.events.fetch_add(more, Relaxed);
        self.lost_events.fetch_add(more_lost, Relaxed);
    }
}
