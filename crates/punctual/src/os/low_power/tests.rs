//! The arithmetic, on a processor that a test makes; and the instructions, where there is something to
//! run them on.

#[cfg(all(target_os = "linux", not(miri)))]
mod instructions;

use super::*;
use proptest::prelude::*;
use std::cell::{Cell, RefCell};

/// A processor whose counter and clock move only when it is used.
struct Fake {
    nanos: Cell<u64>,
    counts_per_micro: u64,
    /// What each rest lasts beyond its end, in nanoseconds; the last goes on.
    wake_ups: RefCell<Vec<u64>>,
    coarse: Duration,
    /// Whether an exit to a host takes the place of rests, and how long that takes.
    exit: Option<u64>,
    /// What comes between a look at the counter and the next at the clock, once each.
    between: RefCell<Vec<u64>>,
    rests: RefCell<Vec<(u64, u64)>>,
}

/// What a look at the counter or the clock costs.
const LOOK: u64 = 30;

impl Fake {
    fn new(counts_per_micro: u64) -> Self {
        Self {
            nanos: Cell::new(1_000_000),
            counts_per_micro,
            wake_ups: RefCell::new(vec![200]),
            coarse: Duration::ZERO,
            exit: None,
            between: RefCell::new(Vec::new()),
            rests: RefCell::new(Vec::new()),
        }
    }

    fn pass(&self, nanos: u64) {
        self.nanos.set(self.nanos.get() + nanos);
    }

    fn now(&self) -> Instant {
        self.pass(LOOK + self.between.borrow_mut().pop().unwrap_or(0));
        Instant::from_nanos(self.nanos.get())
    }

    fn counts(&self) -> u64 {
        self.nanos.get() * self.counts_per_micro / 1_000
    }

    fn wake_up(&self) -> u64 {
        let mut wake_ups = self.wake_ups.borrow_mut();
        match wake_ups.len() {
            1 => wake_ups[0],
            _ => wake_ups.pop().unwrap_or(0),
        }
    }

    /// Tried, or with a rate that is told.
    fn tried(&self) -> Option<Resting<&Self>> {
        Resting::on(self, || self.now())
    }

    fn with_rate(&self, counts: u64, nanos: u64) -> Resting<&Self> {
        Resting {
            processor: self,
            rate: Rate { counts, nanos },
        }
    }

    /// How much remains after an approach over a distance.
    fn remaining_of(&self, resting: Resting<&Self>, distance: u64) -> u64 {
        let until = Instant::from_nanos(self.nanos.get() + distance);
        resting.approach(until, || self.now());
        until.as_nanos().saturating_sub(self.nanos.get())
    }
}

impl Processor for &Fake {
    fn counter(self) -> u64 {
        self.pass(LOOK);
        self.counts()
    }

    fn rest(self, until: u64) {
        let began = self.nanos.get();
        if let Some(exit) = self.exit {
            self.pass(exit);
        } else if !self.coarse.is_zero() {
            self.pass(u64::try_from(self.coarse.as_nanos()).unwrap());
        } else {
            let counts = until.saturating_sub(self.counts());
            self.pass((counts * 1_000).div_ceil(self.counts_per_micro) + self.wake_up());
        }
        self.rests.borrow_mut().push((began, self.nanos.get()));
    }

    fn coarse(self) -> Duration {
        self.coarse
    }
}

#[test]
fn most_of_a_spin_is_rested_and_the_last_microseconds_are_not() {
    let fake = Fake::new(2_600);
    let resting = fake.tried().unwrap();
    let began = fake.nanos.get();
    let remaining = fake.remaining_of(resting, 60_000);
    assert!((4_000..8_000).contains(&remaining), "{remaining}");
    let rests = fake.rests.borrow();
    let rested: u64 = rests
        .iter()
        .filter(|(from, _)| *from >= began)
        .map(|(from, to)| to - from)
        .sum();
    assert!(rested > 50_000, "{rested}");
    assert_eq!(rests.iter().filter(|(from, _)| *from >= began).count(), 3);
}

#[test]
fn what_is_short_is_not_rested() {
    let fake = Fake::new(1_000);
    let resting = fake.with_rate(1, 1);
    for distance in [0, 1, 1_000, 7_900] {
        fake.remaining_of(resting, distance);
    }
    resting.approach(Instant::ZERO, || fake.now());
    assert!(fake.rests.borrow().is_empty());
}

