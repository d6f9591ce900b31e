//! What one sampler counts.

use crate::histogram::Histogram;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

/// What one sampler counts: one processor, one method.
#[derive(Debug)]
pub struct Series {
    /// The processor, as the system numbers it.
    pub processor: usize,
    /// The name of the way of waiting.
    pub method: &'static str,
    /// How late each wake-up was.
    pub wakes: Histogram,
    /// How late each deadline was met, every missed one included.
    pub deadlines: Histogram,
    /// Deadlines that had passed before their turn came.
    pub missed: AtomicU64,
    /// Lateness that the timer caused: all that the thread was not ready to run. Where the system does not tell how
    /// long a thread was ready, as on Windows, it is the whole lateness.
    pub timer_ns: AtomicU64,
    /// Lateness for which the thread was ready but not running.
    pub queue_ns: AtomicU64,
    /// Processor time that the sampler has used.
    pub processor_ns: AtomicU64,
    /// How often it is to wait, in hertz.
    pub asked_hertz: AtomicU32,
    /// How often it waits at present, in thousandths of a hertz. The budget can make it less than asked for.
    pub rate_millihertz: AtomicU64,
    /// Whether it is waiting: not while its processor is offline, or where its method cannot be made.
    pub is_running: AtomicBool,
}

impl Series {
    /// A series without any count, not running.
    pub fn new(processor: usize, method: &'static str, asked_hertz: u32) -> Self {
        Self {
            processor,
            method,
            wakes: Histogram::default(),
            deadlines: Histogram::default(),
            missed: AtomicU64::new(0),
            timer_ns: AtomicU64::new(0),
            queue_ns: AtomicU64::new(0),
            processor_ns: AtomicU64::new(0),
            asked_hertz: AtomicU32::new(asked_hertz),
            rate_millihertz: AtomicU64::new(0),
            is_running: AtomicBool::new(false),
        }
    }
}
