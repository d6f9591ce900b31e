//! Instants of this machine from and to the standard library's.

use super::Native;
use crate::Instant;
use std::time::Instant as StdInstant;

impl Native {
    /// The instant at which the standard library's clock reads `instant`, or a few nanoseconds
    /// after it: a wait for the result is never early.
    ///
    /// ```
    /// use punctual::{Native, Sleeper};
    /// use std::time::{Duration, Instant};
    ///
    /// let deadline = Instant::now() + Duration::from_millis(1);
    /// let os = Native::new();
    /// Sleeper::new().sleep_until(os.instant_from_std(deadline));
    /// assert!(Instant::now() >= deadline);
    /// ```
    pub fn instant_from_std(&self, instant: StdInstant) -> Instant {
        // Theirs is read first: whatever passes before ours is read moves the result later.
        let std_now = StdInstant::now();
        let now = self.now();
        match instant.checked_duration_since(std_now) {
            Some(ahead) => now + ahead,
            None => now - std_now.duration_since(instant),
        }
    }

    /// The standard library's instant at which this clock reads `instant`, or a few nanoseconds
    /// after it. `None` if the standard library cannot express one so far away.
    pub fn instant_to_std(&self, instant: Instant) -> Option<StdInstant> {
        let now = self.now();
        let std_now = StdInstant::now();
        if instant >= now {
            std_now.checked_add(instant.duration_since(now))
        } else {
            std_now.checked_sub(now.duration_since(instant))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn conversions_never_make_a_deadline_earlier() {
        let os = Native::new();
        for ahead in [
            Duration::ZERO,
            Duration::from_nanos(1),
            Duration::from_secs(1 << 33),
        ] {
            let deadline = os.now() + ahead;
            let there_and_back = os.instant_from_std(os.instant_to_std(deadline).unwrap());
            assert!(
                there_and_back >= deadline,
                "{there_and_back:?} < {deadline:?}"
            );
        }
    }

    #[test]
    fn a_standard_instant_in_the_past_stays_in_the_past() {
        let os = Native::new();
        let past = StdInstant::now();
        while StdInstant::now() == past {}
        let converted = os.instant_from_std(past);
        assert!(converted <= os.now());
        assert!(
            os.instant_to_std(Instant::ZERO)
                .is_none_or(|zero| zero < past)
        );
    }
}
