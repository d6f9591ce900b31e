//! A clock that stands still, jumps, and shows only multiples of its grain. It never goes back.

use super::{FaultCounts, FaultKind, Faults};
use crate::processor::Recurring;
use crate::random::{self, Random};
use std::collections::VecDeque;

/// What the clock shows from some instant of the machine below on.
#[derive(Debug, Clone, Copy)]
struct Piece {
    from: u64,
    shows: u64,
    stands: bool,
}

/// How far ahead is looked for the instant of a reading. A wait for a later one ends there, early.
const LOOK_AHEAD: usize = 64;

/// All instants are nanoseconds. "At" is the clock of the machine below.
pub(super) struct Clock {
    random: Random,
    grain: u64,
    stalls: Option<Recurring>,
    jumps: Option<Recurring>,
    /// The first one has begun.
    pieces: VecDeque<Piece>,
    /// Up to here the pieces are known.
    known_until: u64,
    /// The sum of all jumps.
    offset: u64,
    /// When the present stall ends.
    stalled_until: Option<u64>,
    /// The last instant that was asked about: a thread that was preempted may ask for an earlier one.
    latest: u64,
}

impl Clock {
    pub(super) fn new(faults: &Faults, mut random: Random) -> Self {
        let start = |source: Option<_>, random: &mut Random| {
            source.map(|source| Recurring::new(source, random))
        };
        let stalls = start(faults.clock_stalls, &mut random);
        let jumps = start(faults.clock_jumps, &mut random);
        let mut clock = Self {
            random,
            grain: random::nanos(faults.clock_grain).max(1),
            stalls,
            jumps,
            pieces: VecDeque::from([Piece {
                from: 0,
                shows: 0,
                stands: false,
            }]),
            known_until: 0,
            offset: 0,
            stalled_until: None,
            latest: 0,
        };
        clock.known_until = clock.next_change();
        clock
    }

    /// What it shows at this instant.
    pub(super) fn shows(&mut self, at: u64, counts: &mut FaultCounts) -> u64 {
        self.latest = self.latest.max(at);
        let at = self.latest;
        while self.known_until <= at && self.known_until < u64::MAX {
            self.look_further();
        }
        while self.pieces.get(1).is_some_and(|piece| piece.from <= at) {
            let left = self.pieces.pop_front();
            let entered = self.pieces[0];
            let kind = match left {
                Some(left) if left.stands => FaultKind::ClockStall,
                _ if entered.stands => continue,
                _ => FaultKind::ClockJump,
            };
            counts.add(kind, 1);
        }
        let piece = self.pieces[0];
        let exact = match piece.stands {
            true => piece.shows,
            false => piece.shows.saturating_add(at - piece.from),
        };
        let shown = exact - exact % self.grain;
        if shown < exact {
            counts.add(FaultKind::CoarseReading, 1);
        }
        shown
    }

    /// The first instant at which it shows this reading or a later one, or an earlier instant if that is
    /// far ahead.
    pub(super) fn when(&mut self, reading: u64) -> u64 {
        let reading = match reading % self.grain {
            0 => reading,
            rest => reading.saturating_add(self.grain - rest),
        };
        let mut index = 0;
        loop {
            let piece = self.pieces[index];
            if piece.shows >= reading {
                return piece.from;
            }
            if self.pieces.len() == index + 1 && index < LOOK_AHEAD {
                self.look_further_than(index + 1);
            }
            let next = self.pieces.get(index + 1);
            let end = next.map_or(self.known_until, |next| next.from);
            let at = piece.from.saturating_add(reading - piece.shows);
            if !piece.stands && (at < end || end == u64::MAX) {
                return at;
            }
            if next.is_none() {
                return end;
            }
            index += 1;
        }
    }

    fn next_change(&self) -> u64 {
        let next = |source: &Option<Recurring>| source.as_ref().map(|source| source.next_at);
        let stall = self.stalled_until.or_else(|| next(&self.stalls));
        let changes = stall.into_iter().chain(next(&self.jumps));
        changes.min().unwrap_or(u64::MAX)
    }

