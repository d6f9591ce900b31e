//! Where a `Ticker` starts on every Windows: in phase with the timer interrupts where its period is a
//! whole number of their intervals, and where it was asked for everywhere else.

use super::{MILLISECOND, machine};
use punctual::os::windows::WindowsOs;
use punctual::{Cancel, Ended, Os, Period, Sleeper, Tick, Ticker};
use punctual_sim::windows::{SimWin32, WindowsMachine};
use punctual_windows::choices::{DueTime, HighResolution};
use punctual_windows::{MachineParameters, Rules, VERSIONS, Version};
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);

/// In which the first margins are learned.
const WARM_UP: usize = 100;
const TICKS: u32 = 1_000;

type SimOs = WindowsOs<SimWin32>;

/// What a loop that works for 100 µs after each tick came to.
struct Kept {
    /// From asking for the first tick until it came.
    delay: Duration,
    median: Duration,
    p99: Duration,
    /// The share of the time that was neither waited nor worked.
    spun: f64,
}

/// Keeps a loop on a machine that ran for so long before it; none of its ticks may be early or
/// missed, and all are whole periods after the first.
fn kept(
    machine: WindowsMachine,
    (age, period): (Duration, Period),
    ticker: fn(SimOs, Period) -> Ticker<SimOs>,
) -> Kept {
    let work = 100 * MICROSECOND;
    let run = machine.run(move |win32| {
        let os = WindowsOs::on(win32);
        win32.compute(age);
        let began = os.now();
        let mut ticker = ticker(os.clone(), period);
        let first = ticker.tick().unwrap();
        let delay = os.elapsed(began);
        let is_kept = |tick: &Tick| {
            assert!(tick.woke >= tick.deadline && tick.missed == 0, "{tick:?}");
            let deadline = period.deadline(first.deadline, tick.index);
            assert_eq!(Some(tick.deadline), deadline);
            win32.compute(work);
        };
        is_kept(&first);
        assert!(first.deadline >= began);
        ticker
            .by_ref()
            .take(WARM_UP)
            .for_each(|tick| is_kept(&tick));
        let (began, processor) = (os.now(), win32.processor_time());
        let ticks = ticker.take(TICKS as usize).inspect(is_kept);
        let mut lateness: Vec<_> = ticks.map(|tick| tick.lateness()).collect();
        lateness.sort_unstable();
        let spun = (win32.processor_time() - processor).saturating_sub(work * TICKS);
        Kept {
            delay,
            median: lateness[lateness.len() / 2],
            p99: lateness[lateness.len() * 99 / 100],
            spun: spun.as_secs_f64() / os.elapsed(began).as_secs_f64(),
        }
    });
    run.unwrap().value
}

/// From asking for the first tick until it came, on a machine that ran for so long before.
fn first(machine: WindowsMachine, (age, period): (Duration, Period)) -> Duration {
    let run = machine.run(move |win32| {
        let os = WindowsOs::on(win32);
        win32.compute(age);
        let began = os.now();
        default(os.clone(), period).tick().unwrap();
        os.elapsed(began)
    });
    run.unwrap().value
}

/// Anywhere between two interrupts of the default interval.
const AGES: [Duration; 4] = [
    Duration::from_micros(100_100),
    Duration::from_micros(104_400),
    Duration::from_micros(108_700),
    Duration::from_micros(113_900),
];

fn default(os: SimOs, period: Period) -> Ticker<SimOs> {
    Ticker::with_sleeper(Sleeper::on(os), period)
}

fn coarse(os: SimOs, period: Period) -> Ticker<SimOs> {
    Ticker::with_sleeper(Sleeper::on(os).coarse(), period)
}

/// Those whose interval under a request is a millisecond. XP's is 0.9766 ms, with which every such loop
/// beats, wherever it starts.
const TICKING: [&str; 2] = ["windows-7", "windows-8"];

/// From any other start they were late by up to an interval, and a twentieth of the time was spun.
#[test]
fn a_loop_of_whole_intervals_is_woken_just_before_its_deadlines() {
    for version in TICKING {
        for hertz in [1_000, 500, 100] {
            for age in AGES {
                let kept = kept(machine(version), (age, Period::from_hertz(hertz)), default);
                let of = (version, hertz, age);
                assert!(kept.p99 < MICROSECOND, "{of:?}: {:?}", kept.p99);
                assert!(kept.spun < 0.01, "{of:?}: {}", kept.spun);
                assert!(kept.delay < 17 * MILLISECOND, "{of:?}: {:?}", kept.delay);
            }
        }
    }
}

