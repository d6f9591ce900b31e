//! Late rate and cost, on recorded latencies, on resampled ones, and on synthetic ones.

use super::streams::{Random, micros};
use super::{Loop, tolerance, unlimited, with_budget};

const MILLISECOND: u64 = 1_000_000;
const RATES: [f64; 4] = [0.10, 0.03, 0.01, 0.003];

struct Trace {
    name: &'static str,
    text: &'static str,
    /// The spin may exceed that of the best fixed margin chosen in hindsight this many times, at
    /// each of the rates.
    ///
    /// The aim is 1.1. Where more is allowed, the latency beyond which so few waits fall rests on
    /// a handful of them. Spin rises there by the second to third power of the rate, so even a
    /// plain percentile of all waits so far, without any of what makes the late rate right,
    /// costs 1.1 at 1 % and 1.3 at 0.3 % on average over resampled traces. `mixedload`
    /// also comes in bursts, which the account of late waits answers with caution.
    cost: [f64; 4],
}

macro_rules! trace {
    ($name:literal, $cost:expr) => {
        Trace {
            name: $name,
            text: include_str!(concat!("../../../tests/traces/", $name, ".txt")),
            cost: $cost,
        }
    };
}

const TRACES: [Trace; 5] = [
    trace!("idle-slack1ns-1ms", [1.1, 1.11, 1.1, 1.35]),
    trace!("idle-slack50us-1ms", [1.1, 1.1, 1.1, 1.1]),
    trace!("cpuload-slack1ns-1ms", [1.1, 1.1, 1.13, 1.2]),
    trace!("mixedload-slack1ns-1ms", [1.85, 1.13, 1.21, 1.1]),
    trace!("regimes-slack1ns-1ms", [1.1, 1.1, 1.12, 1.8]),
];

const SHORT_TRACE: Trace = trace!("idle-slack1ns-16ms", [0.0; 4]);

impl Trace {
    fn latencies(&self) -> Vec<u64> {
        self.text
            .lines()
            .map(|line| line.parse().unwrap())
            .collect()
    }
}

/// Mean spin, in nanoseconds, of the fixed margin that makes so many of these late and no more.
fn hindsight_spin(latencies: &[u64], late: u32) -> f64 {
    let mut sorted = latencies.to_vec();
    sorted.sort_unstable();
    sorted.truncate(latencies.len() - late as usize);
    let margin = *sorted.last().unwrap();
    let spun: u64 = sorted.iter().map(|latency| margin - latency).sum();
    spun as f64 / latencies.len() as f64
}

/// The least share of these that any fixed margin leaves late for this mean spin, in nanoseconds.
fn hindsight_late_share(latencies: &[u64], spin: f64) -> f64 {
    let mut sorted = latencies.to_vec();
    sorted.sort_unstable();
    let mut spun = 0.0;
    let mut punctual = 1;
    for pair in sorted.windows(2) {
        spun += (pair[1] - pair[0]) as f64 * f64::from(punctual);
        if spun > spin * latencies.len() as f64 {
            break;
        }
        punctual += 1;
    }
    1.0 - f64::from(punctual) / latencies.len() as f64
}

#[track_caller]
fn assert_meets(late_rate: f64, run: &Loop, name: &str) {
    let achieved = run.late_share();
    let allowed = tolerance(late_rate, run.waits as usize);
    assert!(
        (achieved - late_rate).abs() <= allowed,
        "{name}: {late_rate} asked for, {achieved} late"
    );
}

#[test]
fn late_rate_is_met_on_every_trace() {
    for trace in TRACES.iter().chain([&SHORT_TRACE]) {
        let period = if trace.name.ends_with("16ms") { 16 } else { 1 } * MILLISECOND;
        for late_rate in RATES {
            let run = Loop::replay(unlimited(late_rate), period, &trace.latencies());
            assert_meets(late_rate, &run, trace.name);
        }
    }
}

