//! What a suspension of the machine does to a sleeper, a ticker and a driver, for each kind of clock
//! there is. The document `docs/suspend.md` shows these numbers.

use punctual::driver::Counters;
use punctual::os::suspend::Suspension::{self, Counted, CountedByClockOnly, Uncounted};
use punctual::os::{VirtualOs, Woken};
use punctual::{Driver, Instant, MissedTicks, Os, Period, Schedule, Sleeper, Tick, Ticker, Wake};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const MILLISECOND: Duration = Duration::from_millis(1);
const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

/// How late the system ends its waits.
const LATENCY: Duration = Duration::from_micros(20);

fn machine() -> VirtualOs {
    VirtualOs::waking(|until| until + LATENCY)
}

/// A tick: its number, its deadline and when it came, both in milliseconds, and how many were missed.
type Row = (u64, u64, u64, u64);

/// A sleeper that knows the machine.
fn taught(os: &VirtualOs) -> Sleeper<VirtualOs> {
    let mut sleeper = Sleeper::on(os.clone());
    for _ in 0..1_000 {
        sleeper.sleep(MILLISECOND);
    }
    sleeper
}

/// Sleeps, and suspends the machine for an hour in the middle of that.
fn sleep_through(
    sleeper: &mut Sleeper<VirtualOs>,
    sleep: Duration,
    suspension: Suspension,
) -> Wake {
    let os = sleeper.os().clone();
    os.suspend_at(os.now() + sleep / 2, HOUR, suspension);
    let wake = sleeper.sleep(sleep);
    assert_eq!(os.suspended(), HOUR);
    wake
}

fn lateness_of_a_minute(suspension: Suspension) -> Duration {
    sleep_through(&mut taught(&machine()), MINUTE, suspension).lateness()
}

#[test]
fn where_the_clock_stands_still_a_sleep_is_on_time_by_it_and_late_by_any_other() {
    assert_eq!(lateness_of_a_minute(Uncounted), Duration::ZERO);
}

#[test]
fn where_the_clock_goes_on_a_sleep_ends_with_the_suspension_in_which_its_time_came() {
    let lateness = lateness_of_a_minute(Counted);
    assert!(lateness >= HOUR - MINUTE / 2 && lateness <= HOUR - MINUTE / 2 + LATENCY);
    // One whose time did not come in it is on time.
    let os = machine();
    os.suspend_at(os.now() + MINUTE, MINUTE, Counted);
    assert_eq!(taught(&os).sleep(HOUR).lateness(), Duration::ZERO);
}

#[test]
fn where_only_the_clock_goes_on_a_sleep_is_late_by_the_suspension_and_never_early() {
    let lateness = lateness_of_a_minute(CountedByClockOnly);
    assert!(
        lateness > HOUR - LATENCY && lateness <= HOUR,
        "{lateness:?}"
    );
}

#[test]
fn a_bell_that_rings_meanwhile_ends_a_wait_when_the_machine_resumes() {
    for (suspension, woke) in [
        (Uncounted, 40 * SECOND),
        (Counted, 30 * SECOND + HOUR),
        (CountedByClockOnly, 30 * SECOND + HOUR),
    ] {
        let os = machine();
        let bell = os.bell();
        os.suspend_at(Instant::ZERO + 30 * SECOND, HOUR, suspension);
        os.ring_at(&bell, Instant::ZERO + 40 * SECOND);
        let woken = os.wait(Some(Instant::ZERO + MINUTE), Duration::ZERO, &bell);
        assert_eq!((woken, os.now()), (Woken::ByBell, Instant::ZERO + woke));
    }
}

#[test]
fn work_takes_as_long_as_it_takes() {
    for (suspension, counted) in [(Uncounted, 0), (Counted, 1), (CountedByClockOnly, 1)] {
        let os = VirtualOs::new();
        os.suspend_at(Instant::ZERO + SECOND, HOUR, suspension);
        os.advance(3 * SECOND);
        assert_eq!(os.now(), Instant::ZERO + 3 * SECOND + counted * HOUR);
    }
}

#[test]
fn one_suspension_is_one_bad_wait_in_a_thousand_to_the_margin() {
    for suspension in [Uncounted, Counted, CountedByClockOnly] {
        let mut sleeper = taught(&machine());
        let before = sleeper.margin().before(MILLISECOND);
        sleep_through(&mut sleeper, MILLISECOND, suspension);
        for _ in 0..100 {
            assert_eq!(sleeper.sleep(MILLISECOND).lateness(), Duration::ZERO);
            let margin = sleeper.margin().before(MILLISECOND);
            assert!(
                margin < 2 * before,
                "{suspension:?}: {before:?}, then {margin:?}"
            );
        }
    }
}

/// Ten ticks a second on a machine that is suspended from 250 ms to 650 ms, as `(index, deadline in
/// ms, woke in ms, missed)`: those that come in 900 ms.
fn ticks(suspension: Suspension, missed_ticks: MissedTicks) -> Vec<Row> {
    let os = machine();
    os.suspend_at(
        Instant::ZERO + 250 * MILLISECOND,
        400 * MILLISECOND,
        suspension,
    );
    Ticker::with_sleeper(Sleeper::on(os).coarse(), Period::from_hertz(10))
        .with_missed_ticks(missed_ticks)
        .starting_at(Instant::ZERO)
        .map(row)
        .take_while(|&(_, _, woke, _)| woke < 900)
        .collect()
}

