//! Recordings with known differences: equal ones compare as equal, and changes are found.

use super::*;
use fastrand::Rng;
use punctual::Period;
use punctual_data::distribution::Distribution;
use punctual_data::statistics::{Series, Turn};
use std::time::Duration;

/// A machine whose state changes: each turn has a state, and every wake-up in it is late by what
/// the state gives, times `scale`, with a long tail.
fn series(seed: u64, turns: u64, scale: f64) -> SeriesRecord {
    let mut random = Rng::with_seed(seed);
    let mut series = Series::new("any");
    for _ in 0..turns {
        let mood = 0.8 + 0.4 * random.f64();
        let lateness = |random: &mut Rng| {
            let tail = -random.f64().max(1e-9).ln();
            Duration::from_secs_f64((20e-6 + 10e-6 * tail) * mood * scale)
        };
        let per_deadline: Vec<_> = (0..50).map(|_| lateness(&mut random)).collect();
        for &lateness in &per_deadline {
            series.record_wake(lateness, None);
        }
        series.record_turn(&Turn {
            per_deadline,
            missed: 0,
            processor: Duration::from_micros(500),
            elapsed: Duration::from_millis(50),
        });
    }
    SeriesRecord::from(&series)
}

fn verdict(comparison: &MethodComparison, statistic: Statistic) -> Verdict {
    let found = comparison
        .statistics
        .iter()
        .find(|found| found.statistic == statistic);
    found.unwrap().verdict()
}

#[test]
fn the_same_machine_measured_twice_has_seldom_changed() {
    let trials = u64::from(crate::effort(10, 60));
    let false_alarms: u64 = (0..trials)
        .map(|trial| {
            let compared = method(&series(2 * trial, 40, 1.0), &series(2 * trial + 1, 40, 1.0));
            let alarms = compared.statistics.iter();
            let alarms = alarms.filter(|found| found.verdict() != Verdict::NoChange);
            alarms.count() as u64
        })
        .sum();
    // Seven statistics each, of which two never change: at most a few per cent of the other five.
    assert!(
        false_alarms <= trials / 5,
        "{false_alarms} false alarms in {trials}"
    );
}

#[test]
fn a_change_of_a_tenth_is_found() {
    let trials = u64::from(crate::effort(5, 20));
    let found = (0..trials).filter(|&trial| {
        let compared = method(&series(trial, 60, 1.0), &series(1_000 + trial, 60, 1.15));
        verdict(&compared, Statistic::P50) == Verdict::Higher
    });
    assert!(found.count() as u64 >= trials - 1);
    let compared = method(&series(1, 60, 1.15), &series(2, 60, 1.0));
    assert_eq!(verdict(&compared, Statistic::Mean), Verdict::Lower);
}

#[test]
fn a_recording_compared_with_itself_has_not_changed() {
    let one = series(7, 40, 1.0);
    for found in method(&one, &one).statistics {
        assert_eq!(found.verdict(), Verdict::NoChange, "{:?}", found.statistic);
        let (low, high) = found.interval.unwrap_or((1.0, 1.0));
        assert!(low <= 1.0 && 1.0 <= high);
    }
}

#[test]
fn what_is_too_short_or_too_old_is_not_judged() {
    let long = series(1, 40, 1.0);
    let short = series(1, 5, 1.0);
    let old = SeriesRecord {
        batches: Vec::new(),
        ..series(1, 40, 1.0)
    };
    for (other, reason) in [(&short, Unjudged::TooShort), (&old, Unjudged::NoBatches)] {
        let compared = method(&long, other);
        assert_eq!(compared.unjudged, Some(reason));
        assert_eq!(verdict(&compared, Statistic::P50), Verdict::Unjudged);
        assert!(
            compared
                .statistics
                .iter()
                .all(|found| found.interval.is_none())
        );
    }
}

#[test]
fn values_are_those_that_the_tables_of_a_measurement_show() {
    let one = series(3, 40, 1.0);
    let Distribution {
        p50_ns,
        p999_ns,
        mean_ns,
        ..
    } = one.per_deadline;
    let compared = method(&one, &series(4, 40, 1.0));
    let baseline = |statistic| {
        let found = compared
            .statistics
            .iter()
            .find(|found| found.statistic == statistic);
        found.unwrap().baseline
    };
    assert_eq!(baseline(Statistic::P50), p50_ns as f64);
    assert_eq!(baseline(Statistic::P999), p999_ns as f64);
    assert_eq!(baseline(Statistic::Mean), mean_ns as f64);
    assert_eq!(baseline(Statistic::Processor), 0.01);
}

#[test]
fn conditions_that_differ_are_named() {
    let text = include_str!("../../tests/recordings/idle.json");
    let baseline = Recording::from_json(text).unwrap();
    assert!(compare(&baseline, &baseline).differences.is_empty());
    let mut other = baseline.clone();
    other.question.schedule.period = Period::from_hertz(60);
    let sleepers = "sleepers=3".parse().unwrap();
    other.question.conditions.with.push(sleepers);
    for slice in ["default", "100us"] {
        let slice = slice.parse().unwrap();
        other.question.conditions.slices.push(slice);
    }
    other.environment.clock_source = Some("sundial".into());
    other.series.remove(0);
    let compared = compare(&baseline, &other);
    let differences = compared.differences.join("\n");
    for word in [
        "the period changed from 2ms to 60Hz",
        "sleepers=3",
        "the slice changed from that of each method to default and 100us",
        "sundial",
    ] {
        assert!(
            differences.contains(word),
            "{word} is not in: {differences}"
        );
    }
    assert_eq!(compared.unmatched, [baseline.series[0].method.clone()]);
}

#[test]
fn a_method_that_had_no_turn_is_not_compared() {
    let text = include_str!("../../tests/recordings/idle.json");
    let baseline = Recording::from_json(text).unwrap();
    let mut other = baseline.clone();
    other.interrupted = true;
    let last = other.series.last_mut().unwrap();
    *last = SeriesRecord::from(&Series::new(&last.method));
    let without = last.method.clone();
    let compared = compare(&baseline, &other);
    assert_eq!(compared.unmatched, [without]);
    assert_eq!(compared.methods.len(), baseline.series.len() - 1);
    assert!(
        compared
            .differences
            .join("\n")
            .contains("the other was interrupted")
    );
}
