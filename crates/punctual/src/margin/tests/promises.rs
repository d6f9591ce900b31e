//! What holds on any input.

use std::time::Duration;

use proptest::prelude::*;

use super::super::{Budget, LONGEST_MARGIN, LateRate, Margin, Observation};
use super::saturating_nanos;

/// A wait: its length, the idle time before it, the latency of the system if it waits, all in
/// nanoseconds.
type Wait = (u64, u64, u64);

/// Lengths of every class and latencies of every bin, in runs, so that there is something to learn
/// and to unlearn.
fn waits() -> impl Strategy<Value = Vec<Wait>> {
    let nanos = || (0_u32..36, 0_u64..1 << 20).prop_map(|(shift, part)| (part << shift) >> 20);
    let run = (nanos(), nanos(), nanos(), 1_usize..200);
    prop::collection::vec(run, 1..20).prop_map(|runs| {
        runs.into_iter()
            .flat_map(|(length, idle, latency, count)| {
                std::iter::repeat_n((length, idle, latency), count)
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(super::tried())]

    #[test]
    fn the_budget_is_never_exceeded(
        late_rate in 0.0001..=0.25,
        share in prop_oneof![0.0..=1.0, 0.0..=0.05],
        waits in waits(),
        adversary in any::<bool>(),
    ) {
        let budget = Budget::new(share).unwrap();
        let mut margin = Margin::new(LateRate::new(late_rate).unwrap(), budget);
        let (mut spun, mut elapsed) = (0.0, 0.0);
        for (length, idle, latency) in waits {
            let early = saturating_nanos(margin.before(Duration::from_nanos(length))).min(length);
            // The adversary's system is never late, so that every margin is spun in full, and shows another latency.
            let late_by = if adversary { 0 } else { latency.saturating_sub(early) };
            let this_spun = if adversary { early } else { early.saturating_sub(latency) };
            let this_elapsed = idle + length + late_by;
            margin.learn(Observation {
                wait: Duration::from_nanos(length),
                latency: (early < length).then_some(Duration::from_nanos(latency)),
                spun: Duration::from_nanos(this_spun),
                lateness: Duration::from_nanos(late_by),
                elapsed: Duration::from_nanos(this_elapsed),
            });
            spun += this_spun as f64;
            elapsed += this_elapsed as f64;
            let promised = share * elapsed + saturating_nanos(budget.burst()) as f64;
            // The sums themselves are rounded.
            prop_assert!(spun <= promised * (1.0 + 1e-12) + 1.0, "{spun} > {promised}");
        }
    }

    #[test]
    fn extreme_input_neither_panics_nor_gives_an_unbounded_margin(
        waits in prop::collection::vec((extreme(), prop::option::of(extreme()), extreme(), extreme(), extreme()), 1..100),
    ) {
        for mut margin in [Margin::default(), Margin::exact(), Margin::coarse()] {
            for &(wait, latency, spun, lateness, elapsed) in &waits {
                prop_assert!(margin.before(wait) <= LONGEST_MARGIN);
                margin.learn(Observation { wait, latency, spun, lateness, elapsed });
            }
        }
    }

    #[test]
    fn the_same_observations_give_the_same_margins(waits in waits()) {
        let mut twins = [Margin::default(), Margin::default()];
        for (length, idle, latency) in waits {
            let wait = Duration::from_nanos(length);
            for margin in &mut twins {
                let spun = margin.before(wait).saturating_sub(Duration::from_nanos(latency));
                margin.learn(Observation {
                    wait,
                    latency: Some(Duration::from_nanos(latency)),
                    spun,
                    lateness: Duration::ZERO,
                    elapsed: wait + Duration::from_nanos(idle),
                });
            }
            prop_assert_eq!(twins[0].before(wait), twins[1].before(wait));
        }
    }
}

fn extreme() -> impl Strategy<Value = Duration> {
    prop_oneof![
        Just(Duration::ZERO),
        Just(Duration::from_nanos(1)),
        Just(Duration::MAX),
        Just(Duration::from_nanos(u64::MAX)),
        any::<u64>().prop_map(Duration::from_nanos),
        (0_u64..1 << 26).prop_map(Duration::from_nanos),
    ]
}

#[test]
fn a_cancelled_wait_teaches_nothing() {
    let mut margin = Margin::default();
    let wait = Duration::from_millis(1);
    let before = margin.before(wait);
    for _ in 0..1000 {
        margin.learn(Observation {
            wait,
            latency: None,
            spun: Duration::ZERO,
            lateness: Duration::ZERO,
            elapsed: Duration::from_micros(10),
        });
    }
    assert_eq!(margin.before(wait), before);
}

#[test]
fn memory_is_about_what_the_documentation_says() {
    let bytes = super::super::CLASSES * size_of::<super::super::Class>();
    assert!((11_000..13_000).contains(&bytes), "{bytes}");
}
