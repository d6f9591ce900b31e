//! The driver on simulated machines: precise, in company, with several threads, and to the end.

use proptest::prelude::*;
use punctual::Window;
use punctual::driver::{Cancellation, Counters, DriverThread, Firing};
use punctual::guard::PriorityGuard;
use punctual::{
    Driver, Instant, MissedTicks, Os, Period, Priority, Schedule, Sleeper, Tick, Timers, block_on,
};
use punctual_sim::random::{Random, Spread};
use punctual_sim::{Load, Plain, Run, Setup, SimOs, simulate};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);
const MILLISECOND: Duration = Duration::from_millis(1);

fn run<T: Send + 'static>(
    setup: Setup,
    wake_latency: Spread,
    body: impl FnOnce(SimOs) -> T + Send + 'static,
) -> Run<T> {
    let plain = Plain {
        wake_latency,
        ..Plain::default()
    };
    simulate(setup, plain, body).unwrap()
}

/// A system that wakes threads some 50 µs late, now and then a millisecond.
fn sloppy() -> Spread {
    Spread::new(20 * MICROSECOND, 30 * MICROSECOND, MILLISECOND)
}

fn start(os: SimOs) -> DriverThread<SimOs> {
    Driver::on(os).start().unwrap()
}

/// What callbacks wrote down.
type Notes<T> = Arc<Mutex<Vec<T>>>;

fn note<T>(notes: &Notes<T>) -> impl FnMut(T) + Send + 'static
where
    T: Send + 'static,
{
    let notes = Arc::clone(notes);
    move |value| notes.lock().unwrap().push(value)
}

#[test]
fn a_learned_margin_makes_callbacks_precise() {
    let ticks = run(Setup::default(), sloppy(), |os| {
        let driver = start(os);
        let ticks = Notes::default();
        let period = Period::from_hertz(200);
        driver.handle().every(period, note(&ticks)).unwrap();
        Sleeper::on(os).sleep(Duration::from_millis(9_999));
        driver.shut_down().unwrap();
        Arc::try_unwrap(ticks).unwrap().into_inner().unwrap()
    });
    let ticks: Vec<Tick> = ticks.value;
    assert_eq!(ticks.len(), 2_000);
    let late = ticks.iter().filter(|tick| tick.lateness() > MICROSECOND);
    // The default late rate is 1 %.
    assert!(late.count() < 60);
    assert!(ticks.iter().all(|tick| tick.woke >= tick.deadline));
}

#[test]
fn a_million_periods_do_not_drift() {
    let last = run(Setup::default(), sloppy(), |os| {
        let driver = Driver::on(os);
        let timers = driver.handle();
        let period = Period::from_hertz_fraction(30_000, 1_001);
        let begin = os.now();
        let schedule = Schedule::new(begin, period).with_missed_ticks(MissedTicks::Burst);
        let last = Arc::new(Mutex::new(None));
        let (stop, theirs) = (timers.clone(), Arc::clone(&last));
        let callback = move |tick: Tick| {
            *theirs.lock().unwrap() = Some(tick.deadline.duration_since(begin));
            if tick.index == 1_000_000 {
                stop.shut_down();
            }
        };
        timers.repeat(schedule, callback).unwrap();
        driver.run(&mut Sleeper::on(os));
        *last.lock().unwrap()
    });
    // A million times 1001/30000 s.
    assert_eq!(last.value, Some(Duration::from_nanos(33_366_666_666_666)));
}