#[test]
fn coarse_rests_end_before_the_instant_whenever_the_event_comes() {
    let mut fake = Fake::new(25);
    fake.coarse = Duration::from_micros(270);
    let resting = fake.tried().unwrap();
    assert!(
        fake.rests.borrow().is_empty(),
        "no trial: it would take long"
    );
    let remaining = fake.remaining_of(resting, 2_000_000);
    assert!((269_000..540_000).contains(&remaining), "{remaining}");
    assert_eq!(fake.remaining_of(resting, 539_000) / 1_000, 538);
}

#[test]
fn a_processor_that_wakes_late_is_not_asked_again() {
    let fake = Fake::new(2_600);
    fake.wake_ups.replace(vec![2_500]);
    assert!(fake.tried().is_none());
    assert_eq!(fake.rests.borrow().len(), 4);
}

#[test]
fn one_that_does_not_rest_is_not_asked_again() {
    for exit in [0, 30, 3_900, 8_400, 9_900, 20_000, 33_000] {
        let mut fake = Fake::new(2_600);
        fake.exit = Some(exit);
        assert!(fake.tried().is_none(), "{exit}");
    }
}

#[test]
fn a_trial_that_something_disturbed_is_repeated() {
    let fake = Fake::new(2_600);
    fake.wake_ups.replace(vec![200, 3_000_000, 200, 40_000]);
    assert!(fake.tried().is_some());
    // One that is spoilt, one that is spoilt after the first, and two.
    assert_eq!(fake.rests.borrow().len(), 5);
}

#[test]
fn a_rate_is_not_believed_if_something_came_between_clock_and_counter() {
    let fake = Fake::new(2_600);
    fake.between.replace(vec![4_000_000]);
    let resting = fake.tried().unwrap();
    // Too few counts rather than too many.
    assert!(resting.rate.counts_in(Duration::from_micros(10)) <= 26_000);
    assert!(resting.rate.counts_in(Duration::from_micros(10)) >= 22_750);
}

#[test]
fn a_counter_that_stands_or_goes_back_has_no_rate() {
    let at = |nanos, count| Reading {
        before: count,
        at: Instant::from_nanos(nanos),
        after: count,
    };
    assert_eq!(at(0, 5).rate_until(at(10_000, 5)), None);
    assert_eq!(at(0, 5).rate_until(at(10_000, 4)), None);
    assert_eq!(at(7, 5).rate_until(at(7, 500)), None);
    let rate = at(0, 0).rate_until(at(10_000, 26_000)).unwrap();
    assert_eq!(rate.counts_in(Duration::from_nanos(5)), 13);
    assert_eq!(rate.counts_in(Duration::MAX), u64::MAX);
}

proptest! {
    /// With any rate that a trial lets pass, and any wake-up, the last microsecond is spun.
    #[test]
    fn it_is_never_late(
        counts_per_micro in 1_000_u64..5_000,
        percent in 10_u64..=112,
        wake_up in 0_u64..=2_000,
        distance in 0_u64..10_000_000,
    ) {
        let fake = Fake::new(counts_per_micro);
        fake.wake_ups.replace(vec![wake_up]);
        let resting = fake.with_rate(counts_per_micro * percent, 100_000);
        let remaining = fake.remaining_of(resting, distance);
        prop_assert!(remaining >= distance.saturating_sub(2 * LOOK).min(1_000), "{remaining}");
    }

    /// A virtual machine can move to one whose counter is slower.
    #[test]
    fn a_rate_that_is_wrong_by_a_factor_of_nearly_two_makes_nothing_late(
        counts_per_micro in 1_000_u64..5_000,
        percent in 10_u64..=190,
        distance in 100_u64..10_000_000,
    ) {
        let fake = Fake::new(counts_per_micro);
        let resting = fake.with_rate(counts_per_micro * percent, 100_000);
        prop_assert!(fake.remaining_of(resting, distance) > 0);
    }

    /// Whatever comes between counter and clock while the rate is found, the rate is not too high.
    #[test]
    fn a_rate_is_never_an_eighth_too_high(
        counts_per_micro in 25_u64..5_000,
        between in proptest::collection::vec(0_u64..100_000, 0..20),
    ) {
        let fake = Fake::new(counts_per_micro);
        fake.between.replace(between);
        if let Some(resting) = fake.tried() {
            let found = resting.rate.counts_in(Duration::from_millis(1));
            prop_assert!(found <= counts_per_micro * 1_000 * 9 / 8 + 1, "{found}");
        }
    }
}