    fn look_further_than(&mut self, pieces: usize) {
        while self.pieces.len() <= pieces && self.known_until < u64::MAX {
            self.look_further();
        }
    }

    /// Lets the next change happen.
    fn look_further(&mut self) {
        let at = self.known_until;
        if self.stalled_until == Some(at) {
            self.stalled_until = None;
            if let Some(stalls) = &mut self.stalls {
                stalls.schedule_after(at, &mut self.random);
            }
            self.begin(at, false);
        } else if let Some(jumps) = self.jumps.as_mut().filter(|jumps| jumps.next_at == at) {
            let by = jumps.length.draw_nanos(&mut self.random);
            jumps.schedule_after(at, &mut self.random);
            self.offset = self.offset.saturating_add(by);
            if self.stalled_until.is_none() {
                self.begin(at, false);
            }
        } else if let Some(stalls) = &self.stalls {
            let length = stalls.length.draw_nanos(&mut self.random).max(1);
            self.stalled_until = Some(at.saturating_add(length));
            self.begin(at, true);
        }
        self.known_until = self.next_change();
    }

    fn begin(&mut self, from: u64, stands: bool) {
        self.pieces.push_back(Piece {
            from,
            shows: from.saturating_add(self.offset),
            stands,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoiseSource;
    use crate::random::Spread;
    use std::time::Duration;

    fn clock(seed: u64, grain: u64) -> Clock {
        let micros = Duration::from_micros;
        let source = |interval, length| NoiseSource {
            mean_interval: micros(interval),
            length: Spread::new(Duration::ZERO, micros(length), micros(10 * length)),
        };
        let faults = Faults {
            clock_grain: Duration::from_nanos(grain),
            clock_stalls: Some(source(100, 30)),
            clock_jumps: Some(source(150, 50)),
            ..Faults::default()
        };
        Clock::new(&faults, Random::new(seed))
    }

    #[test]
    fn it_never_goes_back_and_says_when_it_will_show_a_reading() {
        for (seed, grain) in [(1, 1), (2, 1), (3, 700), (4, 40_000)] {
            let mut counts = FaultCounts::default();
            let (mut clock, mut ahead) = (clock(seed, grain), clock(seed, grain));
            let (mut last, mut random) = (0, Random::new(seed));
            for at in (0..3_000_000).step_by(997) {
                let shown = clock.shows(at, &mut counts);
                assert!(shown >= last && shown % grain == 0);
                last = shown;
                ahead.shows(at, &mut FaultCounts::default());
                let reading = shown + random.between(1, 200_000);
                let when = ahead.when(reading);
                // A clock of its own, because it is asked about the future.
                let mut other = super::tests::clock(seed, grain);
                assert!(other.shows(when, &mut counts) >= reading);
                if when > 0 {
                    let mut other = super::tests::clock(seed, grain);
                    assert!(other.shows(when - 1, &mut counts) < reading);
                }
            }
            assert!(counts.of(FaultKind::ClockStall) > 10 && counts.of(FaultKind::ClockJump) > 10);
        }
    }

    #[test]
    fn a_clock_without_faults_is_that_of_the_machine() {
        let mut clock = Clock::new(&Faults::default(), Random::new(0));
        let mut counts = FaultCounts::default();
        for at in [0, 1, 1_000, u64::MAX - 1, u64::MAX] {
            assert_eq!(clock.when(at), at);
            assert_eq!(clock.shows(at, &mut counts), at);
        }
        assert_eq!(counts, FaultCounts::default());
    }

    #[test]
    fn a_reading_that_is_far_ahead_is_looked_for_within_bounds() {
        let mut clock = clock(5, 1);
        assert!(clock.when(u64::MAX) < u64::MAX);
        assert!(clock.pieces.len() <= LOOK_AHEAD + 1);
    }
}
