//! The waiters that need only an [`Os`]: Punctual's own, a pure spin, and a loop by a coarse clock.

use super::{Keeping, Make, Wait, Waiter, WaiterOptions};
use punctual::os::{self, Slice};
use punctual::{Instant, Margin, Os, Period, Sleeper, Ticker};

/// The waiter for deadlines that late rate and budget apply to.
pub const PUNCTUAL: &str = "punctual";

/// The waiter for beats that late rate and budget apply to.
pub const TICKER: &str = "ticker";

/// Punctual's own, and a pure spin. Every machine has them.
pub fn portable<O: Os>() -> [Waiter<O>; 6] {
    let ticker =
        |name, summary, make: Make<O>| Waiter::beating(name, summary, Keeping::Itself, make);
    [
        Waiter::until(
            "punctual-coarse",
            "Sleeper without spinning; no timer slack",
            |os, options| Ok(sleeper(os, Margin::coarse(), options.slice)),
        ),
        Waiter::until(
            PUNCTUAL,
            "Sleeper: wakes a learned margin early, then spins",
            |os, options| Ok(sleeper(os, learning(options), options.slice)),
        ),
        Waiter::until(
            "punctual-exact",
            "Sleeper without a limit on the time spent spinning",
            |os, options| Ok(sleeper(os, Margin::exact(), options.slice)),
        ),
        Waiter::until(
            "spin",
            "reads the clock in a loop; uses a whole processor",
            |os, _| Ok(Box::new(Spin(os.clone()))),
        ),
        ticker(
            TICKER,
            "Punctual's Ticker: wakes early, then spins",
            |os, options| Ok(ticking(os, learning(options), options)),
        ),
        ticker(
            "ticker-coarse",
            "Punctual's Ticker without spinning",
            |os, options| Ok(ticking(os, Margin::coarse(), options)),
        ),
    ]
}

fn learning(options: WaiterOptions) -> Margin {
    Margin::new(options.late_rate, options.budget)
}

struct Sleeping<O: Os>(Sleeper<O>);

fn sleeper<O: Os>(os: &O, margin: Margin, slice: Slice) -> Box<dyn Wait> {
    let sleeper = Sleeper::on(os.clone()).with_margin(margin);
    Box::new(Sleeping(sleeper.with_slice(slice)))
}

impl<O: Os> Wait for Sleeping<O> {
    fn begin_turn(&mut self) {
        self.0.resume();
    }

    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.0.sleep_until(deadline).woke
    }

    /// Its request would help the others of this process, too.
    fn end_turn(&mut self) {
        self.0.pause();
    }
}

struct Spin<O>(O);

impl<O: Os> Wait for Spin<O> {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.0.spin_until(deadline, os::Spin::Pause)
    }
}

// Punctual's own loop.

/// A [`Ticker`] that starts with the turn.
fn ticking<O: Os>(os: &O, margin: Margin, options: WaiterOptions) -> Box<dyn Wait> {
    let sleeper = Sleeper::on(os.clone()).with_margin(margin);
    let sleeper = sleeper.with_slice(options.slice);
    Box::new(Ticking {
        ticker: Ticker::with_sleeper(sleeper, options.period),
        os: os.clone(),
    })
}

struct Ticking<O: Os> {
    ticker: Ticker<O>,
    os: O,
}

impl<O: Os> Wait for Ticking<O> {
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
) -> Box<dyn Wait> {
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

impl<C: Fn() -> u32, S: Fn(u32) -> Instant> Wait for Feedback<C, S> {
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
        let mut wait = feedback(ntsc, milliseconds, sleep);
        let start = os.now();
        wait.begin_turn();
        let mut woke = start;
        for _ in 0..3_000 {
            woke = wait.wait_until(woke);
        }
        let exact = ntsc.offset(3_000).unwrap();
        assert!(woke.duration_since(start).abs_diff(exact) <= Duration::from_millis(2));
    }
}
