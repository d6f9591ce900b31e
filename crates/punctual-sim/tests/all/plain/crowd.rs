//! Many threads that wait on few processors: never worse than the same program without a spin, and never above one
//! budget for all.

use punctual::margin::Budget;
use punctual::{Instant, LateRate, Os, Sleeper};
use punctual_sim::random::{Random, Spread};
use punctual_sim::{Load, Plain, Setup, SimOs, simulate};
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);
const PERIOD: Duration = Duration::from_millis(10);
/// Before it nothing is counted: margins learn.
const WARM_UP: Duration = Duration::from_secs(1);
const LENGTH: Duration = Duration::from_secs(3);

/// When the threads wake.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Beat {
    InStep,
    Staggered,
    AtRandom,
}

#[derive(Debug, Clone, Copy)]
struct Crowd {
    threads: u32,
    beat: Beat,
    loads: usize,
}

/// How the sleepers of a crowd spin.
type Policy = fn(Sleeper<SimOs>) -> Sleeper<SimOs>;

/// What came of it, after the warm-up.
#[derive(Debug, Default)]
struct Outcome {
    /// Nanoseconds, in order.
    lateness: Vec<u64>,
    processor: Duration,
    spun: Duration,
}

impl Outcome {
    fn percentile(&self, percent: usize) -> u64 {
        self.lateness[(self.lateness.len() - 1) * percent / 100]
    }

    /// Of those that were later than this many nanoseconds.
    fn late_share(&self, than: u64) -> f64 {
        let in_time = self.lateness.partition_point(|&lateness| lateness <= than);
        1.0 - in_time as f64 / self.lateness.len() as f64
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (p50, p99, waits) = (
            self.percentile(50),
            self.percentile(99),
            self.lateness.len(),
        );
        let (late, very_late) = (self.late_share(1_000), self.late_share(1_000_000));
        let Self {
            processor, spun, ..
        } = self;
        write!(
            f,
            "p50 {p50} p99 {p99}, {late:.3} and {very_late:.3} of {waits} late, {processor:?}, spun {spun:?}"
        )
    }
}

fn outcome(crowd: Crowd, policy: Policy) -> Outcome {
    let setup = Setup {
        processors: 2,
        loads: vec![Load::default(); crowd.loads],
        ..Setup::default()
    };
    let plain = Plain {
        wake_latency: Spread::new(20 * MICROSECOND, 10 * MICROSECOND, 200 * MICROSECOND),
        ..Plain::default()
    };
    let run = simulate(setup, plain, move |os| {
        let shared = Arc::new(Mutex::new(Outcome::default()));
        let threads: Vec<_> = (0..crowd.threads)
            .map(|number| {
                let shared = Arc::clone(&shared);
                let body = move || {
                    let outcome = wait(os, crowd, number, policy(Sleeper::on(os)));
                    let mut all = shared.lock().unwrap();
                    all.lateness.extend(outcome.lateness);
                    all.processor += outcome.processor;
                    all.spun += outcome.spun;
                };
                os.spawn("waits", Box::new(body)).unwrap()
            })
            .collect();
        threads
            .into_iter()
            .for_each(|thread| thread.join(&os).unwrap());
        std::mem::take(&mut *shared.lock().unwrap())
    });
    let mut outcome = run.unwrap().value;
    outcome.lateness.sort_unstable();
    outcome
}

fn wait(os: SimOs, crowd: Crowd, number: u32, mut sleeper: Sleeper<SimOs>) -> Outcome {
    let mut random = Random::stream(7, u64::from(number));
    let (begin, end) = (Instant::ZERO + WARM_UP, Instant::ZERO + LENGTH);
    let mut outcome = Outcome::default();
    let mut before = None;
    let mut deadline = Instant::ZERO;
    if crowd.beat == Beat::Staggered {
        deadline += PERIOD * number / crowd.threads;
    }
    loop {
        let now = os.now();
        if now >= end {
            break;
        }
        deadline = match crowd.beat {
            Beat::AtRandom => {
                let twice = u64::try_from(2 * PERIOD.as_nanos()).unwrap();
                now + Duration::from_nanos(random.between(0, twice))
            }
            _ => deadline + PERIOD,
        };
        let wake = sleeper.sleep_until(deadline);
        assert!(wake.woke >= deadline);
        if wake.woke >= begin {
            before.get_or_insert(os.processor_time());
            let lateness = u64::try_from(wake.lateness().as_nanos()).unwrap();
            outcome.lateness.push(lateness);
            outcome.spun += wake.spun;
        }
    }
    outcome.processor = os.processor_time() - before.unwrap_or_default();
    outcome
}

fn crowds() -> impl Iterator<Item = Crowd> {
    let beats = [Beat::InStep, Beat::Staggered, Beat::AtRandom];
    beats.into_iter().flat_map(|beat| {
        [1, 2, 3, 10, 40, 200].into_iter().flat_map(move |threads| {
            [0, 2].map(|loads| Crowd {
                threads,
                beat,
                loads,
            })
        })
    })
}

/// What one budget allows all threads together to spin after the warm-up, with what it keeps of the time before.
fn allowed() -> Duration {
    let budget = Budget::default();
    (LENGTH - WARM_UP).mul_f64(budget.share()) + 2 * budget.burst()
}

/// A difference of so much is none: the machine's chance takes another course when anything is different.
fn not_above(ours: u64, coarse: u64) -> bool {
    ours <= coarse + coarse / 20 + 1_000
}

#[test]
fn a_crowd_spins_one_budget_at_most_and_is_never_worse_than_without_a_spin() {
    for crowd in crowds() {
        let coarse = outcome(crowd, Sleeper::coarse);
        let ours = outcome(crowd, |sleeper| sleeper);
        let both = format!("{crowd:?}\n  coarse: {coarse}\n  ours:   {ours}");
        assert!(ours.spun <= allowed(), "{both}");
        // What learning and pausing cost is no spin.
        let processor = coarse.processor.mul_f64(1.1) + allowed();
        assert!(ours.processor <= processor, "{both}");
        for percent in [50, 99] {
            let pair = (ours.percentile(percent), coarse.percentile(percent));
            assert!(not_above(pair.0, pair.1), "{both}");
        }
        for late in [1_000, 1_000_000] {
            assert!(
                ours.late_share(late) <= 1.05 * coarse.late_share(late),
                "{both}"
            );
        }
    }
}

#[test]
fn sleepers_with_budgets_of_their_own_are_not_limited_together() {
    let crowd = Crowd {
        threads: 200,
        beat: Beat::Staggered,
        loads: 0,
    };
    let own = outcome(crowd, |sleeper| {
        sleeper.aiming_at(LateRate::default(), Budget::default())
    });
    assert!(own.spun > 5 * allowed(), "{own}");
}

#[test]
fn a_process_has_the_budget_that_it_sets() {
    let crowd = Crowd {
        threads: 10,
        beat: Beat::InStep,
        loads: 0,
    };
    let none = outcome(crowd, |sleeper| {
        sleeper.os().process_budget().set(Budget::new(0.0).unwrap());
        sleeper
    });
    assert!(none.spun.is_zero(), "{none}");
    let double = outcome(crowd, |sleeper| {
        sleeper.os().process_budget().set(Budget::new(0.1).unwrap());
        sleeper
    });
    assert!(double.spun <= 2 * allowed(), "{double}");
    assert!(double.lateness.len() == none.lateness.len(), "{double}");
}