#[test]
fn a_start_of_the_callers_is_not_moved() {
    for version in VERSIONS {
        for age in AGES {
            let run = machine(version.name).run(move |win32| {
                let os = WindowsOs::on(win32);
                win32.compute(age);
                let start = os.now() + 20 * MILLISECOND;
                let mut ticker = default(os, Period::from_hertz(1_000)).starting_at(start);
                let deadlines = ticker.by_ref().take(3).map(|tick| tick.deadline);
                let expected = [0, 1, 2].map(|index| start + index * MILLISECOND);
                assert!(deadlines.eq(expected), "{}", version.name);
                ticker.restart_at(start + 40 * MILLISECOND);
                let restarted = ticker.tick().unwrap().deadline;
                assert_eq!(restarted, start + 40 * MILLISECOND);
            });
            run.unwrap();
        }
    }
}

/// Of a sleeper that may not spin it is a twentieth of a millisecond instead of up to a whole one,
/// whether due times count from the last interrupt or from now.
#[test]
fn a_coarse_loop_of_whole_intervals_is_late_by_little() {
    for version in TICKING {
        for due_time in [DueTime::Coarse, DueTime::Precise] {
            for age in AGES {
                let rules = Rules {
                    due_time,
                    ..Version::named(version).unwrap().rules
                };
                let of = (age, Period::from_hertz(1_000));
                let kept = kept(machine(version).with_rules(rules), of, coarse);
                assert!(
                    kept.median < 60 * MICROSECOND,
                    "{version}: {:?}",
                    kept.median
                );
                assert!(kept.p99 < 60 * MICROSECOND, "{version}: {:?}", kept.p99);
                assert!(kept.spun < 0.01, "{version}: {}", kept.spun);
            }
        }
    }
}

/// Where there are high-resolution timers, and with periods that are no multiple, there is nothing to
/// wait for.
#[test]
fn other_loops_start_where_they_are_asked_for() {
    for version in VERSIONS {
        let is_high_resolution = version.rules.high_resolution == HighResolution::Present;
        for hertz in [60, 144, 1_000] {
            let of = (AGES[1], Period::from_hertz(hertz));
            let delay = first(machine(version.name), of);
            let at_once = delay < 10 * MICROSECOND;
            let expected = is_high_resolution || hertz != 1_000;
            assert_eq!(at_once, expected, "{}, {hertz} Hz: {delay:?}", version.name);
        }
    }
}

/// The counter runs fast against the interrupts by 20 µs in a second, and what was in phase is not.
#[test]
fn a_counter_of_its_own_rate_leaves_the_phase_behind() {
    let parameters: MachineParameters = "clock-error=20ppm".parse().unwrap();
    let machine = machine("windows-7").with_parameters(parameters);
    let kept = kept(machine, (AGES[0], Period::from_hertz(250)), default);
    // 4.4 seconds, of which the first 0.4 are warm-up: from 8 to 88 µs, less the 5 that it starts after.
    let expected = 20 * MICROSECOND..80 * MICROSECOND;
    assert!(expected.contains(&kept.median), "{:?}", kept.median);
}

#[test]
fn a_ticker_is_cancelled_while_it_looks_for_its_phase() {
    let run = machine("windows-7").run(|win32| {
        let os = WindowsOs::on(win32);
        let cancel = Cancel::on(os.clone());
        let (stop, asked) = (cancel.clone(), os.now());
        let body = move || {
            win32.compute(3 * MILLISECOND);
            stop.cancel();
        };
        let thread = os.spawn("canceller", Box::new(body)).unwrap();
        let mut ticker = default(os.clone(), Period::from_hertz(1_000)).cancelled_by(cancel);
        assert_eq!(ticker.tick(), Err(Ended::Cancelled));
        assert!(os.elapsed(asked) < 4 * MILLISECOND);
        thread.join(&os).unwrap();
    });
    run.unwrap();
}
