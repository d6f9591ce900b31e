//! The late rate and the budget, which the caller states.

use std::time::Duration;

use super::units::whole;
use crate::Error;

/// The share of waits that may end late.
///
/// A wait ends late if the system wakes it later than the margin allows for.
///
/// ```
/// use punctual::margin::LateRate;
///
/// assert_eq!(LateRate::new(0.003).unwrap().share(), 0.003);
/// assert!(LateRate::new(1.5).is_err());
/// assert_eq!(LateRate::default().share(), 0.01);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct LateRate(f64);

impl LateRate {
    /// The least late rate: one wait in ten thousand. At a lower rate, a loop at 60 Hz would see one
    /// late wait in many minutes, and would need hours to learn from them.
    pub const LEAST: Self = Self(0.0001);

    /// The greatest late rate: one wait in four. With more late waits, a rise of latencies could not
    /// be told from chance.
    pub const MOST: Self = Self(0.25);

    /// What a loop aims for that keeps away from the ticks of the kernel, unless its program says otherwise. A margin does what
    /// it is asked for: with the default, it would spin less and be late as often as before. Measured at 1 kHz beside one
    /// computing process per processor: asked for 1, 0.5, 0.2 and 0.1 %, 0.8, 0.6, 0.4 and 0.4 % were late, and it spun 0.6, 1.0,
    /// 1.4 and 1.5 % of the time.
    pub(super) const OFF_TICKS: Self = Self(0.002);

    /// A late rate from a share of waits, from [`LEAST`](Self::LEAST) to [`MOST`](Self::MOST).
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) for any other number.
    pub fn new(share: f64) -> Result<Self, Error> {
        if (Self::LEAST.0..=Self::MOST.0).contains(&share) {
            return Ok(Self(share));
        }
        Err(Error::invalid_input(format!(
            "a late rate must be a share of waits from {} to {}, not {share}",
            Self::LEAST.0,
            Self::MOST.0,
        )))
    }

    /// The share of waits, between 0 and 1.
    pub fn share(self) -> f64 {
        self.0
    }
}

impl Default for LateRate {
    /// 1 %.
    fn default() -> Self {
        Self(0.01)
    }
}

/// The share of elapsed time that may be spent spinning, on one processor.
///
/// ```
/// use std::time::Duration;
/// use punctual::margin::Budget;
///
/// assert!(Budget::new(-0.1).is_err());
/// assert_eq!(Budget::default().share(), 0.05);
/// assert_eq!(Budget::default().burst(), Duration::from_millis(5));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Budget(f64);

/// A tenth of a second, in nanoseconds: a loop at 1 kHz has a hundred waits over which to average,
/// and a meter that shows every second sees the budget exceeded by at most a tenth of itself.
pub(super) const BURST_NANOS: u64 = 100_000_000;

impl Budget {
    /// A budget from a share of elapsed time, from 0 (never spin) to 1 (no limit).
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) for any other number.
    pub fn new(share: f64) -> Result<Self, Error> {
        if (0.0..=1.0).contains(&share) {
            return Ok(Self(share));
        }
        Err(Error::invalid_input(format!(
            "a processor budget must be a share of elapsed time from 0 to 1, not {share}"
        )))
    }

    /// The share of elapsed time, between 0 and 1.
    pub fn share(self) -> f64 {
        self.0
    }

    /// From a share that another budget had.
    pub(super) fn of_share(share: f64) -> Self {
        Self(share)
    }

    /// How far the time spun may run ahead of the budget's share of the elapsed time: by the share of
    /// a tenth of a second.
    pub fn burst(self) -> Duration {
        Duration::from_nanos(whole(self.0 * BURST_NANOS as f64))
    }
}

impl Default for Budget {
    /// 5 %.
    fn default() -> Self {
        Self(0.05)
    }
}
