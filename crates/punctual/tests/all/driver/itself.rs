//! Callbacks that would wait for their own driver.

use super::{Notes, at, driver, run};
use punctual::{Driver, Period, Sleeper, block_on};
use std::time::Duration;

#[test]
fn who_would_wait_for_itself_panics_instead() {
    let (os, driver, timers) = driver();
    let outcomes = Notes::default();
    let mut second = Driver::on(os.clone());
    let (notes, own, clock) = (outcomes.clone(), timers.clone(), os.clone());
    let free = move |_| {
        notes.push("what has come needs no wait");
        block_on(&clock, own.sleep_until(at(0))).unwrap();
        block_on(&clock, own.sleep_until(at(900))).unwrap();
        notes.push("never");
    };
    timers.once(at(100), free).unwrap();
    let (own, clock) = (timers.clone(), os.clone());
    let with_another = move |_| {
        let mut sleeper = Sleeper::on(clock.clone());
        second
            .block_on(&mut sleeper, own.ticker(Period::from_hertz(1_000)).next())
            .unwrap();
        second
            .block_on(
                &mut sleeper,
                own.timeout(Duration::from_secs(1), std::future::pending::<()>()),
            )
            .unwrap_err();
    };
    timers.once(at(200), with_another).unwrap();
    run(&os, driver, at(1_000));
    assert_eq!(outcomes.all(), ["what has come needs no wait"]);
    assert_eq!(timers.counters().panics, 2);
}
