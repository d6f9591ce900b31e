//! A driver that does not keep up: it rests, and does not spin.

use super::MICROSECOND;
use punctual::driver::{Counters, Firing};
use punctual::os::VirtualOs;
use punctual::{Driver, Os, Sleeper};
use std::time::Duration;

/// Callbacks 10 µs apart, the first of which takes this long and the others a microsecond, with a
/// sleeper that spins whatever it waits for. Returns how often the system was asked to wait.
fn after_a_callback_of(long: Duration) -> (u64, Counters) {
    const CALLBACKS: u32 = 400;
    // A system so slow that a wait of 10 µs is spun from beginning to end.
    let os = VirtualOs::waking(|until| until + 20 * MICROSECOND);
    let driver = Driver::on(os.clone());
    let timers = driver.handle();
    let start = os.now() + 1_000 * MICROSECOND;
    for number in 0..CALLBACKS {
        let clock = os.clone();
        let takes = if number == 0 { long } else { MICROSECOND };
        let callback = move |firing: Firing| {
            assert!(firing.woke >= firing.deadline());
            clock.advance(takes);
        };
        timers
            .once(start + 10 * MICROSECOND * number, callback)
            .unwrap();
    }
    let stop = timers.clone();
    let end = start + 10 * MICROSECOND * CALLBACKS;
    timers.once(end, move |_| stop.shut_down()).unwrap();
    driver.run(&mut Sleeper::on(os.clone()).exact());
    assert_eq!(timers.counters().fired, u64::from(CALLBACKS) + 1);
    (os.system_waits(), timers.counters())
}

#[test]
fn one_that_falls_behind_rests_and_does_not_spin() {
    // A hundred fall due meanwhile.
    let (waits, counters) = after_a_callback_of(1_000 * MICROSECOND);
    assert!((50..300).contains(&waits), "{waits}");
    assert_eq!(counters.panics, 0);
    assert!(counters.worst_excess <= 1_100 * MICROSECOND, "{counters:?}");
}

#[test]
fn one_that_keeps_up_spins_as_ever() {
    let (waits, counters) = after_a_callback_of(35 * MICROSECOND);
    assert!(waits <= 5, "{waits}");
    assert!(counters.panics == 0 && counters.late <= 8, "{counters:?}");
}
