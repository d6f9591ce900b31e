//! Waits of different length.

use std::time::Duration;

use super::super::class::class_of;
use super::streams::Random;
use super::{Loop, next, tolerance, unlimited};

const MILLISECOND: u64 = 1_000_000;

#[test]
fn common_lengths_are_just_below_a_boundary() {
    for length in [250_000, MILLISECOND, 4 * MILLISECOND, 16_666_667] {
        assert_eq!(class_of(length), class_of(length / 4 + length / 50));
        assert_eq!(class_of(length) + 1, class_of(length + length / 8));
    }
}

#[test]
fn each_class_learns_its_own() {
    let mut random = Random::of(1);
    let mut run = Loop::new(unlimited(0.01));
    next(&mut run, 4000, |run| {
        run.wait(MILLISECOND, random.around(20.0, 0.1));
        run.wait(16 * MILLISECOND, random.around(60.0, 0.1));
    });
    let short = run.margin.before(Duration::from_millis(1));
    let long = run.margin.before(Duration::from_millis(16));
    assert!(short < Duration::from_micros(30), "{short:?}");
    assert!(long > Duration::from_micros(70), "{long:?}");
}

#[test]
fn a_new_class_starts_from_the_nearest() {
    let mut random = Random::of(2);
    let mut run = Loop::new(unlimited(0.01));
    next(&mut run, 1000, |run| {
        run.wait(MILLISECOND, random.around(20.0, 0.1));
        run.wait(16 * MILLISECOND, random.around(60.0, 0.1));
    });
    let wait = Duration::from_millis(200);
    assert_eq!(
        run.margin.before(wait),
        run.margin.before(Duration::from_millis(16))
    );
    // And leaves it soon where it is wrong, in either direction.
    for median in [300.0, 10.0] {
        let mut run = Loop::new(run.margin.clone());
        let (late, _) = next(&mut run, 40, |run| {
            run.wait(200 * MILLISECOND, random.around(median, 0.1));
        });
        assert!(late <= 12, "{late} late around {median}");
        let (_, spin) = next(&mut run, 100, |run| {
            run.wait(200 * MILLISECOND, random.around(median, 0.1));
        });
        assert!(spin < median * 600.0, "{spin} ns around {median}");
    }
}

#[test]
fn a_new_class_does_not_wait_for_the_probes_of_another() {
    let mut random = Random::of(4);
    let mut run = Loop::new(unlimited(0.003));
    next(&mut run, 1000, |run| {
        run.wait(MILLISECOND, random.ticking(15_600_000));
    });
    let (_, spin) = next(&mut run, 20, |run| {
        run.wait(4 * MILLISECOND, random.around(20.0, 0.1));
    });
    assert!(spin < 3.0 * MILLISECOND as f64, "{spin} ns");
}

#[test]
fn a_length_that_jitters_across_a_boundary_meets_its_late_rate() {
    let boundary = 1 << 20;
    for late_rate in [0.10, 0.03, 0.01, 0.003] {
        let mut random = Random::of(3);
        let mut run = Loop::new(unlimited(late_rate));
        let (late, spin) = next(&mut run, 20_000, |run| {
            let length = boundary - 1000 + random.below(2000);
            run.wait(length, random.around(20.0, 0.1));
        });
        let share = f64::from(late) / 20_000.0;
        assert!((share - late_rate).abs() <= tolerance(late_rate, 20_000));
        assert!(spin < 10_000.0, "{spin} ns at {late_rate}");
    }
}
