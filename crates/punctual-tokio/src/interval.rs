//! Ticks once per period.

use crate::clock::{self, FAR};
use crate::{Duration, Instant, MissedTickBehavior, Sleep};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// A tick so late was missed. tokio's limit, so that a program that changes sides finds its policy
/// applied to the same ticks; of a shorter period, a whole one.
const MISSED: Duration = Duration::from_millis(5);

/// Ticks once per period. Made by [`interval`](crate::interval()) and
/// [`interval_at`](crate::interval_at).
///
/// Ticks do not drift: each is a period after the deadline of the one before it, unless ticks were
/// missed and the policy says otherwise.
#[derive(Debug)]
pub struct Interval {
    /// Until the next tick.
    sleep: Sleep,
    period: Duration,
    missed_tick_behavior: MissedTickBehavior,
}

impl Interval {
    #[track_caller]
    pub(crate) fn new(sleep: Sleep, period: Duration) -> Self {
        assert!(!period.is_zero(), "`period` must be non-zero");
        Self {
            sleep,
            period: period.min(FAR),
            missed_tick_behavior: MissedTickBehavior::default(),
        }
    }

    /// Lets each tick come up to `tolerance` after its deadline, so that timers share wake-ups.
    /// Deadlines stay whole periods apart.
    ///
    /// ```
    /// use punctual_tokio::{Duration, interval};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let mut sweeps = interval(Duration::from_millis(1)).tolerating(Duration::from_micros(500));
    /// let first = sweeps.tick().await;
    /// assert_eq!(sweeps.tick().await, first + Duration::from_millis(1));
    /// # }
    /// ```
    #[must_use]
    pub fn tolerating(mut self, tolerance: Duration) -> Self {
        self.sleep = self.sleep.tolerating(tolerance);
        self
    }

    /// Waits for the next tick. The result is its deadline.
    ///
    /// If this future is dropped, no tick is lost: the next one waits for the same tick.
    pub async fn tick(&mut self) -> Instant {
        poll_fn(|context| self.poll_tick(context)).await
    }

    /// Polls for the next tick. The same as [`tick`](Self::tick), for code that polls by hand.
    pub fn poll_tick(&mut self, context: &mut Context<'_>) -> Poll<Instant> {
        ready!(Pin::new(&mut self.sleep).poll(context));
        let deadline = self.sleep.deadline();
        self.sleep.begin_anew(self.after(deadline, Instant::now()));
        Poll::Ready(deadline)
    }

    /// The deadline of the tick after one that was taken `now`.
    fn after(&self, deadline: Instant, now: Instant) -> Instant {
        let missed = MISSED.min(self.period) + self.sleep.tolerance();
        let late = now.saturating_duration_since(deadline);
        match self.missed_tick_behavior {
            MissedTickBehavior::Delay if late > missed => now + self.period,
            MissedTickBehavior::Skip if late > missed => {
                let passed = late.as_nanos() % self.period.as_nanos();
                // It is less than a period, and 64 bits of nanoseconds last 584 years.
                let passed = Duration::from_nanos(u64::try_from(passed).unwrap_or(u64::MAX));
                now + self.period.saturating_sub(passed)
            }
            _ => deadline + self.period,
        }
    }

    /// Makes the next tick come one period from now.
    ///
    /// ```
    /// use punctual_tokio::{Duration, Instant, interval};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let mut checks = interval(Duration::from_micros(500));
    /// checks.tick().await;
    /// // Something just called, so the check can wait.
    /// let now = Instant::now();
    /// checks.reset();
    /// assert!(checks.tick().await >= now + checks.period());
    /// # }
    /// ```
    pub fn reset(&mut self) {
        self.reset_after(self.period);
    }

    /// Makes the next tick come now.
    pub fn reset_immediately(&mut self) {
        self.reset_at(Instant::now());
    }

    /// Makes the next tick come after `after`, and the ticks after it follow at whole periods.
    pub fn reset_after(&mut self, after: Duration) {
        self.reset_at(clock::after(after));
    }

    /// Puts the next tick at `deadline`, and the ticks after it at whole periods from there.
    pub fn reset_at(&mut self, deadline: Instant) {
        self.sleep.put_off(deadline);
    }

    /// What happens to missed ticks.
    pub fn missed_tick_behavior(&self) -> MissedTickBehavior {
        self.missed_tick_behavior
    }

    /// Sets what happens to missed ticks: those that are more than five milliseconds late, or more
    /// than a period, if that is shorter. A tolerance does not count as late.
    pub fn set_missed_tick_behavior(&mut self, behavior: MissedTickBehavior) {
        self.missed_tick_behavior = behavior;
    }

    /// The period.
    pub fn period(&self) -> Duration {
        self.period
    }
}
