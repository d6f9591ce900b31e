//! A clock, and how it is read.

use punctual::Error;
use std::sync::Arc;

/// A clock that a machine offers.
pub struct Clock<M> {
    /// The system's name for it.
    pub name: &'static str,
    /// What it measures.
    pub counts: Counts,
    /// Makes it readable. Fails with the reason if this machine cannot.
    pub make: fn(&M) -> Result<Reader, Error>,
}

/// What a clock measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// Time.
    Time,
    /// The processor time of the process.
    ProcessWork,
    /// The processor time of the thread that reads it.
    ThreadWork,
}

impl Counts {
    /// The word for it in recordings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::ProcessWork => "process",
            Self::ThreadWork => "thread",
        }
    }
}

/// How a clock is read.
#[derive(Clone)]
pub struct Reader {
    /// Reads it, in counts, from any thread.
    pub read: Arc<dyn Fn() -> u64 + Send + Sync>,
    /// The length of a count in nanoseconds; `None` if the system does not tell it.
    pub unit_ns: Option<f64>,
    /// The number of bits that it counts in before it wraps.
    pub bits: u32,
}

impl Reader {
    /// A clock that counts in 64 bits.
    pub(crate) fn new(unit_ns: f64, read: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self {
            read: Arc::new(read),
            unit_ns: Some(unit_ns),
            bits: u64::BITS,
        }
    }

    /// By how much `later` is ahead of `earlier`, across a wrap if there was one; negative if it is
    /// behind.
    pub(crate) fn ahead(&self, later: u64, earlier: u64) -> i64 {
        let spare = u64::BITS - self.bits;
        (later.wrapping_sub(earlier) << spare).cast_signed() >> spare
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrap_is_a_step_ahead() {
        let mut reader = Reader::new(1.0, || 0);
        reader.bits = u32::BITS;
        assert_eq!(reader.ahead(4, u64::from(u32::MAX) - 5), 10);
        assert_eq!(reader.ahead(u64::from(u32::MAX) - 5, 4), -10);
        reader.bits = u64::BITS;
        assert_eq!(reader.ahead(1, u64::MAX), 2);
        assert_eq!(reader.ahead(3, 4), -1);
    }
}
