use super::*;

const MILLISECOND: Duration = Duration::from_millis(1);

fn at(micros: u64) -> Instant {
    Instant::from_nanos(micros * 1_000)
}

fn machine(version: &str) -> Machine {
    let version = Version::named(version).unwrap();
    Machine::new(version, MachineParameters::default(), 1)
}

#[test]
fn a_sleep_ends_at_a_tick() {
    let mut machine = machine("windows-7");
    machine.advance(at(20_000));
    let sleep = machine.set(1, Setting::After(MILLISECOND));
    assert_eq!(machine.end_of(sleep), Some(at(31_250)));
    machine.advance(at(40_000));
    assert_eq!(machine.end_of(sleep), Some(at(31_250)), "it has gone off");
}

#[test]
fn a_request_that_begins_shortens_a_wait_that_lasts() {
    let mut machine = machine("windows-7");
    machine.advance(at(20_000));
    let sleep = machine.set(1, Setting::After(Duration::from_millis(20)));
    assert_eq!(machine.end_of(sleep), Some(at(46_875)));
    machine.begin_request(Requester::Process(2), MILLISECOND);
    assert!(machine.take_changed());
    let end = machine.end_of(sleep).unwrap();
    assert!((at(35_625)..at(37_250)).contains(&end), "{end:?}");
}

#[test]
fn anothers_request_does_not_reach_a_wait_since_2004() {
    let mut machine = machine("windows-10-2004");
    machine.begin_request(Requester::Process(2), MILLISECOND);
    machine.advance(at(100_000));
    let theirs = machine.set(2, Setting::After(MILLISECOND));
    let ours = machine.set(1, Setting::After(MILLISECOND));
    let took = |alarm| machine.end_of(alarm).unwrap().duration_since(at(100_000));
    assert!(took(theirs) <= 2 * MILLISECOND);
    assert!(took(ours) > 2 * MILLISECOND, "{:?}", took(ours));
}

#[test]
fn a_high_resolution_timer_ends_between_ticks_and_moves_them() {
    let mut machine = machine("windows-10-2004");
    machine.advance(at(20_000));
    let ordinary = machine.set(1, Setting::After(MILLISECOND));
    assert_eq!(machine.end_of(ordinary), Some(at(31_250)));
    let exact = machine.set(1, Setting::HighResolution(MILLISECOND));
    let end = machine.end_of(exact).unwrap();
    assert!((at(21_000)..at(21_600)).contains(&end), "{end:?}");
    assert!(machine.take_changed());
    let moved = machine.end_of(ordinary).unwrap();
    assert_eq!(moved, at(21_000), "that interrupt is a tick");
    machine.cancel(exact);
    assert_eq!(
        machine.end_of(ordinary),
        Some(at(31_250)),
        "as if it had not been"
    );
}

#[test]
fn a_long_high_resolution_wait_is_looked_up_in_few_steps() {
    let mut machine = machine("windows-10-2004");
    machine.advance(at(20_000));
    let day = machine.set(1, Setting::HighResolution(Duration::from_secs(86_400)));
    let took = machine.end_of(day).unwrap().duration_since(at(20_000));
    assert!(took >= Duration::from_secs(86_400));
    assert!(took < Duration::from_secs(86_400) + MILLISECOND, "{took:?}");
}
