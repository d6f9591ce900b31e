//! One processor: the thread it runs, and the time that interrupts and DPCs steal from it.

use crate::engine::EventId;
use crate::random::{Random, Spread, nanos};
use crate::thread::NOBODY;
use std::time::Duration;

/// Interrupts and DPCs of devices, which steal time from the threads.
///
/// They come at random: at every moment with the same probability. An interrupt waits for the one
/// before it. A DPC (deferred procedure call: the longer half of a device's work) waits for interrupts
/// and for the DPC before it. Threads wait for both. Every processor has its own noise.
///
/// ```
/// use punctual_sim::random::Spread;
/// use punctual_sim::{Noise, NoiseSource};
/// use std::time::Duration;
///
/// let microsecond = Duration::from_micros(1);
/// let noise = Noise {
///     interrupts: Some(NoiseSource {
///         mean_interval: Duration::from_millis(2),
///         length: Spread::new(2 * microsecond, 3 * microsecond, 50 * microsecond),
///     }),
///     dpcs: None,
/// };
/// assert!(noise.interrupts.is_some());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Noise {
    /// Short interrupts, of microseconds.
    pub interrupts: Option<NoiseSource>,
    /// Longer deferred calls, of tens of microseconds, or milliseconds if a driver misbehaves.
    pub dpcs: Option<NoiseSource>,
}

/// One kind of noise: how often it comes, and how long it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoiseSource {
    /// The mean time from one to the next.
    pub mean_interval: Duration,
    /// The processor time that each one takes.
    pub length: Spread,
}

/// The kind of noise that steals time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StolenTime {
    /// An interrupt.
    Interrupt,
    /// A deferred procedure call.
    Dpc,
}

/// Instants in nanoseconds.
pub(crate) struct Processor {
    /// The thread that has this processor, or [`NOBODY`].
    pub(crate) running: u32,
    /// When that thread goes on: it has worked off what it owes, and has spun enough.
    pub(crate) resume: EventId,
    /// Until here that thread works off what it owes, thefts included.
    pub(crate) busy_until: u64,
    /// Since when it has run, moved on by thefts.
    pub(crate) since: u64,
    pub(crate) slice_end: u64,
    pub(crate) slice: EventId,
    /// When `slice` happens; `u64::MAX` if none is scheduled.
    pub(crate) slice_at: u64,
    /// Until here the kernel finishes the call in which the last thread blocked.
    pub(crate) free_from: u64,
    pub(crate) interrupts_until: u64,
    pub(crate) dpcs_until: u64,
    /// All time stolen by interrupts so far: a DPC that waits for its turn is put off by as much.
    pub(crate) interrupted_for: u64,
    pub(crate) noise: Option<Box<NoiseState>>,
    pub(crate) noise_is_scheduled: bool,
}

pub(crate) struct NoiseState {
    sources: [Option<(StolenTime, Recurring)>; 2],
    random: Random,
}

/// What comes by itself again and again, on whichever clock.
#[derive(Debug)]
pub(crate) struct Recurring {
    pub(crate) next_at: u64,
    mean_interval: u64,
    pub(crate) length: Spread,
}

impl Processor {
    pub(crate) fn new(noise: Option<Box<NoiseState>>) -> Self {
        Self {
            running: NOBODY,
            resume: EventId::NONE,
            busy_until: 0,
            since: 0,
            slice_end: 0,
            slice: EventId::NONE,
            slice_at: u64::MAX,
            free_from: 0,
            interrupts_until: 0,
            dpcs_until: 0,
            interrupted_for: 0,
            noise,
            noise_is_scheduled: false,
        }
    }

    /// Until here no thread makes progress.
    #[inline]
    pub(crate) fn stolen_until(&self) -> u64 {
        self.interrupts_until.max(self.dpcs_until)
    }

    /// Takes `length` of this processor's time from `at` on, and says when it is served.
    #[inline(always)]
    pub(crate) fn steal(&mut self, kind: StolenTime, at: u64, length: u64) -> u64 {
        let start = match kind {
            StolenTime::Interrupt => {
                let start = at.max(self.interrupts_until);
                self.interrupts_until = start.saturating_add(length);
                self.interrupted_for = self.interrupted_for.saturating_add(length);
                if self.dpcs_until > at {
                    self.dpcs_until = self.dpcs_until.saturating_add(length);
                }
                start
            }
            StolenTime::Dpc => {
                let start = at.max(self.stolen_until());
                self.dpcs_until = start.saturating_add(length);
                start
            }
        };
        self.busy_until = self.busy_until.max(at).saturating_add(length);
        self.slice_end = self.slice_end.saturating_add(length);
        self.since = self.since.saturating_add(length);
        if self.free_from > at {
            self.free_from = self.free_from.saturating_add(length);
        }
        start
    }

