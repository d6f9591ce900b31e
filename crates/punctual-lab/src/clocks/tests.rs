//! Made-up clocks in virtual time, and the machine's own clocks, of which the tests check only what
//! does not depend on timing.

use super::*;
use crate::Native;
use crate::clocks::look_at;
use punctual::Os;
use punctual::os::VirtualOs;

impl Progress for Vec<Duration> {
    fn reach(&mut self, elapsed: Duration) {
        self.push(elapsed);
    }
}

/// A clock with counts of this many nanoseconds, which is faster by so many millionths.
fn clock(os: &VirtualOs, unit_ns: u64, faster_ppm: u64) -> Reader {
    let os = os.clone();
    let read = move || {
        let now = u128::from(os.now().as_nanos()) * u128::from(1_000_000 + faster_ppm);
        u64::try_from(now / 1_000_000 / u128::from(unit_ns)).unwrap()
    };
    Reader::new(unit_ns as f64, read)
}

fn rate_of(reader: Reader, os: &VirtualOs, duration: Duration) -> Rate {
    let never = Cancel::on(os.clone());
    let mut progress = Vec::new();
    let rates = rates(os, &[((), reader)], duration, &never, &mut progress);
    assert!(progress.len() as u128 >= duration.as_millis() / 200);
    rates[0].unwrap()
}

#[test]
fn a_rate_is_found_to_within_what_it_says_whatever_the_step() {
    let os = VirtualOs::new().with_call_cost(Duration::from_nanos(30));
    for unit_ns in [1, 100, 1_000_000, 15_625_000] {
        for faster_ppm in [0, 20, 300] {
            let reader = clock(&os, unit_ns, faster_ppm);
            let rate = rate_of(reader, &os, Duration::from_secs(100));
            let off = (rate.ppm.unwrap() - faster_ppm as f64).abs();
            assert!(
                off <= rate.uncertainty_ppm,
                "{unit_ns} {faster_ppm} {rate:?}"
            );
            assert!(rate.uncertainty_ppm < 400.0, "{rate:?}");
        }
    }
}

#[test]
fn the_length_of_an_unknown_count_is_measured() {
    let os = VirtualOs::new().with_call_cost(Duration::from_nanos(30));
    let mut reader = clock(&os, 250, 0);
    reader.unit_ns = None;
    let rate = rate_of(reader, &os, Duration::from_secs(10));
    assert_eq!(rate.ppm, None);
    assert!((rate.unit_ns - 250.0).abs() < 0.01, "{rate:?}");
}

#[test]
fn a_step_is_what_the_clock_moves_by_and_no_less_than_a_reading() {
    let os = VirtualOs::new().with_call_cost(Duration::from_nanos(30));
    let steps = |unit_ns| look_at(&os, &clock(&os, unit_ns, 0)).unwrap();
    let coarse = steps(1_000_000);
    assert_eq!((coarse.least, coarse.median, coarse.back), (1, 1, 0));
    let fine = steps(1);
    assert!(fine.least >= 30, "{fine:?}");
    let stopped = Reader::new(1.0, || 7);
    assert!(look_at(&os, &stopped).is_none());
}

#[test]
fn a_clock_that_goes_back_is_seen_to() {
    let os = VirtualOs::new().with_call_cost(Duration::from_nanos(30));
    os.advance(Duration::from_secs(1));
    let ticking = os.clone();
    let reader = Reader::new(1.0, move || {
        let now = ticking.now().as_nanos();
        now - if (now / 100).is_multiple_of(3) {
            200
        } else {
            0
        }
    });
    assert!(look_at(&os, &reader).unwrap().back > 0);
}

#[test]
fn native_clocks_are_readable_and_race_on_every_processor() {
    let os = Native::detect().unwrap();
    let never = Cancel::on(Native::detect().unwrap());
    let duration = Duration::from_millis(50);
    let clocks = Native::clocks();
    let (examined, unavailable) = examine(&os, &clocks, duration, &never, &mut Vec::new()).unwrap();
    assert_eq!(examined.len() + unavailable.len(), clocks.len());
    assert!(examined.iter().all(|clock| clock.cost_ns >= 0.0));
    let monotonic = &examined[0];
    assert!(
        monotonic
            .across
            .as_ref()
            .is_none_or(|across| across.back == 0)
    );
}

#[cfg(feature = "sim")]
#[test]
fn simulated_clocks_err_as_their_machine_says() {
    use crate::simulated::{SimulatedMachine, SimulatedOs};
    let machine: SimulatedMachine = "windows-10-2004,clock-error=20ppm,processors=2"
        .parse()
        .unwrap();
    let run = machine.run(1, |os| {
        let never = Cancel::on(os.clone());
        let hour = Duration::from_secs(3_600);
        examine(&os, &SimulatedOs::clocks(), hour, &never, &mut Vec::new()).unwrap()
    });
    let (examined, unavailable) = run.unwrap().value;
    assert!(unavailable.is_empty());
    for clock in &examined {
        // System time and what is counted from ticks follow the interrupt's crystal.
        let expected = if clock.clock == "QueryPerformanceCounter" {
            0.0
        } else {
            -20.0
        };
        let off = (clock.rate_ppm.unwrap() - expected).abs();
        let known = clock.rate_uncertainty_ppm.unwrap() + 0.01;
        assert!(off <= known, "{clock:?}");
        let across = clock.across.as_ref().unwrap();
        assert_eq!((across.processors, across.back), (2, 0), "{}", clock.clock);
        assert!(across.compared > 0, "{}", clock.clock);
    }
}
