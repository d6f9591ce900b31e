//! Each fault alone: what it does, and what it leaves alone.

use punctual::os::{Os, Spin, Woken};
use punctual::{Error, Instant};
use punctual_sim::faults::{Fault, FaultKind, Faults, Faulty};
use punctual_sim::random::Spread;
use punctual_sim::{NoiseSource, Plain, Setup, SimOs, simulate};
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);
const MILLISECOND: Duration = Duration::from_millis(1);

/// Always, and of this size.
fn always(size: Duration) -> Fault {
    Fault::one_in(1, Spread::exactly(size))
}

fn on<T: Send + 'static>(
    faults: Faults,
    body: impl FnOnce(Faulty<SimOs>) -> T + Send + 'static,
) -> T {
    let run = simulate(Setup::default(), Plain::default(), move |os| {
        body(Faulty::on(os, 1, faults))
    });
    run.unwrap().value
}

/// How long a wait of a millisecond lasts, and what it reports.
fn wait(os: &Faulty<SimOs>) -> (Duration, Woken) {
    let (bell, began) = (os.bell(), os.now());
    let woken = os.wait(Some(began + MILLISECOND), Duration::ZERO, &bell);
    (os.elapsed(began), woken)
}

/// How long a wait lasts whose bell another thread rings after a millisecond, and what it reports.
fn wait_for_ring(os: &Faulty<SimOs>) -> (Duration, Woken) {
    let (bell, began) = (os.bell(), os.now());
    let (theirs, rung) = (os.clone(), bell.clone());
    let body = move || {
        theirs.spin_until(began + MILLISECOND, Spin::Pause);
        theirs.ring(&rung);
    };
    let ringer = os.spawn("ringer", Box::new(body)).unwrap();
    let woken = os.wait(None, Duration::ZERO, &bell);
    let lasted = os.elapsed(began);
    assert!(os.is_rung(&bell), "a bell stays rung");
    ringer.join(os).unwrap();
    (lasted, woken)
}

/// Within the costs of some calls and of a dispatch.
fn about(duration: Duration) -> std::ops::Range<Duration> {
    duration..duration + 10 * MICROSECOND
}

#[test]
fn without_faults_a_machine_is_as_it_was() {
    on(Faults::default(), |os| {
        let (lasted, woken) = wait(&os);
        assert!(about(MILLISECOND).contains(&lasted) && woken == Woken::ByTime);
        let (lasted, woken) = wait_for_ring(&os);
        assert!(about(MILLISECOND).contains(&lasted) && woken == Woken::ByBell);
        assert!(FaultKind::ALL.iter().all(|kind| os.counts().of(*kind) == 0));
        assert_eq!(os.calls().early_ends, 0);
    });
}

#[test]
fn waits_end_early() {
    let faults = Faults {
        early_ends: always(200 * MICROSECOND),
        ..Faults::default()
    };
    on(faults, |os| {
        let (lasted, woken) = wait(&os);
        assert!(about(200 * MICROSECOND).contains(&lasted) && woken == Woken::ByTime);
        assert_eq!(
            (os.calls().early_ends, os.counts().of(FaultKind::EarlyEnd)),
            (1, 1)
        );
        // Not one whose bell has been rung.
        let bell = os.bell();
        os.ring(&bell);
        assert_eq!(os.wait(None, Duration::ZERO, &bell), Woken::ByBell);
        // And not a spin.
        let until = os.now() + MILLISECOND;
        assert!(os.spin_until(until, Spin::Pause) >= until);
    });
}

#[test]
fn timers_and_bells_are_late() {
    let faults = Faults {
        late_timers: always(300 * MICROSECOND),
        late_bells: always(500 * MICROSECOND),
        ..Faults::default()
    };
    on(faults, |os| {
        assert!(about(1_300 * MICROSECOND).contains(&wait(&os).0));
        let (lasted, woken) = wait_for_ring(&os);
        assert!(about(1_500 * MICROSECOND).contains(&lasted) && woken == Woken::ByBell);
    });
}

#[test]
fn a_bell_wakes_twice_or_is_not_reported() {
    let faults = Faults {
        repeated_wakes: always(Duration::ZERO),
        unsaid_bells: always(Duration::ZERO),
        ..Faults::default()
    };
    on(faults, |os| {
        let (lasted, woken) = wait_for_ring(&os);
        assert!(about(MILLISECOND).contains(&lasted) && woken == Woken::ByTime);
        let (lasted, woken) = wait(&os);
        assert!(
            lasted < 10 * MICROSECOND && woken == Woken::ByTime,
            "{lasted:?}"
        );
        assert!(
            about(MILLISECOND).contains(&wait(&os).0),
            "but not three times"
        );
    });
}

#[test]
fn calls_are_slow_and_threads_are_refused() {
    let faults = Faults {
        slow_calls: always(50 * MICROSECOND),
        refused_threads: always(Duration::ZERO),
        ..Faults::default()
    };
    on(faults, |os| {
        let began = os.now();
        os.ring(&os.bell());
        assert!(os.now() - began >= 100 * MICROSECOND);
        let refused: Result<_, Error> = os.spawn("refused", Box::new(|| ()));
        assert!(refused.is_err_and(|error| error.to_string().contains("refused")));
    });
}

#[test]
fn a_clock_is_coarse_stalls_and_jumps() {
    let source = |interval, length| {
        Some(NoiseSource {
            mean_interval: interval,
            length: Spread::exactly(length),
        })
    };
    let faults = Faults {
        clock_grain: MICROSECOND,
        clock_stalls: source(MILLISECOND, 100 * MICROSECOND),
        clock_jumps: source(10 * MILLISECOND, MILLISECOND),
        ..Faults::default()
    };
    on(faults, |os| {
        let (mut last, mut longest, mut repeated) = (os.now(), Duration::ZERO, 0);
        while last < Instant::ZERO + 100 * MILLISECOND {
            let now = os.now();
            assert!(now >= last && now.as_nanos() % 1_000 == 0);
            longest = longest.max(now - last);
            repeated += u64::from(now == last);
            last = now;
        }
        assert!(longest >= MILLISECOND, "{longest:?}");
        assert!(repeated > 10_000, "{repeated}");
        // Waits keep to this clock.
        for _ in 0..100 {
            let until = os.now() + 700 * MICROSECOND;
            os.wait(Some(until), Duration::ZERO, &os.bell());
            assert!(os.now() >= until);
        }
        for kind in [
            FaultKind::CoarseReading,
            FaultKind::ClockStall,
            FaultKind::ClockJump,
        ] {
            assert!(os.counts().of(kind) > 5, "{kind:?}");
        }
    });
}
