//! How often a spin loses its processor.
//!
//! A wait that spins can end late although the system woke it in time: its thread is taken off the
//! processor before the deadline, and gets it back after it. A longer margin does not help. It makes
//! such waits more frequent, because the thread then spins for longer.

/// Waits after which one counts for a third. At 1 kHz these are four seconds, the time in which
/// loads come and go. At the default margin under load some thousandth of the spins lose their
/// processor, so this holds several of them.
const MEMORY: f64 = 4096.0;

/// Waits that are late for each spin that loses its processor. Its thread has used up its turn, and
/// is woken too late for one of the next deadlines, too. Replayed, half of that leaves up to 1.4
/// times as many waits late, and spins twice as long; twice as much gains nothing.
const LATE_FOR_EACH: f64 = 2.0;

/// Spins that lost their processor, and the time that was spun, the older the fainter.
#[derive(Debug, Clone, Default)]
pub(super) struct Turns {
    lost: f64,
    /// Nanoseconds.
    spun: f64,
}

impl Turns {
    /// A wait that spun so long until its deadline, and ended so long after it, in nanoseconds.
    pub(super) fn learn(&mut self, spun: u64, lateness: u64) {
        self.lost -= self.lost / MEMORY;
        self.spun += spun as f64 - self.spun / MEMORY;
        // An interrupt makes only those spins late that it meets at their ends, however long they
        // are. Only what is longer than the spin is met more often by a longer one.
        if spun > 0 && lateness > spun {
            self.lost += 1.0;
        }
    }

    /// How many waits are late for each nanosecond of spinning. One spin is no sample.
    pub(super) fn hazard(&self) -> f64 {
        if self.lost > 1.0 {
            LATE_FOR_EACH * (self.lost - 1.0) / self.spun
        } else {
            0.0
        }
    }
}
