//! The histogram against sorted lists.

use proptest::prelude::*;

use super::super::histogram::Histogram;

/// The widest bin is a sixteenth of its latency; below 1 µs bins are 64 ns.
fn tolerance(latency: f64) -> f64 {
    latency / 16.0 + 64.0
}

fn histogram_of(latencies: &[u64]) -> Histogram {
    let mut histogram = Histogram::new();
    for &latency in latencies {
        histogram.add(Histogram::bin_of(latency), 0.0);
    }
    histogram
}

fn latencies() -> impl Strategy<Value = Vec<u64>> {
    let latency = (0_u32..15, 0_u64..1 << 10).prop_map(|(shift, part)| part << shift);
    prop::collection::vec(latency, 1..300)
}

proptest! {
    #[test]
    fn bins_are_in_order(one in any::<u64>(), other in any::<u64>(), shift in 0_u32..64) {
        let (one, other) = (one >> shift, other >> shift);
        prop_assert_eq!(
            Histogram::bin_of(one.min(other)),
            Histogram::bin_of(one).min(Histogram::bin_of(other))
        );
    }

    #[test]
    fn a_rank_is_found_in_its_bin(mut latencies in latencies(), rank in any::<prop::sample::Index>()) {
        let histogram = histogram_of(&latencies);
        latencies.sort_unstable();
        let larger = rank.index(latencies.len());
        let expected = latencies[latencies.len() - 1 - larger] as f64;
        let found = histogram.exceeded_by(larger as f64 + 0.5);
        prop_assert!((found - expected).abs() <= tolerance(expected), "{found}, not {expected}");
    }

    #[test]
    fn what_exceeds_a_margin_is_counted(latencies in latencies(), margin in 0_u64..1 << 25) {
        let found = histogram_of(&latencies).exceeding(margin);
        let longer_than = |bound: f64| latencies.iter().filter(|&&latency| latency as f64 > bound).count() as f64;
        let slack = tolerance(margin as f64);
        let (least, most) = (longer_than(margin as f64 + slack), longer_than(margin as f64 - slack));
        prop_assert!((least - 1e-3..=most + 1e-3).contains(&found), "{found}, not {least} to {most}");
    }

    #[test]
    fn an_affordable_margin_costs_what_may_be_spent(latencies in latencies(), spin in 1.0..1e7) {
        let margin = histogram_of(&latencies).affordable(spin);
        let margin = margin.min(*latencies.iter().max().unwrap() as f64);
        let cost = latencies.iter().map(|&latency| (margin - latency as f64).max(0.0)).sum::<f64>()
            / latencies.len() as f64;
        prop_assert!(cost <= spin + tolerance(margin), "{cost} > {spin}");
    }

    #[test]
    fn fading_keeps_the_shape(latencies in latencies(), count in 0.5..50.0) {
        let histogram = histogram_of(&latencies);
        let faded = histogram.faded_to(count);
        prop_assert!(faded.count() <= count.max(1e-6) * (1.0 + 1e-9) || faded.count() == histogram.count());
        let half = |histogram: &Histogram| histogram.exceeded_by(0.4999 * histogram.count());
        let (before, after) = (half(&histogram), half(&faded));
        prop_assert!((before - after).abs() <= tolerance(before), "{before} became {after}");
    }
}

#[test]
fn weights_are_scaled_back_before_they_overflow() {
    let mut histogram = Histogram::new();
    for _ in 0..100_000 {
        histogram.add(Histogram::bin_of(20_000), 0.01);
    }
    assert!((histogram.count() - 100.0).abs() < 0.01);
    assert!((histogram.exceeded_by(50.0) - 20_000.0).abs() < tolerance(20_000.0));
}
