//! A bare wait of some length, and how a machine offers it.

use punctual::Error;
use std::time::Duration;

/// A wait of some length that begins now. A loop that keeps deadlines is built of such waits; this
/// is one alone.
pub trait Call {
    /// Waits for this long, as the system sees it: the wait may end late, or early.
    ///
    /// # Errors
    /// If the system refuses to wait.
    fn call(&mut self, duration: Duration) -> Result<(), Error>;

    /// The last wait for now is over. What the call holds between waits ends, so that it does not
    /// disturb others.
    fn end(&mut self) {}
}

/// A call that a machine offers.
pub struct CallOffer<M> {
    /// The name in flags, tables and recordings.
    pub name: &'static str,
    /// A description in one line, of at most 51 characters.
    pub summary: &'static str,
    /// The unit in which the call takes lengths. A length that is no whole number of units is
    /// rounded up before the call.
    pub unit: Duration,
    /// Makes it for the calling thread. No other thread may use it.
    pub make: MakeCall<M>,
}

/// Makes a call. Fails with the reason if this machine cannot.
pub type MakeCall<M> = Box<dyn Fn(&M) -> Result<Box<dyn Call>, Error>>;

impl<M> CallOffer<M> {
    /// The length that the system is asked for: whole units.
    pub fn asked(&self, length: Duration) -> Duration {
        let unit = self.unit.as_nanos().max(1);
        let nanos = length.as_nanos().div_ceil(unit).saturating_mul(unit);
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_rounded_up_to_whole_units() {
        let asked = |unit, length| {
            let offer = CallOffer::<()> {
                name: "",
                summary: "",
                unit: Duration::from_nanos(unit),
                make: Box::new(|()| Err(Error::unsupported(""))),
            };
            offer.asked(Duration::from_nanos(length)).as_nanos()
        };
        assert_eq!(asked(1_000_000, 0), 0);
        assert_eq!(asked(1_000_000, 1), 1_000_000);
        assert_eq!(asked(1_000_000, 15_000_000), 15_000_000);
        assert_eq!(asked(100, 499_901), 500_000);
        assert_eq!(asked(1, 7), 7);
    }
}
