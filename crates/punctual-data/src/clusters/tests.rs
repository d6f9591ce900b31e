//! Clusters of durations that a model has made.

use super::*;
use fastrand::Rng;
use proptest::prelude::*;

const MILLISECOND: u64 = 1_000_000;

fn near(durations: &[u64]) -> Vec<(u64, u64)> {
    let found = clusters(durations).into_iter();
    found
        .map(|cluster| (cluster.near_ns, cluster.count))
        .collect()
}

/// This many, each later than `at` by a mean of `late`, with a long tail.
fn late(random: &mut Rng, count: usize, at: u64, late: f64) -> Vec<u64> {
    let later = |random: &mut Rng| -(1.0 - random.f64()).ln() * late * 1e-9;
    (0..count)
        .map(|_| at + crate::quantity::whole_nanos(Duration::from_secs_f64(later(random))))
        .collect()
}

#[test]
fn of_nothing_there_is_none_and_one_alone_is_one() {
    assert_eq!(near(&[]), []);
    assert_eq!(near(&[7]), [(7, 1)]);
    assert_eq!(near(&[7, 7, 7, MILLISECOND]), [(7, 3), (MILLISECOND, 1)]);
}

#[test]
fn two_values_of_sleep_on_a_raised_interval_are_two_clusters() {
    let mut random = Rng::with_seed(1);
    let mut durations = late(&mut random, 803, 1_953_125, 3_000.0);
    durations.extend(late(&mut random, 197, 15_625_000, 3_000.0));
    random.shuffle(&mut durations);
    let found = clusters(&durations);
    let counts: Vec<_> = found.iter().map(|cluster| cluster.count).collect();
    assert_eq!(counts, [803, 197]);
    assert!(found[0].near_ns.abs_diff(1_955_000) < 1_000, "{found:?}");
    assert!(found[1].near_ns.abs_diff(15_627_000) < 1_000, "{found:?}");
}

#[test]
fn a_lattice_is_seen_even_if_few_durations_lie_on_a_point() {
    let mut random = Rng::with_seed(2);
    let points = [(1, 5), (2, 3), (3, 6), (4, 5)];
    let lattice = points.map(|(half, count)| (half * MILLISECOND / 2, count));
    let durations: Vec<_> = lattice
        .iter()
        .flat_map(|&(at, count)| late(&mut random, count, at, 2_000.0))
        .collect();
    let counts: Vec<_> = near(&durations).iter().map(|&(_, count)| count).collect();
    assert_eq!(counts, [5, 3, 6, 5]);
}

#[test]
fn durations_spread_evenly_are_one_cluster_even_if_few() {
    for seed in 0..100 {
        let mut random = Rng::with_seed(seed);
        let count = 150 + random.usize(..2_000);
        let spread = |_| MILLISECOND + random.u64(..15 * MILLISECOND);
        let durations: Vec<_> = (0..count).map(spread).collect();
        let found = clusters(&durations);
        assert_eq!(found.len(), 1, "seed {seed}: {count} in {found:?}");
    }
}

#[test]
fn a_value_and_a_spread_beside_it_are_two() {
    let mut random = Rng::with_seed(3);
    let mut durations = vec![MILLISECOND; 700];
    durations.extend((0..300).map(|_| 2 * MILLISECOND + random.u64(..13 * MILLISECOND)));
    let counts: Vec<_> = near(&durations).iter().map(|&(_, count)| count).collect();
    assert_eq!(counts, [700, 300]);
}

proptest! {
    #[test]
    fn each_duration_is_in_one_cluster_and_the_order_does_not_matter(
        mut durations in proptest::collection::vec(0..20 * MILLISECOND, 0..200)
    ) {
        let found = clusters(&durations);
        let total: u64 = found.iter().map(|cluster| cluster.count).sum();
        prop_assert_eq!(total, durations.len() as u64);
        prop_assert!(found.is_sorted_by(|one, next| one.to_ns < next.from_ns));
        for cluster in &found {
            let within = durations
                .iter()
                .filter(|&&ns| (cluster.from_ns..=cluster.to_ns).contains(&ns));
            prop_assert_eq!(within.count() as u64, cluster.count);
            prop_assert!((cluster.from_ns..=cluster.to_ns).contains(&cluster.near_ns));
        }
        durations.reverse();
        prop_assert_eq!(clusters(&durations), found);
    }
}