    /// Lets the noise of the past happen: while nothing runs, noise is no event. Returns whether
    /// there was any.
    pub(crate) fn catch_up(
        &mut self,
        now: u64,
        mut seen: impl FnMut(u64, StolenTime, u64),
    ) -> bool {
        let Some(mut noise) = self.noise.take() else {
            return false;
        };
        let mut any = false;
        while let Some((at, kind, length)) = noise.take_until(now) {
            self.steal(kind, at, length);
            seen(at, kind, length);
            any = true;
        }
        self.noise = Some(noise);
        any
    }
}

impl NoiseState {
    /// `None` if there is no noise.
    pub(crate) fn new(noise: &Noise, mut random: Random) -> Option<Box<Self>> {
        if noise.interrupts.is_none() && noise.dpcs.is_none() {
            return None;
        }
        let kinds = [
            (StolenTime::Interrupt, noise.interrupts),
            (StolenTime::Dpc, noise.dpcs),
        ];
        let sources = kinds
            .map(|(kind, source)| source.map(|source| (kind, Recurring::new(source, &mut random))));
        Some(Box::new(Self { sources, random }))
    }

    /// When the next of either kind comes.
    pub(crate) fn next_at(&self) -> u64 {
        let sources = self.sources.iter().flatten();
        sources
            .map(|(_, source)| source.next_at)
            .min()
            .unwrap_or(u64::MAX)
    }

    fn take_until(&mut self, now: u64) -> Option<(u64, StolenTime, u64)> {
        let sources = self.sources.iter_mut().flatten();
        let (kind, source) = sources.min_by_key(|(_, source)| source.next_at)?;
        let at = source.next_at;
        if at > now {
            return None;
        }
        let length = source.length.draw_nanos(&mut self.random);
        source.schedule_after(at, &mut self.random);
        Some((at, *kind, length))
    }
}

impl Recurring {
    pub(crate) fn new(source: NoiseSource, random: &mut Random) -> Self {
        let mut recurring = Self {
            next_at: 0,
            mean_interval: nanos(source.mean_interval),
            length: source.length,
        };
        recurring.schedule_after(0, random);
        recurring
    }

    pub(crate) fn schedule_after(&mut self, at: u64, random: &mut Random) {
        // At least a nanosecond, so that catching up and looking ahead end.
        let interval = random.exponential(self.mean_interval).max(1);
        self.next_at = at.saturating_add(interval);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_puts_off_the_dpc_and_the_thread_but_not_the_other_way_round() {
        let mut processor = Processor::new(None);
        processor.running = 0;
        processor.busy_until = 100;
        assert_eq!(processor.steal(StolenTime::Dpc, 10, 50), 10);
        assert_eq!(processor.steal(StolenTime::Interrupt, 20, 5), 20);
        assert_eq!((processor.dpcs_until, processor.busy_until), (65, 155));
        assert_eq!(
            processor.steal(StolenTime::Interrupt, 22, 5),
            25,
            "one at a time"
        );
        assert_eq!(
            processor.steal(StolenTime::Dpc, 30, 1),
            70,
            "after the first"
        );
        assert_eq!((processor.stolen_until(), processor.busy_until), (71, 161));
    }

    #[test]
    fn a_thread_that_spins_loses_only_what_is_stolen_past_its_work() {
        let mut processor = Processor::new(None);
        processor.busy_until = 100;
        processor.steal(StolenTime::Interrupt, 150, 10);
        assert_eq!(processor.busy_until, 160);
    }

    #[test]
    fn noise_of_an_idle_hour_has_its_mean() {
        let noise = Noise {
            interrupts: Some(NoiseSource {
                mean_interval: Duration::from_millis(1),
                length: Spread::exactly(Duration::from_micros(2)),
            }),
            dpcs: None,
        };
        let mut processor = Processor::new(NoiseState::new(&noise, Random::new(1)));
        let hour = 3_600_000_000_000;
        let mut count = 0_u64;
        processor.catch_up(hour, |_, _, length| {
            assert_eq!(length, 2_000);
            count += 1;
        });
        // 3.6 million expected; four deviations are 7,600.
        assert!((3_592_400..3_607_600).contains(&count), "{count}");
        assert!(!processor.catch_up(hour, |_, _, _| panic!("caught up already")));
    }
}