#[test]
fn spin_is_close_to_the_best_fixed_margin_in_hindsight() {
    for trace in &TRACES {
        let latencies = trace.latencies();
        for (late_rate, cost) in RATES.into_iter().zip(trace.cost) {
            let run = Loop::replay(unlimited(late_rate), MILLISECOND, &latencies);
            let ratio = run.spin_per_wait() / hindsight_spin(&latencies, run.late);
            assert!(ratio <= cost, "{} at {late_rate}: {ratio}", trace.name);
        }
    }
}

#[test]
fn late_rate_is_met_on_resampled_traces() {
    for trace in &TRACES {
        // Single waits forget what came together; pieces of half a second keep it.
        for (seed, piece) in [(3, 1), (2, 500)] {
            let latencies = Random::of(seed).resample(&trace.latencies(), piece);
            for late_rate in RATES {
                let run = Loop::replay(unlimited(late_rate), MILLISECOND, &latencies);
                assert_meets(late_rate, &run, trace.name);
            }
        }
    }
}

#[test]
fn a_binding_budget_buys_nearly_what_it_could_in_hindsight() {
    for trace in &TRACES {
        let latencies = trace.latencies();
        for late_rate in RATES {
            for budget in [0.05, 0.01] {
                let margin = with_budget(late_rate, budget);
                let run = Loop::replay(margin, MILLISECOND, &latencies);
                // The burst is what a tenth of a second earns.
                let seconds = run.elapsed as f64 / 1e9;
                assert!(run.spinning_share() <= budget * (1.0 + 1.0 / seconds));

                let possible = hindsight_late_share(&latencies, run.spin_per_wait());
                let late = run.late_share();
                let aim = late_rate + tolerance(late_rate, latencies.len());
                // More by the first waits, and by a margin that moves instead of being right from
                // the start.
                assert!(
                    late <= 1.15 * aim.max(possible),
                    "{} at {late_rate}, budget {budget}: {late}, {possible} possible",
                    trace.name
                );
            }
        }
    }
}

#[test]
fn synthetic_latencies_cost_little_more_than_in_hindsight() {
    type Latency = fn(&mut Random, u64) -> u64;
    // With the mean cost that is allowed. Where a twentieth of all waits has another cause and a tenth
    // may be late, it is 1.03 to 1.34 from seed to seed.
    let streams: [(&str, f64, Latency); 6] = [
        ("narrow", 1.1, |random, _| random.around(20.0, 0.1)),
        ("wide", 1.1, |random, _| random.around(50.0, 1.0)),
        ("two causes", 1.25, |random, _| {
            if random.share() < 0.05 {
                random.around(400.0, 0.2)
            } else {
                random.around(20.0, 0.1)
            }
        }),
        ("Pareto tail", 1.1, |random, _| {
            micros(15.0 * random.share().powf(-1.0 / 1.5))
        }),
        ("clock of 1 µs", 1.1, |random, _| {
            random.around(20.0, 0.1) / 1000 * 1000
        }),
        ("spikes, one in 33", 1.1, |random, n| {
            if n % 33 == 20 {
                2 * MILLISECOND
            } else {
                random.around(20.0, 0.1)
            }
        }),
    ];
    const SEEDS: u64 = 8;
    for (name, allowed, latency) in streams {
        for late_rate in [0.10, 0.01] {
            let cost = |seed| {
                let mut random = Random::of(seed);
                let latencies: Vec<u64> = (0..15_000).map(|n| latency(&mut random, n)).collect();
                let run = Loop::replay(unlimited(late_rate), 16 * MILLISECOND, &latencies);
                assert_meets(late_rate, &run, name);
                run.spin_per_wait() / hindsight_spin(&latencies, run.late)
            };
            let mean = (0..SEEDS).map(cost).sum::<f64>() / SEEDS as f64;
            assert!(mean <= allowed, "{name} at {late_rate}: {mean}");
        }
    }
}

#[test]
fn constant_latency_costs_less_than_the_width_of_a_bin() {
    let run = Loop::replay(unlimited(0.01), MILLISECOND, &[20_000; 10_000]);
    assert!(run.late_share() <= 0.01);
    assert!(run.spin_per_wait() < 0.06 * 20_000.0);
}
