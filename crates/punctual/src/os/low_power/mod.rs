//! Low-power waiting: what a spin does on a processor that can stand still until its counter has come
//! to a value. It costs less power than looking at the clock, and leaves the core to a sibling
//! hyperthread.
//!
//! Intel has TPAUSE for it (WAITPKG: Atoms since Tremont, Core since Alder Lake, Xeon since Sapphire
//! Rapids), AMD MWAITX (since Excavator), ARM WFET (`FEAT_WFxT`), and WFE, which on Linux a stream of
//! events ends, every 100 µs or so. Other processors, and virtual machines that hide the instruction, have
//! none of it: there a spin pauses.
//!
//! It makes no wait late, for three reasons. One rest lasts half of what remains, so that a counter
//! whose rate has changed by up to a factor of two does no harm: a virtual machine can move. The last
//! microseconds are not rested. And a processor is tried first: one that wakes late from a rest, or
//! does not rest, is not asked again.

#![allow(
    unsafe_code,
    reason = "instructions that the compiler has no function for"
)]

#[cfg(target_arch = "x86_64")]
#[path = "x86_64.rs"]
mod processor;

#[cfg(all(target_arch = "aarch64", target_os = "linux"))]
#[path = "aarch64.rs"]
mod processor;

#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_os = "linux")
)))]
#[path = "none.rs"]
mod processor;

#[cfg(test)]
mod tests;

use crate::Instant;
use std::hint;
use std::sync::OnceLock;
use std::time::Duration;

/// How long the processor may take to go on after a rest. Measured by nobody in public; Linux calls
/// it short against microseconds, and a processor that takes longer is not asked to rest.
const WAKE_UP: Duration = Duration::from_micros(2);

/// The shortest rest, and so the least that remains after any: twice the wake-up, so that the last
/// microsecond, in which the clock is read without a pause, is never reached late.
const SHORTEST: Duration = Duration::from_micros(4);

/// How long the counter is held against the clock. The clock of some Windows moves in steps of
/// 100 ns, a hundredth of this.
const CALIBRATION: Duration = Duration::from_micros(10);

/// How long the rests last by which a processor is tried. In a virtual machine, a rest can be an exit to
/// the host, which returns at once and takes some microseconds: 8 µs for MWAITX on the machine of
/// `docs/peers.md`. What takes as long as the one rest should does not take as long as the other.
const TRIED: [Duration; 2] = [Duration::from_micros(8), Duration::from_micros(32)];

/// An interrupt or another thread spoils a trial. Four in a row happen on a machine that is busy, and
/// then it does without until the program starts again.
const TRIALS: u32 = 4;

/// A processor that can rest.
trait Processor: Copy {
    /// Reads the counter that ends rests. It counts at a steady rate.
    fn counter(self) -> u64;

    /// Rests until the counter has come to `until`, or for a shorter time, or, if rests are
    /// [coarse](Self::coarse), until the next event.
    fn rest(self, until: u64);

    /// How long a rest lasts at most, if it is not the counter that ends it. Zero if it is.
    fn coarse(self) -> Duration;
}

/// Counts per time: as many counts as fit into a time for certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rate {
    counts: u64,
    nanos: u64,
}

impl Rate {
    /// The counts of a duration, rounded down.
    fn counts_in(self, duration: Duration) -> u64 {
        let product = duration.as_nanos() * u128::from(self.counts);
        u64::try_from(product / u128::from(self.nanos)).unwrap_or(u64::MAX)
    }
}

/// The clock, and the counter before and after.
#[derive(Debug, Clone, Copy)]
struct Reading {
    before: u64,
    at: Instant,
    after: u64,
}

impl Reading {
    fn take(processor: impl Processor, now: impl Fn() -> Instant) -> Self {
        Self {
            before: processor.counter(),
            at: now(),
            after: processor.counter(),
        }
    }

    /// The fewest counts that there can have been per time from here to a later reading; `None` if
    /// there can have been an eighth more: something came between clock and counter.
    fn rate_until(self, later: Self) -> Option<Rate> {
        let fewest = later.before.checked_sub(self.after)?;
        let most = later.after.checked_sub(self.before)?;
        let nanos = u64::try_from(later.at.duration_since(self.at).as_nanos()).ok()?;
        let is_sure = fewest > 0 && nanos > 0 && most - fewest <= most / 8;
        is_sure.then_some(Rate {
            counts: fewest,
            nanos,
        })
    }
}

/// A processor that can rest, and the rate of its counter.
#[derive(Debug, Clone, Copy)]
struct Resting<P> {
    processor: P,
    rate: Rate,
}

impl<P: Processor> Resting<P> {
    /// Tries whether the processor rests, and goes on in time.
    fn on(processor: P, now: impl Fn() -> Instant) -> Option<Self> {
        (0..TRIALS).find_map(|_| Self::try_on(processor, &now))
    }

    fn try_on(processor: P, now: &impl Fn() -> Instant) -> Option<Self> {
        let began = Reading::take(processor, now);
        while now().duration_since(began.at) < CALIBRATION {
            hint::spin_loop();
        }
        let rate = began.rate_until(Reading::take(processor, now))?;
        let resting = Self { processor, rate };
        let rests = |duration| resting.rests_for(duration, now);
        (!processor.coarse().is_zero() || TRIED.into_iter().all(rests)).then_some(resting)
    }

    /// Whether a rest lasts, and no longer than it should.
    fn rests_for(self, duration: Duration, now: &impl Fn() -> Instant) -> bool {
        let began = now();
        self.processor
            .rest(self.processor.counter() + self.rate.counts_in(duration));
        let lasted = now().duration_since(began);
        (duration / 2..=duration + WAKE_UP).contains(&lasted)
    }

    /// Rests until shortly before an instant. Each rest is half of what remains, or as coarse as the
    /// processor's are, if that is no more than half.
    #[inline]
    fn approach(self, until: Instant, now: impl Fn() -> Instant) {
        let shortest = SHORTEST.max(self.processor.coarse());
        loop {
            // Before the clock: what comes between them shortens the rest.
            let counter = self.processor.counter();
            let half = until.duration_since(now()) / 2;
            if half < shortest {
                return;
            }
            self.processor
                .rest(counter.saturating_add(self.rate.counts_in(half)));
        }
    }
}

/// The processor of this machine, which can rest.
#[derive(Debug, Clone, Copy)]
pub struct LowPower(Resting<processor::Found>);

/// A processor does not change while a program runs. It is tried once, because that takes 50 to 200 µs
/// where there is something to try, and the question alone takes 10 to 100 µs in a virtual machine.
/// Threads that ask at the same time all try it: none waits for another, which a fork might not have.
static LOW_POWER: OnceLock<Option<LowPower>> = OnceLock::new();

impl LowPower {
    /// Asks the processor whether it can rest, and tries it against the clock: the first time in a
    /// program.
    pub(super) fn detect(now: impl Fn() -> Instant) -> Option<Self> {
        if let Some(found) = LOW_POWER.get() {
            return *found;
        }
        let found = processor::Found::detect().and_then(|it| Resting::on(it, now).map(Self));
        // Whoever was first is as right.
        let _ = LOW_POWER.set(found);
        found
    }

    /// Rests until shortly before an instant: until 4 to 8 µs before it if nothing comes between, or
    /// up to half a millisecond on a processor whose rests are coarse.
    #[inline]
    pub(super) fn approach(self, until: Instant, now: impl Fn() -> Instant) {
        self.0.approach(until, now);
    }
}
