//! Coarse, exact, and waits shorter than the margin.

use std::time::Duration;

use super::super::{Budget, LONGEST_MARGIN, LateRate, Margin};
use super::streams::Random;
use super::{Loop, next, unlimited, with_budget};

const MILLISECOND: u64 = 1_000_000;

#[test]
fn coarse_never_spins_and_learns_nothing() {
    let mut random = Random::of(1);
    let mut run = Loop::new(Margin::coarse());
    next(&mut run, 1000, |run| {
        run.wait(MILLISECOND, random.around(20.0, 0.1));
    });
    assert_eq!(run.spun, 0);
    assert_eq!(run.late, 1000);
    assert!(run.margin.is_coarse());
    assert_eq!(run.margin.late_rate(), None);
    assert_eq!(run.margin.budget(), None);
}

#[test]
fn fixed_is_always_the_same_and_learns_nothing() {
    let mut random = Random::of(1);
    let fixed = Duration::from_micros(125);
    let mut run = Loop::new(Margin::fixed(fixed));
    let (late, _) = next(&mut run, 1000, |run| {
        run.wait(MILLISECOND, random.around(20.0, 0.1));
        assert_eq!(run.margin.before(Duration::from_micros(10)), fixed);
    });
    assert_eq!(late, 0);
    let (late, spin) = next(&mut run, 1000, |run| {
        run.wait(MILLISECOND, 150_000);
    });
    assert_eq!((late, spin), (1000, 0.0));
    assert_eq!(run.margin.before(Duration::from_secs(1)), fixed);
    assert!(!run.margin.is_coarse());
    assert_eq!(run.margin.late_rate(), None);
    assert_eq!(run.margin.budget(), None);
}

#[test]
fn a_fixed_margin_has_the_bound_of_all_others() {
    let vast = Margin::fixed(Duration::MAX);
    assert_eq!(vast.before(Duration::MAX), LONGEST_MARGIN);
    assert!(Margin::fixed(Duration::ZERO).is_coarse());
}

#[test]
fn off_ticks_only_what_was_left_to_the_default_changes() {
    let rate = |mut margin: Margin| {
        margin.keep_off_ticks();
        margin.late_rate()
    };
    assert_eq!(rate(Margin::default()), Some(LateRate::OFF_TICKS));
    let asked = LateRate::new(0.02).unwrap();
    assert_eq!(rate(Margin::sharing(asked)), Some(asked));
    let both = Margin::new(LateRate::default(), Budget::default());
    assert_eq!(rate(both), Some(LateRate::default()));
    assert_eq!(rate(Margin::exact()), Some(LateRate::LEAST));
    assert_eq!(rate(Margin::coarse()), None);
}

#[test]
fn off_ticks_fewer_waits_are_late() {
    let late = |keeps_off: bool| {
        let mut random = Random::of(7);
        let mut margin = Margin::default();
        if keeps_off {
            margin.keep_off_ticks();
        }
        let mut run = Loop::new(margin);
        let (late, _) = next(&mut run, 40_000, |run| {
            run.wait(MILLISECOND, random.around(20.0, 0.3));
        });
        late
    };
    let (asked, kept) = (late(false), late(true));
    assert!((300..500).contains(&asked), "{asked}");
    assert!((50..110).contains(&kept), "{kept}");
}

#[test]
fn no_budget_is_no_spin() {
    let mut random = Random::of(2);
    let mut run = Loop::new(with_budget(0.01, 0.0));
    next(&mut run, 1000, |run| {
        run.wait(MILLISECOND, random.around(20.0, 0.1));
    });
    assert_eq!(run.spun, 0);
}

#[test]
fn exact_is_hardly_ever_late() {
    let mut random = Random::of(3);
    let mut run = Loop::new(Margin::exact());
    next(&mut run, 1000, |run| {
        run.wait(MILLISECOND, random.around(20.0, 0.2));
    });
    let (late, _) = next(&mut run, 50_000, |run| {
        run.wait(MILLISECOND, random.around(20.0, 0.2));
    });
    assert!(late <= 15, "{late} of 50000");
    assert_eq!(run.margin.late_rate(), Some(LateRate::LEAST));
    assert_eq!(run.margin.budget(), None);
}

#[test]
fn exact_never_spins_longer_than_its_bound() {
    let mut run = Loop::new(Margin::exact());
    let wait = Duration::from_secs(1);
    for _ in 0..1000 {
        run.wait(1_000_000_000, 400 * MILLISECOND);
        assert!(run.margin.before(wait) <= LONGEST_MARGIN);
    }
    assert_eq!(run.margin.before(wait), LONGEST_MARGIN);
}

#[test]
fn a_wait_shorter_than_the_margin_is_spun_and_meets_its_late_rate() {
    for late_rate in [0.10, 0.03, 0.01] {
        let mut random = Random::of(4);
        let mut run = Loop::new(unlimited(late_rate));
        next(&mut run, 20_000, |run| {
            run.wait(MILLISECOND, random.ticking(15_600_000));
        });
        assert!(run.late_share() <= 1.2 * late_rate);
        assert!(run.spin_per_wait() > (1.0 - 1.2 * late_rate) * MILLISECOND as f64);
    }
}

#[test]
fn a_wait_that_is_spun_whole_is_probed_again_when_the_late_rate_allows() {
    for late_rate in [0.10_f64, 0.01, 0.003] {
        let mut random = Random::of(5);
        let mut run = Loop::new(unlimited(late_rate));
        next(&mut run, 3000, |run| {
            run.wait(MILLISECOND, random.ticking(15_600_000));
        });
        assert!(run.margin.before(Duration::from_millis(1)) >= Duration::from_micros(500));

        // One late wait's worth of waiting for the probe, then what a change takes to be
        // recognised.
        let waits = super::super::units::whole(late_rate.recip()) + 60;
        next(&mut run, u32::try_from(waits).unwrap(), |run| {
            run.wait(MILLISECOND, random.around(20.0, 0.1));
        });
        let (_, spin) = next(&mut run, 100, |run| {
            run.wait(MILLISECOND, random.around(20.0, 0.1));
        });
        assert!(spin < 15_000.0, "{spin} ns at {late_rate}");
    }
}