/// A driver with a few repeating callbacks among busy programs, and what became of it.
fn among_loads(raised: bool) -> Counters {
    let setup = Setup {
        processors: 1,
        loads: vec![Load::default(); 2],
        ..Setup::default()
    };
    let counters = run(setup, Spread::default(), move |os| {
        let driver = Driver::on(os);
        let timers = driver.handle();
        for milliseconds in [3, 5, 7] {
            let period = Period::try_from(milliseconds * MILLISECOND).unwrap();
            timers.every(period, |_| ()).unwrap();
        }
        let stop = timers.clone();
        let second = os.now() + Duration::from_secs(1);
        timers.once(second, move |_| stop.shut_down()).unwrap();
        let _guard = raised.then(|| PriorityGuard::raise(&os, Priority::High).unwrap());
        driver.run(&mut Sleeper::on(os));
        timers.counters()
    });
    counters.value
}

#[test]
fn load_makes_it_late_and_a_raised_priority_helps() {
    let (ordinary, raised) = (among_loads(false), among_loads(true));
    assert!(ordinary.worst_excess > 10 * MILLISECOND, "{ordinary:?}");
    assert!(
        ordinary.missed > 0 && ordinary.overruns == 0,
        "{ordinary:?}"
    );
    assert!(raised.worst_excess < 10 * MICROSECOND, "{raised:?}");
    assert_eq!(raised.missed, 0);
    let ticks = 1_000 / 3 + 1_000 / 5 + 1_000 / 7 + 3;
    assert_eq!(raised.fired, ticks + 1);
}

/// Periods that have little in common, in microseconds.
const PERIODS: [u64; 5] = [10_000, 11_300, 12_700, 13_100, 14_900];

/// The least number of wake-ups in ten seconds that all ticks come within their windows with.
fn least_wakeups(begin: Instant, end: Instant, tolerance: Duration) -> u64 {
    let window = |task: usize, index| {
        let deadline = begin + Duration::from_micros(PERIODS[task] * index);
        Window::tolerating(deadline, tolerance)
    };
    let mut timers = Timers::new();
    for task in 0..PERIODS.len() {
        timers.insert(window(task, 1), (task, 1));
    }
    let mut wakeups = 0;
    while let Some(now) = timers.next_wakeup().filter(|now| *now < end) {
        wakeups += 1;
        while let Some(fired) = timers.pop_due(now) {
            let (task, index) = fired.value;
            timers.insert(window(task, index + 1), (task, index + 1));
        }
    }
    wakeups
}

#[test]
fn wake_ups_are_as_few_as_the_windows_allow() {
    for millis in [1, 2, 5, 8] {
        let tolerance = millis * MILLISECOND;
        let run = run(Setup::default(), Spread::default(), move |os| {
            let driver = Driver::on(os);
            let timers = driver.handle();
            let begin = os.now();
            for micros in PERIODS {
                let period = Period::try_from(Duration::from_micros(micros)).unwrap();
                let schedule = Schedule::new(begin, period);
                timers
                    .tolerating(tolerance)
                    .repeat(schedule, |_| ())
                    .unwrap();
            }
            let (stop, end) = (timers.clone(), begin + Duration::from_secs(10));
            timers.once(end, move |_| stop.shut_down()).unwrap();
            driver.run(&mut Sleeper::on(os).coarse());
            let counters = timers.counters();
            assert_eq!(counters.missed, 0);
            (counters.wakeups, least_wakeups(begin, end, tolerance))
        });
        let (wakeups, least) = run.value;
        // One more for the end.
        assert!(
            wakeups <= least + 1,
            "{wakeups} of {least} for {tolerance:?}"
        );
    }
}

#[test]
fn an_earlier_timer_from_another_thread_ends_the_sleep() {
    let lateness = run(Setup::default(), Spread::default(), |os| {
        let driver = start(os);
        let timers = driver.handle();
        let hour = os.now() + Duration::from_secs(3_600);
        timers.once(hour, |_| ()).unwrap();
        let firings = Notes::default();
        let mut sleeper = Sleeper::on(os);
        for _ in 0..10 {
            sleeper.sleep(10 * MILLISECOND);
            timers
                .once(os.now() + 100 * MICROSECOND, note(&firings))
                .unwrap();
        }
        sleeper.sleep(10 * MILLISECOND);
        driver.shut_down().unwrap();
        let firings: Vec<Firing> = firings.lock().unwrap().clone();
        firings.iter().map(Firing::lateness).collect::<Vec<_>>()
    });
    assert_eq!(lateness.value.len(), 10);
    let worst = lateness.value.into_iter().max().unwrap();
    assert!(worst < 5 * MICROSECOND, "{worst:?}");
}