fn row(tick: Tick) -> Row {
    let millis = |instant: Instant| instant.as_nanos() / 1_000_000;
    (
        tick.index,
        millis(tick.deadline),
        millis(tick.woke),
        tick.missed,
    )
}

const BEFORE: [Row; 3] = [(0, 0, 0, 0), (1, 100, 100, 0), (2, 200, 200, 0)];

#[track_caller]
fn expect(suspension: Suspension, missed_ticks: MissedTicks, after: impl IntoIterator<Item = Row>) {
    let expected: Vec<_> = BEFORE.into_iter().chain(after).collect();
    assert_eq!(
        ticks(suspension, missed_ticks),
        expected,
        "{suspension:?} {missed_ticks:?}"
    );
}

const POLICIES: [MissedTicks; 4] = [
    MissedTicks::Skip,
    MissedTicks::Burst,
    MissedTicks::BurstOf(2),
    MissedTicks::Delay,
];

#[test]
fn where_the_clock_stands_still_no_tick_is_missed() {
    for policy in POLICIES {
        expect(Uncounted, policy, (3..9).map(|n| (n, 100 * n, 100 * n, 0)));
    }
}

/// The one that was waited for comes when the machine resumes; then the policy has its say.
#[test]
fn where_the_clock_goes_on_each_policy_has_its_say() {
    use MissedTicks::{Burst, BurstOf, Delay, Skip};
    let (first, seven, eight) = ((3, 300, 650, 0), (7, 700, 700, 0), (8, 800, 800, 0));
    expect(Counted, Skip, [first, (6, 600, 650, 2), seven, eight]);
    let burst = (3..7).map(|n| (n, 100 * n, 650, 0));
    expect(Counted, Burst, burst.chain([seven, eight]));
    let bounded = [first, (5, 500, 650, 1), (6, 600, 650, 0), seven, eight];
    expect(Counted, BurstOf(2), bounded);
    let delayed = [first, (4, 400, 650, 2), (5, 750, 750, 0), (6, 850, 850, 0)];
    expect(Counted, Delay, delayed);
}

#[test]
fn where_only_the_clock_goes_on_the_tick_that_was_waited_for_is_late_by_the_suspension() {
    use MissedTicks::{Burst, BurstOf, Delay, Skip};
    let (first, seven, eight) = ((3, 300, 700, 0), (7, 700, 700, 0), (8, 800, 800, 0));
    expect(CountedByClockOnly, Skip, [first, (7, 700, 700, 3), eight]);
    let burst = (3..8).map(|n| (n, 100 * n, 700, 0));
    expect(CountedByClockOnly, Burst, burst.chain([eight]));
    let bounded = [first, (6, 600, 700, 2), seven, eight];
    expect(CountedByClockOnly, BurstOf(2), bounded);
    let delayed = [first, (4, 400, 700, 3), (5, 800, 800, 0)];
    expect(CountedByClockOnly, Delay, delayed);
}

/// The same ticks by a driver, with a timer at 500 ms; and what it counted.
fn driven(suspension: Suspension) -> (Vec<Row>, Counters, Instant) {
    let os = machine();
    os.suspend_at(
        Instant::ZERO + 250 * MILLISECOND,
        400 * MILLISECOND,
        suspension,
    );
    let driver = Driver::on(os.clone());
    let timers = driver.handle();
    let rows = Arc::new(Mutex::new(Vec::new()));
    let fired = Arc::new(Mutex::new(Instant::ZERO));
    let (to, schedule) = (
        Arc::clone(&rows),
        Schedule::new(Instant::ZERO, Period::from_hertz(10)),
    );
    let _ = timers.repeat(schedule, move |tick| {
        to.lock().unwrap().push(row(tick));
    });
    let (to, clock) = (Arc::clone(&fired), os.clone());
    let _ = timers.once(Instant::ZERO + 500 * MILLISECOND, move |_| {
        *to.lock().unwrap() = clock.now();
    });
    let stop = driver.handle();
    let _ = timers.once(Instant::ZERO + 850 * MILLISECOND, move |_| stop.shut_down());
    driver.run(&mut Sleeper::on(os).coarse());
    let (rows, fired) = (rows.lock().unwrap().clone(), *fired.lock().unwrap());
    (rows, timers.counters(), fired)
}

#[test]
fn a_driver_fires_what_came_due_when_the_machine_resumes_and_counts_it() {
    let millis = |instant: Instant| instant.as_nanos() / 1_000_000;
    for (suspension, resumed, missed, worst) in [
        (Uncounted, 500, 0, Duration::ZERO),
        (Counted, 650, 2, 350 * MILLISECOND),
        (CountedByClockOnly, 700, 3, 400 * MILLISECOND),
    ] {
        let (rows, counters, fired) = driven(suspension);
        assert_eq!(rows, ticks(suspension, MissedTicks::Skip), "{suspension:?}");
        assert_eq!(millis(fired), resumed, "{suspension:?}");
        assert_eq!(counters.missed, missed, "{suspension:?}");
        assert!(
            counters.worst_excess >= worst,
            "{suspension:?} {counters:?}"
        );
        assert!(
            counters.worst_excess < worst + MILLISECOND,
            "{suspension:?} {counters:?}"
        );
    }
}
