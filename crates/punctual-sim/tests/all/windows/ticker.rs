//! What a loop that works between its waits gets on every Windows, from a `Ticker` and nothing
//! else.

use super::machine;
use punctual::os::windows::WindowsOs;
use punctual::{Period, Sleeper, Ticker};
use punctual_sim::windows::SimWin32;
use punctual_windows::VERSIONS;
use punctual_windows::choices::HighResolution;
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);
/// The finest tick of XP, 7 and 8, and what a plain wait costs beyond it.
const TICK: Duration = Duration::from_millis(1);

/// In which caches fill on a real machine, and margins are learned.
const WARM_UP: usize = 100;
const TICKS: usize = 200;

type SimSleeper = Sleeper<WindowsOs<SimWin32>>;

/// The lateness of every tick but the first, ascending.
struct Lateness(Vec<Duration>);

impl Lateness {
    fn quantile(&self, percent: usize) -> Duration {
        self.0[self.0.len() * percent / 100]
    }
}

/// Runs a loop of this frequency that works for so long after each tick. No period may be missed.
fn achieved(
    version: &str,
    (hertz, work): (u64, Duration),
    sleeper: fn(SimSleeper) -> SimSleeper,
) -> Lateness {
    let run = machine(version).run(move |win32| {
        let os = WindowsOs::on(win32);
        let period = Period::from_hertz(hertz);
        let mut ticker = Ticker::with_sleeper(sleeper(Sleeper::on(os)), period);
        let ticks = ticker.by_ref().take(WARM_UP + TICKS);
        let ticks = ticks.inspect(|_| win32.compute(work));
        let ticks: Vec<_> = ticks.skip(WARM_UP).collect();
        assert!(ticks.iter().all(|tick| tick.missed == 0));
        assert!(ticks.iter().all(|tick| tick.woke >= tick.deadline));
        ticks.iter().map(|tick| tick.lateness()).collect()
    });
    let mut lateness: Vec<_> = run.unwrap().value;
    lateness.sort_unstable();
    Lateness(lateness)
}

/// The default budget pays for spinning to the end of a tick, once in so long a period.
#[test]
fn a_working_loop_of_60_or_100_hertz_is_woken_within_a_microsecond() {
    for version in VERSIONS {
        for of in [(60, 3_000), (60, 12_000), (100, 1_500)] {
            let of = (of.0, of.1 * MICROSECOND);
            let lateness = achieved(version.name, of, |default| default);
            let (median, p99) = (lateness.quantile(50), lateness.quantile(99));
            assert!(median < MICROSECOND, "{}, {of:?}: {median:?}", version.name);
            assert!(p99 < TICK, "{}, {of:?}: {p99:?}", version.name);
        }
    }
}

/// A tick of 1 ms is as long as the period, and 5 % of that buys no more than a part of it. A
/// high-resolution timer that becomes due while an interrupt works waits for the next tick, which is
/// more than a loop that may spin as it likes has learned to expect.
#[test]
fn a_working_loop_of_a_kilohertz_is_woken_within_a_tick_and_exactly_if_it_may_spin() {
    let of = (1_000, 300 * MICROSECOND);
    for version in VERSIONS {
        let lateness = achieved(version.name, of, |default| default);
        assert!(lateness.quantile(99) < TICK, "{}", version.name);
        let exact = achieved(version.name, of, Sleeper::exact);
        let is_high_resolution = version.rules.high_resolution == HighResolution::Present;
        let percent = if is_high_resolution { 95 } else { 99 };
        let reached = exact.quantile(percent);
        assert!(reached < MICROSECOND, "{}: {reached:?}", version.name);
        assert!(exact.quantile(99) < TICK, "{}", version.name);
    }
}

/// A coarse sleeper asks for each of its waits alone: before version 1803 of Windows 10 each then
/// begins with a tick of the default interval.
#[test]
fn a_coarse_loop_is_woken_with_the_ticks() {
    for version in VERSIONS {
        let lateness = achieved(version.name, (100, 1_500 * MICROSECOND), Sleeper::coarse);
        let has_high_resolution = version.rules.high_resolution == HighResolution::Present;
        let median = lateness.quantile(50);
        assert_eq!(
            median < TICK,
            has_high_resolution,
            "{}: {median:?}",
            version.name
        );
        assert!(
            lateness.quantile(99) < Duration::from_micros(15_700),
            "{}",
            version.name
        );
    }
}