#[test]
fn a_long_callback_keeps_no_other_thread_waiting() {
    let took = run(Setup::default(), Spread::default(), |os| {
        let driver = start(os);
        let timers = driver.handle();
        let busy = timers.once(os.now(), move |_| os.compute(Duration::from_secs(1)));
        Sleeper::on(os).sleep(10 * MILLISECOND);
        let began = os.now();
        assert_eq!(busy.unwrap().cancel(), Cancellation::UnderWay);
        let other = timers
            .once(os.now(), |_| panic!("it was cancelled"))
            .unwrap();
        assert!(other.reschedule(os.now()));
        assert_eq!(other.cancel(), Cancellation::Prevented);
        let took = os.now().duration_since(began);
        driver.shut_down().unwrap();
        // Shutting down waits for the callback that is under way.
        assert!(os.now() >= Instant::ZERO + Duration::from_secs(1));
        assert_eq!(timers.counters().panics, 0);
        took
    });
    assert!(took.value < 2 * MICROSECOND, "{:?}", took.value);
}

#[test]
fn shutting_down_leaves_no_thread_and_no_callback_behind() {
    let run = run(Setup::default(), sloppy(), |os| {
        let held = Arc::new(());
        let driver = start(os);
        let timers = driver.handle();
        for hours in 1..100 {
            let theirs = Arc::clone(&held);
            let then = os.now() + Duration::from_secs(hours * 3_600);
            timers.once(then, move |_| drop(theirs)).unwrap();
        }
        drop(driver);
        assert_eq!(Arc::strong_count(&held), 1);
        assert_eq!(timers.counters().fired, 0);
    });
    assert!(run.ended_at < Instant::ZERO + MILLISECOND);
}

#[test]
fn a_driver_dropped_by_its_own_callback_shuts_down() {
    let run = run(Setup::default(), sloppy(), |os| {
        let driver = start(os);
        let timers = driver.handle();
        let held = Arc::new(());
        let theirs = Arc::clone(&held);
        let hour = Duration::from_secs(3_600);
        timers.after(hour, move |_| drop(theirs)).unwrap();
        timers.after(MILLISECOND, move |_| drop(driver)).unwrap();
        Sleeper::on(os).sleep(10 * MILLISECOND);
        assert!(timers.is_shut_down() && timers.soon(|_| ()).is_err());
        assert_eq!((Arc::strong_count(&held), timers.len()), (1, 0));
    });
    assert!(run.ended_at < Instant::ZERO + 20 * MILLISECOND);
}

#[test]
fn a_callback_that_would_wait_for_its_own_driver_panics_instead() {
    let counters = run(Setup::default(), sloppy(), |os| {
        let driver = start(os);
        let timers = driver.handle();
        let own = timers.clone();
        let callback = move |_| block_on(&os, own.sleep(MILLISECOND)).map_or((), drop);
        timers.soon(callback).unwrap();
        // Another thread may wait meanwhile.
        block_on(&os, timers.sleep(5 * MILLISECOND)).unwrap();
        driver.shut_down().unwrap();
        timers.counters()
    });
    assert_eq!(counters.value.panics, 1);
}

