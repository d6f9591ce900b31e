//! Ways to keep a beat that several machines have.

pub mod windows;

use crate::machine::{Keeping, Machine, Make, Method, Offer, Way};
use punctual::{Instant, Margin, Os, Period, Sleeper, Ticker};

/// The way that late rate and budget apply to.
pub const TICKER: &str = "ticker";

/// Punctual's own ways. Every machine has them.
pub fn portable<M: Machine>() -> Vec<Way<M>> {
    vec![
        Way {
            name: TICKER,
            summary: "Punctual's Ticker: wakes early, then spins",
            keeping: Keeping::Itself,
            make: |os: &M, wishes| {
                let sleeper = Sleeper::on(os.clone()).aiming_at(wishes.late_rate, wishes.budget);
                Ok(ticker(sleeper.with_slice(wishes.slice), wishes.period))
            },
        },
        Way {
            name: "ticker-coarse",
            summary: "Punctual's Ticker without spinning",
            keeping: Keeping::Itself,
            make: |os: &M, wishes| {
                let sleeper = Sleeper::on(os.clone()).with_margin(Margin::coarse());
                Ok(ticker(sleeper.with_slice(wishes.slice), wishes.period))
            },
        },
    ]
}

/// Returns the function that makes the method with this name.
///
/// # Panics
/// If there is no such method. The names are constants.
pub(crate) fn named<M>(offers: &[Offer<M>], name: &str) -> Make<M> {
    let offer = offers.iter().find(|offer| offer.name == name);
    offer
        .unwrap_or_else(|| panic!("there is no method {name}"))
        .make
}

// Punctual's own loop.

/// A [`Ticker`] that starts with the turn.
pub(crate) fn ticker<O: Os>(sleeper: Sleeper<O>, period: Period) -> Box<dyn Method> {
    let os = sleeper.os().clone();
    Box::new(Ticking {
        ticker: Ticker::with_sleeper(sleeper, period),
        os,
    })
}

struct Ticking<O: Os> {
    ticker: Ticker<O>,
    os: O,
}

impl<O: Os> Method for Ticking<O> {
    /// It has its own schedule, so it does not use the deadline.
    fn wait_until(&mut self, _: Instant) -> Instant {
        // It ends only with 64-bit time, and the loop around it ends then, too.
        self.ticker
            .tick()
            .map_or_else(|_| self.os.now(), |tick| tick.woke)
    }
}

// VirtualDub's own loop: it compares a clock of whole milliseconds with a schedule, and sleeps for
// the difference in whole milliseconds. Every beat is off, but their average is right.

/// Makes such a loop. `milliseconds` is the clock, which may wrap. `sleep` sleeps for that many
/// milliseconds and returns the first reading of the machine's clock after the sleep.
pub(crate) fn feedback(
    period: Period,
    milliseconds: impl Fn() -> u32 + 'static,
    sleep: impl Fn(u32) -> Instant + 'static,
) -> Box<dyn Method> {
    Box::new(Feedback {
        period,
        milliseconds,
        sleep,
        elapsed: 0,
        reading: 0,
        beats: 0,
    })
}

struct Feedback<C, S> {
    period: Period,
    milliseconds: C,
    sleep: S,
    /// The clock's time since the start of the turn, across wraps.
    elapsed: u64,
    /// The clock's last reading.
    reading: u32,
    beats: u64,
}

impl<C: Fn() -> u32, S: Fn(u32) -> Instant> Method for Feedback<C, S> {
    fn begin_turn(&mut self) {
        self.reading = (self.milliseconds)();
        (self.elapsed, self.beats) = (0, 0);
    }

    /// It has its own schedule, so it does not use the deadline.
    fn wait_until(&mut self, _: Instant) -> Instant {
        self.beats += 1;
        let reading = (self.milliseconds)();
        self.elapsed += u64::from(reading.wrapping_sub(self.reading));
        self.reading = reading;
        let target = self.period.offset(self.beats).unwrap_or_default();
        let left = target.as_millis().saturating_sub(self.elapsed.into());
        (self.sleep)(u32::try_from(left).unwrap_or(u32::MAX - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual::Os;
    use punctual::os::VirtualOs;
    use std::time::Duration;

    #[test]
    fn the_average_is_right_although_the_clock_counts_milliseconds_and_wraps() {
        const BEFORE_WRAPPING: u64 = (1 << 32) - 500;
        let os = VirtualOs::new();
        os.advance(Duration::from_millis(BEFORE_WRAPPING));
        let ntsc = Period::from_hertz_fraction(30_000, 1_001);
        let (clock, sleeper) = (os.clone(), os.clone());
        let milliseconds = move || {
            let millis = clock.now().as_nanos() / 1_000_000;
            u32::try_from(millis % (1 << 32)).unwrap()
        };
        let sleep = move |milliseconds: u32| {
            sleeper.advance(Duration::from_millis(milliseconds.into()));
            sleeper.now()
        };
        let mut method = feedback(ntsc, milliseconds, sleep);
        let start = os.now();
        method.begin_turn();
        let mut woke = start;
        for _ in 0..3_000 {
            woke = method.wait_until(woke);
        }
        let exact = ntsc.offset(3_000).unwrap();
        assert!(woke.duration_since(start).abs_diff(exact) <= Duration::from_millis(2));
    }
}
