//! On this system, whichever it is. None of it asserts how fast.

use super::*;
use crate::{Cancel, Cancelled, Driver, Period, Sleeper, Ticker, block_on};

fn system() -> System {
    System::detect().unwrap()
}

#[test]
fn all_handles_have_one_clock() {
    let first = system();
    let reading = first.now();
    assert!(system().now() >= reading);
    assert!(first.now() >= reading);
}

#[test]
fn a_sleeper_is_never_early_and_keeps_its_budget() {
    let os = system();
    let began = os.now();
    let mut sleeper = Sleeper::on(os);
    let mut spun = Duration::ZERO;
    for micros in [1, 50, 500, 2_000].repeat(10) {
        let wake = sleeper.sleep(Duration::from_micros(micros));
        assert!(wake.woke >= wake.deadline);
        spun += wake.spun;
    }
    // What is shared with the other tests of this process can only be less.
    let budget = sleeper.margin().budget().unwrap();
    let allowed = os.elapsed(began).mul_f64(budget.share()) + budget.burst();
    // A spin can lose its processor, and ends then at its deadline at the latest.
    assert!(
        spun <= allowed + Duration::from_millis(5),
        "{spun:?} of {allowed:?}"
    );
}

#[test]
fn a_loop_does_not_drift() {
    let os = system();
    let mut ticker = Ticker::with_sleeper(Sleeper::on(os), Period::from_hertz_fraction(30_000, 31));
    let first = ticker.by_ref().next().unwrap();
    for tick in ticker.by_ref().take(20) {
        let exact = u128::from(tick.index - first.index) * 31_000_000_000 / 30_000;
        let since = (tick.deadline - first.deadline).as_nanos();
        assert!(since.abs_diff(exact) <= 1, "{since} and {exact}");
    }
}

#[test]
fn a_bell_ends_a_wait_and_stays_rung() {
    let os = system();
    let cancel = Cancel::on(os);
    let stop = cancel.clone();
    let ringer = os.spawn("ringer", Box::new(move || stop.cancel())).unwrap();
    let mut sleeper = Sleeper::on(os);
    for _ in 0..2 {
        let ended = sleeper.sleep_unless(Duration::from_secs(3_600), &cancel);
        assert_eq!(ended, Err(Cancelled));
    }
    ringer.join(&os).unwrap();

    let bell = os.bell();
    os.ring(&bell);
    assert_eq!(os.wait(None, Duration::ZERO, &bell), Woken::ByBell);
    os.hush(&bell);
    let (now, none) = (os.now(), Duration::ZERO);
    assert_eq!(os.wait(Some(now), none, &bell), Woken::ByTime);
}

#[test]
fn a_driver_serves_futures() {
    let os = system();
    let driver = Driver::on(os).start().unwrap();
    let deadline = os.now() + Duration::from_millis(2);
    let woke = block_on(&os, driver.handle().sleep_until(deadline)).unwrap();
    assert!(woke >= deadline);
}

#[test]
fn what_the_standard_library_lacks_is_refused() {
    let os = system();
    let refused = [
        os.raise_priority(Priority::High).unwrap_err(),
        os.pin(&[0]).unwrap_err(),
        os.set_slice(Duration::from_millis(1)).unwrap_err(),
        os.lock_memory().unwrap_err(),
    ];
    for error in refused {
        assert!(error.is_unsupported(), "{error}");
    }
    assert!(os.pin(&[]).unwrap_err().is_invalid_input());
    assert!(
        os.raise_priority(Priority::Fifo(0))
            .unwrap_err()
            .is_invalid_input()
    );
}

#[test]
fn each_spin_ends_with_a_reading_that_is_not_early() {
    let os = system();
    for spin in [Spin::Pause, Spin::Yield] {
        let until = os.now() + Duration::from_micros(20);
        assert!(os.spin_until(until, spin) >= until);
    }
}