#[test]
fn futures_run_in_simulation() {
    let ticks = run(Setup::default(), sloppy(), |os| {
        let driver = start(os);
        let timers = driver.handle();
        let tasks: Vec<_> = (1..=5)
            .map(|task| {
                let timers = timers.clone();
                let body = move || {
                    let mut ticks = timers.ticker(Period::from_hertz(10 * task));
                    block_on(&os, async {
                        timers.sleep(Duration::from_millis(task)).await.unwrap();
                        while let Some(tick) = ticks.next().await {
                            assert!(tick.woke >= tick.deadline);
                        }
                    });
                };
                os.spawn("task", Box::new(body)).unwrap()
            })
            .collect();
        Sleeper::on(os).sleep(Duration::from_secs(1));
        driver.shut_down().unwrap();
        // Their tickers end with the driver, and so do they.
        tasks.into_iter().for_each(|task| task.join(&os).unwrap());
        timers.counters().fired
    });
    // 10 + 20 + 30 + 40 + 50 a second, and five sleeps; first ticks need no timer.
    assert!((150..=155).contains(&ticks.value), "{}", ticks.value);
}

/// What several threads do to one driver, as its seed says, and what comes of it.
fn crowd(seed: u64, processors: usize, latency: u64) -> (Vec<(u64, Instant)>, Instant) {
    let nanos = Duration::from_nanos;
    let setup = Setup {
        seed,
        processors,
        loads: vec![Load::default(); processors - 1],
        ..Setup::default()
    };
    let latency = Spread::new(nanos(latency), nanos(latency), nanos(10 * latency));
    let run = run(setup, latency, move |os| {
        let driver = start(os);
        let timers = driver.handle();
        let calls = Notes::default();
        let threads: Vec<_> = (0..4)
            .map(|thread| {
                let (timers, calls) = (timers.clone(), Arc::clone(&calls));
                let body = move || {
                    let mut random = Random::stream(seed, thread);
                    let mut sleeper = Sleeper::on(os);
                    let mut prevented = 0;
                    for number in 0..50 {
                        let mut note = note(&calls);
                        let name = thread * 50 + number;
                        let deadline = os.now() + nanos(random.between(0, 5_000_000));
                        let window =
                            Window::tolerating(deadline, nanos(random.between(0, 500_000)));
                        let callback = move |firing: Firing| {
                            assert!(firing.woke >= firing.window.earliest());
                            os.compute(nanos(10_000));
                            note((name, firing.woke));
                        };
                        let timer = timers.once(window, callback).unwrap();
                        sleeper.sleep(nanos(random.between(0, 1_000_000)));
                        match random.between(0, 3) {
                            0 => prevented += u64::from(timer.cancel() == Cancellation::Prevented),
                            1 => drop(timer.reschedule(os.now() + nanos(700_000))),
                            _ => {}
                        }
                    }
                    sleeper.sleep(Duration::from_secs(1));
                    prevented
                };
                let (count, counted) = (Arc::new(Mutex::new(0)), body);
                let theirs = Arc::clone(&count);
                let body = move || *theirs.lock().unwrap() = counted();
                (count, os.spawn("inserter", Box::new(body)).unwrap())
            })
            .collect();
        let mut prevented = 0;
        for (count, thread) in threads {
            thread.join(&os).unwrap();
            prevented += *count.lock().unwrap();
        }
        assert!(timers.is_empty());
        driver.shut_down().unwrap();
        let counters = timers.counters();
        assert_eq!((counters.fired, counters.panics), (200 - prevented, 0));
        calls.lock().unwrap().clone()
    });
    (run.value, run.ended_at)
}

#[test]
fn the_same_seed_is_the_same_run() {
    assert_eq!(crowd(7, 2, 20_000), crowd(7, 2, 20_000));
    assert_ne!(crowd(7, 2, 20_000), crowd(8, 2, 20_000));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Each callback is called once or was prevented, never early, on machines of all kinds.
    #[test]
    fn nothing_is_lost_and_nothing_is_early(
        seed: u64,
        processors in 1_usize..4,
        latency in 0_u64..300_000,
    ) {
        let (mut calls, _) = crowd(seed, processors, latency);
        calls.sort_unstable();
        prop_assert!(calls.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
