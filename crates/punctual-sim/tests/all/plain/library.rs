//! The library on simulated machines: what it promises, it keeps in company too.

mod notify;

use proptest::prelude::*;
use punctual::guard::{PriorityGuard, SliceGuard};
use punctual::os::{Scheduling, Slice, VirtualOs};
use punctual::{Cancel, Ended, Instant, Os, Period, Priority, Sleeper, Ticker};
use punctual_sim::random::Spread;
use punctual_sim::{Load, Plain, Setup, SimOs, simulate};
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);
const MILLISECOND: Duration = Duration::from_millis(1);

fn run<T: Send + 'static>(
    setup: Setup,
    wake_latency: Spread,
    body: impl FnOnce(SimOs) -> T + Send + 'static,
) -> T {
    let plain = Plain {
        wake_latency,
        ..Plain::default()
    };
    simulate(setup, plain, body).unwrap().value
}

/// A system that wakes threads some 50 µs late, now and then a millisecond.
fn sloppy() -> Spread {
    Spread::new(20 * MICROSECOND, 30 * MICROSECOND, MILLISECOND)
}

#[test]
fn a_ticker_keeps_its_average_period_exactly() {
    let (ticks, last) = run(Setup::default(), sloppy(), |os| {
        let period = Period::from_hertz_fraction(30_000, 1_001);
        let mut ticker = Ticker::with_sleeper(Sleeper::on(os), period).starting_at(Instant::ZERO);
        let ticks = 30_001;
        let last = ticker.by_ref().take(ticks).last().unwrap();
        (last.index, last)
    });
    assert_eq!(ticks, 30_000);
    assert_eq!(last.deadline.as_nanos(), 1_001_000_000_000);
    assert!(last.lateness() < MILLISECOND);
}

#[test]
fn a_learned_margin_hides_the_systems_latency() {
    let late = run(Setup::default(), sloppy(), |os| {
        let mut sleeper = Sleeper::on(os);
        let late = (0..2_000).filter(|_| {
            let wake = sleeper.sleep(5 * MILLISECOND);
            assert!(wake.woke >= wake.deadline);
            wake.lateness() > MICROSECOND
        });
        late.count()
    });
    // The default late rate is 1 %.
    assert!(late < 60, "{late} of 2000 late");
}

#[test]
fn a_competing_load_makes_waits_late_and_a_raised_priority_helps() {
    let lateness = |raised: bool| {
        let setup = Setup {
            processors: 1,
            loads: vec![Load::default(); 2],
            ..Setup::default()
        };
        run(setup, Spread::default(), move |os| {
            let _guard = raised.then(|| PriorityGuard::raise(&os, Priority::High).unwrap());
            let mut sleeper = Sleeper::on(os);
            let wakes = (0..100).map(|_| sleeper.sleep(3 * MILLISECOND).lateness());
            wakes.max().unwrap()
        })
    };
    let (ordinary, raised) = (lateness(false), lateness(true));
    assert!(
        ordinary > 10 * MILLISECOND,
        "it queues behind two quanta: {ordinary:?}"
    );
    assert!(raised < 10 * MICROSECOND, "{raised:?}");
}

#[test]
fn a_ticker_is_cancelled_from_another_thread() {
    let (ended, ticks) = run(Setup::default(), sloppy(), |os| {
        let cancel = Cancel::on(os);
        let stop = cancel.clone();
        let body = move || {
            Sleeper::on(os).sleep(100 * MILLISECOND + 500 * MICROSECOND);
            stop.cancel();
        };
        let stopper = os.spawn("stopper", Box::new(body)).unwrap();
        let period = Period::from_hertz(1_000);
        let mut ticker = Ticker::with_sleeper(Sleeper::on(os), period).cancelled_by(cancel);
        let ticks = ticker.by_ref().count();
        stopper.join(&os).unwrap();
        (ticker.tick(), ticks)
    });
    assert_eq!(ended, Err(Ended::Cancelled));
    assert!((100..=102).contains(&ticks), "{ticks}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Threads, loads and latencies of all sizes on few processors.
    #[test]
    fn nothing_is_ever_early(
        seed: u64,
        processors in 1_usize..4,
        threads in 1_u64..8,
        loads in 0_usize..3,
        latency in 0_u64..300_000,
        waits in prop::collection::vec(0_u64..20_000_000, 1..20),
    ) {
        let loads = vec![Load::default(); loads];
        let setup = Setup { seed, processors, loads, ..Setup::default() };
        let nanos = Duration::from_nanos;
        let spread = Spread::new(nanos(latency), nanos(latency), nanos(10 * latency));
        run(setup, spread, move |os| {
            let threads: Vec<_> = (0..threads)
                .map(|_| {
                    let waits = waits.clone();
                    let body = move || {
                        let mut sleeper = Sleeper::on(os);
                        for wait in waits {
                            let began = os.now();
                            let wake = sleeper.sleep(nanos(wait));
                            assert!(wake.deadline >= began + nanos(wait));
                            assert!(wake.woke >= wake.deadline);
                            assert!(os.now() >= wake.woke);
                        }
                    };
                    os.spawn("sleeper", Box::new(body)).unwrap()
                })
                .collect();
            threads.into_iter().for_each(|thread| thread.join(&os).unwrap());
        });
    }
}

fn has_no_slices<O: Scheduling>(os: &O) {
    let said = [
        SliceGuard::set(os, Slice::SHORTEST).unwrap_err(),
        os.slice().unwrap_err(),
    ];
    for error in said {
        assert!(error.is_unsupported(), "{error}");
        assert!(error.to_string().contains("slice of its own"), "{error}");
    }
}

#[test]
fn no_thread_of_a_simulated_machine_has_a_slice_of_its_own() {
    run(Setup::default(), sloppy(), |os| has_no_slices(&os));
    has_no_slices(&VirtualOs::new());
}
