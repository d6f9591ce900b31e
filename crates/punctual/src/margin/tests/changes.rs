//! Changes of regime, outliers, and the first waits.

use super::streams::Random;
use super::{Loop, next, unlimited, with_budget};

const MILLISECOND: u64 = 1_000_000;
const PERIOD: u64 = 16 * MILLISECOND;
const RATES: [f64; 3] = [0.10, 0.01, 0.003];

#[test]
fn first_waits_are_neither_all_late_nor_all_spun() {
    for seed in 0..20 {
        for late_rate in RATES {
            let mut random = Random::of(seed);
            let mut run = Loop::new(unlimited(late_rate));
            let (late, spin) = next(&mut run, 100, |run| {
                run.wait(MILLISECOND, random.around(20.0, 0.1));
            });
            assert!(late <= 25, "{late} of 100 late at {late_rate}");
            // The first is a probe of half a millisecond; that alone is 5 µs each.
            assert!(spin < 20_000.0, "{spin} ns spun per wait at {late_rate}");
        }
    }
}

#[test]
fn slower_latencies_are_learned_within_tens_of_waits() {
    // Load makes wake-ups twice as slow; a tick of 0.5 ms comes; a tick of 15.6 ms comes.
    for (seed, interval) in [(1, 24_000), (2, 500_000), (3, 15_600_000)] {
        for late_rate in RATES {
            let mut random = Random::of(seed);
            let mut run = Loop::new(unlimited(late_rate));
            next(&mut run, 2000, |run| {
                run.wait(4 * PERIOD, random.around(20.0, 0.1));
            });
            let (late, _) = next(&mut run, 100, |run| {
                run.wait(4 * PERIOD, 20_000 + random.ticking(interval));
            });
            assert!(late <= 35, "{late} late at {late_rate}, tick {interval}");
            let (late, _) = next(&mut run, 100, |run| {
                run.wait(4 * PERIOD, 20_000 + random.ticking(interval));
            });
            assert!(late <= 20, "{late} late at {late_rate}, tick {interval}");
        }
    }
}

#[test]
fn faster_latencies_are_learned_within_tens_of_waits() {
    for interval in [500_000, 15_600_000] {
        for late_rate in RATES {
            let mut random = Random::of(4);
            let mut run = Loop::new(unlimited(late_rate));
            next(&mut run, 2000, |run| {
                run.wait(4 * PERIOD, random.ticking(interval));
            });
            next(&mut run, 60, |run| {
                run.wait(4 * PERIOD, random.around(20.0, 0.1));
            });
            let (late, spin) = next(&mut run, 100, |run| {
                run.wait(4 * PERIOD, random.around(20.0, 0.1));
            });
            assert!(spin < 10_000.0, "{spin} ns at {late_rate}, tick {interval}");
            assert!(late <= 20, "{late} late at {late_rate}, tick {interval}");
        }
    }
}

#[test]
fn faster_latencies_are_learned_where_a_regime_was_mixed() {
    // So few waits are late at this rate that slow ones are learned without starting again, and old
    // ones stay.
    let mut random = Random::of(5);
    let mut run = Loop::new(unlimited(0.003));
    for interval in [1000, 15_600_000] {
        next(&mut run, 3000, |run| {
            run.wait(4 * PERIOD, random.ticking(interval));
        });
    }
    next(&mut run, 60, |run| {
        run.wait(4 * PERIOD, random.ticking(500_000));
    });
    let (_, spin) = next(&mut run, 100, |run| {
        run.wait(4 * PERIOD, random.ticking(500_000));
    });
    assert!(spin < 500_000.0, "{spin} ns");
}

#[test]
fn a_vanished_tail_is_forgotten_within_hundreds_of_waits() {
    let mut random = Random::of(6);
    let mut run = Loop::new(unlimited(0.01));
    next(&mut run, 3000, |run| {
        let tail = random.share() < 0.2;
        run.wait(PERIOD, random.around(if tail { 600.0 } else { 20.0 }, 0.1));
    });
    next(&mut run, 260, |run| {
        run.wait(PERIOD, random.around(20.0, 0.1));
    });
    let (_, spin) = next(&mut run, 100, |run| {
        run.wait(PERIOD, random.around(20.0, 0.1));
    });
    assert!(spin < 10_000.0, "{spin} ns");
}

#[test]
fn one_outlier_costs_next_to_nothing() {
    for late_rate in RATES {
        for at in [0, 1, 2, 10, 100, 1000, 5000] {
            let mut random = Random::of(7);
            let mut run = Loop::new(unlimited(late_rate));
            next(&mut run, at, |run| {
                run.wait(PERIOD, random.around(20.0, 0.1));
            });
            run.wait(PERIOD, 4 * MILLISECOND);
            let (_, spin) = next(&mut run, 1000, |run| {
                run.wait(PERIOD, random.around(20.0, 0.1));
            });
            // Among the very first waits, twice the largest of the others is more than it will be.
            let allowed = if at <= 10 { 30_000.0 } else { 15_000.0 };
            assert!(spin < allowed, "{spin} ns at {late_rate}, outlier at {at}");
        }
    }
}

#[test]
fn a_gap_that_the_budget_cannot_cross_is_not_spun_in() {
    let mut random = Random::of(8);
    let latencies: Vec<u64> = (0..15_000)
        .map(|n| {
            if n % 50 == 0 {
                8 * MILLISECOND
            } else {
                random.around(20.0, 0.1)
            }
        })
        .collect();
    let run = Loop::replay(with_budget(0.01, 0.05), PERIOD, &latencies);
    assert!(run.late_share() < 0.025);
    assert!(run.spin_per_wait() < 30_000.0, "{}", run.spin_per_wait());
}
