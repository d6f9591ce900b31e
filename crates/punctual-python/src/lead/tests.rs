//! The lead against models of locks: how often they come too late, and what is spun.

use super::{FREE, HANDOVER, HOPEFUL, HOPELESS, Lead, REMEMBERED};
use std::time::Duration;

const INTERVAL: Duration = Duration::from_millis(5);
const MICROSECOND: Duration = Duration::from_micros(1);
const PERIOD: Duration = Duration::from_millis(10);

/// A small generator of numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % bound
    }
}

#[derive(Debug, Default)]
struct Outcome {
    waits: u32,
    late: u32,
    spun: Duration,
}

impl Outcome {
    fn late_share(&self) -> f64 {
        f64::from(self.late) / f64::from(self.waits)
    }

    fn spun_share(&self) -> f64 {
        self.spun.as_secs_f64() / (PERIOD * self.waits).as_secs_f64()
    }
}

/// Waits of one period as `waiting.rs` makes them, without a margin.
fn run(lead: &mut Lead, waits: u32, mut lock: impl FnMut() -> Duration) -> Outcome {
    let mut outcome = Outcome::default();
    for _ in 0..waits {
        let asked = PERIOD.saturating_sub(lead.before(PERIOD));
        let took = lock();
        let was_taken = lead.learn(took, false, || INTERVAL);
        let held = asked + took;
        let early = PERIOD.saturating_sub(held);
        let mut spun = Duration::ZERO;
        let mut late = held > PERIOD + FREE;
        if !early.is_zero() && was_taken && lead.affords(early) {
            spun = early;
        } else if !early.is_zero() {
            let took = lock();
            lead.learn(took, false, || INTERVAL);
            late = took > FREE;
        }
        lead.spend(PERIOD, spun);
        outcome.waits += 1;
        outcome.late += u32::from(late);
        outcome.spun += spun;
    }
    outcome
}

#[test]
fn a_free_lock_needs_no_lead() {
    let mut lead = Lead::new(Some(0.05));
    let mut numbers = Numbers(1);
    let outcome = run(&mut lead, 1000, || {
        MICROSECOND * u32::try_from(numbers.below(50)).unwrap()
    });
    assert_eq!(lead.before(PERIOD), Duration::ZERO);
    assert_eq!((outcome.late, outcome.spun), (0, Duration::ZERO));
}

#[test]
fn a_lock_that_comes_after_the_interval_is_there_in_time() {
    let mut numbers = Numbers(2);
    let mut lock = || INTERVAL + MICROSECOND * u32::try_from(30 + numbers.below(150)).unwrap();
    let mut lead = Lead::new(Some(0.05));
    let beginning = run(&mut lead, 10, &mut lock);
    assert!(beginning.late >= 1, "the first cannot be known");
    let outcome = run(&mut lead, 2000, &mut lock);
    assert!(outcome.late_share() < 0.02, "{outcome:?}");
    assert!(outcome.spun_share() < 0.02, "{outcome:?}");
}

#[test]
fn one_outlier_does_not_make_it_spin_beyond_its_budget() {
    let mut numbers = Numbers(3);
    let mut lock = || {
        let outlier = if numbers.below(50) == 0 { 900 } else { 0 };
        INTERVAL + MICROSECOND * u32::try_from(30 + outlier + numbers.below(60)).unwrap()
    };
    let mut lead = Lead::new(Some(0.05));
    let outcome = run(&mut lead, 5000, &mut lock);
    assert!(outcome.late_share() < 0.05, "{outcome:?}");
    assert!(outcome.spun_share() <= 0.0501, "{outcome:?}");
}

#[test]
fn whatever_the_lock_does_the_budget_holds() {
    for seed in 0..50 {
        let mut numbers = Numbers(seed);
        let lock = || MICROSECOND * u32::try_from(numbers.below(12_000)).unwrap();
        let mut lead = Lead::new(Some(0.02));
        // Of what others leave, too.
        let part = f64::from(u32::try_from(seed % 5).unwrap()) / 4.0;
        lead.draw_on(part);
        let outcome = run(&mut lead, 3000, lock);
        let saved = super::SAVES_FOR.mul_f64(0.02).as_secs_f64() / (PERIOD * 3000).as_secs_f64();
        assert!(
            outcome.spun_share() <= 0.02 * part + saved,
            "seed {seed}: {outcome:?}"
        );
    }
}

#[test]
fn it_is_zero_again_when_the_lock_has_been_free_for_a_while() {
    let mut lead = Lead::new(Some(0.05));
    run(&mut lead, 200, || INTERVAL);
    assert!(lead.is_contended() && lead.before(PERIOD) >= INTERVAL);
    let outcome = run(&mut lead, u32::try_from(REMEMBERED).unwrap(), || {
        MICROSECOND
    });
    assert_eq!((outcome.late, outcome.spun), (0, Duration::ZERO));
    assert!(!lead.is_contended());
    assert_eq!(lead.before(PERIOD), Duration::ZERO);
}

#[test]
fn it_is_at_most_the_interval_and_a_handover() {
    let mut lead = Lead::new(None);
    run(&mut lead, 100, || 4 * INTERVAL);
    assert_eq!(lead.before(PERIOD), INTERVAL + HANDOVER);
}

#[test]
fn without_a_budget_it_asks_as_late_as_the_lock_ever_came_soonest_and_never_spins() {
    let mut numbers = Numbers(4);
    let mut lead = Lead::new(Some(0.0));
    let lock = || INTERVAL + MICROSECOND * u32::try_from(30 + numbers.below(100)).unwrap();
    let outcome = run(&mut lead, 1000, lock);
    assert_eq!(outcome.spun, Duration::ZERO);
    let soonest = INTERVAL + MICROSECOND * 30;
    assert!(lead.before(PERIOD) >= soonest && lead.before(PERIOD) < soonest + MICROSECOND * 20);
}

#[test]
fn it_helps_no_more_where_most_waits_are_shorter_than_the_lock_takes() {
    let (short, took) = (PERIOD / 10, INTERVAL + FREE);
    let mut lead = Lead::new(Some(0.05));
    let told = |lead: &mut Lead, wait, took, waits| {
        (0..waits)
            .filter(|_| lead.helps_no_more(wait, took, || INTERVAL))
            .count()
    };
    assert_eq!(told(&mut lead, short, took, 2 * HOPELESS), 0, "it was free");
    lead.learn(took, false, || INTERVAL);
    assert_eq!(told(&mut lead, PERIOD, 2 * PERIOD, 2 * HOPELESS), 0);
    for _ in 0..HOPELESS {
        assert_eq!(told(&mut lead, short, took, 20), 0);
        assert_eq!(told(&mut lead, PERIOD, took, 5), 0, "it had caught up");
    }
    assert_eq!(told(&mut lead, short, short / 2, 2 * HOPELESS), 0);
    assert_eq!(told(&mut lead, short, took, HOPELESS - 1), 0);
    // One wait in eight had it in time.
    let mostly = (0..HOPELESS).map(|_| {
        told(&mut lead, short, short / 2, 1) + told(&mut lead, short, took, 2 * HOPEFUL - 1)
    });
    assert!(mostly.sum::<usize>() >= 1);
}
