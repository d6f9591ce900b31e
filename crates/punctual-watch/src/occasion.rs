//! A late wake-up, as a sampler tells it to the flight recorder.

use crate::series::Series;
use punctual::Instant;
use std::sync::Arc;
use std::time::SystemTime;

/// A wake-up that was later than the recorder's threshold.
#[derive(Debug, Clone)]
pub struct Occasion {
    /// The watched processor.
    pub processor: usize,
    /// What counted it.
    pub series: Arc<Series>,
    /// The number of the thread that waited, as the system counts threads.
    pub thread: u32,
    /// When the wait should have ended, on the machine's monotonic clock.
    pub deadline: Instant,
    /// When it ended, on the same clock.
    pub woke: Instant,
    /// The time of day at which it was noticed, just after it woke.
    pub at: SystemTime,
}
