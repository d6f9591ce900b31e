//! The library on every Windows, through [`WindowsOs`].

use super::{MILLISECOND, machine, on, on_every_version};
use proptest::prelude::*;
use punctual::os::Woken;
use punctual::os::windows::{Win32, WindowsOs};
use punctual::{Cancel, Ended, Instant, Os, Period, Sleeper, Ticker};
use punctual_sim::random::{Random, Spread};
use punctual_sim::windows::{SimWin32, WindowsMachine};
use punctual_sim::{Noise, NoiseSource};
use punctual_windows::os::windows::Win32Lab;
use punctual_windows::{Companion, VERSIONS};
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);

/// What a wake-up costs beyond the tick: the interrupt, the deferred call, the switch, the reading.
const WAKE_UP: Duration = Duration::from_micros(5);

#[test]
fn a_ticker_keeps_its_average_period_exactly() {
    on_every_version(|win32| {
        let os = WindowsOs::on(win32);
        let period = Period::from_hertz_fraction(30_000, 1_001);
        let sleeper = Sleeper::on(os.clone());
        let start = os.now();
        let mut ticker = Ticker::with_sleeper(sleeper, period).starting_at(start);
        let last = ticker.by_ref().take(301).last().unwrap();
        assert_eq!(last.index, 300);
        assert_eq!(
            last.deadline.duration_since(start),
            Duration::from_millis(10_010)
        );
        assert!(last.lateness() < 2 * MILLISECOND, "{last:?}");
    });
}

/// With periods long enough for the default processor budget to pay for a tick's spinning.
#[test]
fn a_sleeper_learns_the_ticks_of_every_version() {
    on_every_version(|win32| {
        let os = WindowsOs::on(win32);
        let mut sleeper = Sleeper::on(os);
        let late = (0..250).filter(|_| {
            let wake = sleeper.sleep(33 * MILLISECOND + 300 * MICROSECOND);
            assert!(wake.woke >= wake.deadline);
            wake.lateness() > 2 * MICROSECOND
        });
        // The default late rate is 1 %, and a margin has to be learned first.
        let late = late.count();
        assert!(late < 15, "{late} of 250 late");
    });
}

/// On XP, 7 and 8 due times count from the last tick, so that a wait can end early by one.
#[test]
fn a_wait_that_ended_a_tick_early_is_finished_without_oversleeping_a_tick() {
    for version in ["windows-xp", "windows-7", "windows-8"] {
        let early = on(version, |win32| {
            let os = WindowsOs::on(win32);
            let _request = os.request().unwrap();
            win32.sleep(50);
            let mut random = Random::new(1);
            let early = (0..500).filter(|_| {
                // Not right after the tick that ended the wait before.
                win32.compute(Duration::from_nanos(random.between(0, 1_000_000)));
                let until = os.now() + Duration::from_nanos(random.between(100_000, 20_000_000));
                let waits = finish_wait(&os, until);
                let late = os.now().duration_since(until);
                assert!(
                    late <= MILLISECOND + WAKE_UP,
                    "{late:?} after {waits} waits"
                );
                assert!(waits <= 3, "{waits} waits");
                waits > 1
            });
            early.count()
        });
        assert!(early > 100, "{version}: {early}");
    }
}

/// Waits as the library's callers do, again until the instant has come. Returns how often.
fn finish_wait(os: &WindowsOs<SimWin32>, until: Instant) -> u32 {
    let bell = os.bell();
    let mut waits = 0;
    while os.now() < until {
        assert_eq!(os.wait(Some(until), Duration::ZERO, &bell), Woken::ByTime);
        waits += 1;
    }
    waits
}

#[test]
fn a_wait_far_away_holds_a_request_only_at_its_end() {
    for (version, end) in [("windows-7", Some(MILLISECOND)), ("windows-10-2004", None)] {
        let (middle, near) = on(version, |win32| {
            let os = WindowsOs::on(win32);
            let sleeper = os.clone();
            let body = move || {
                Sleeper::on(sleeper.clone()).sleep(Duration::from_secs(1));
            };
            let thread = os.spawn("sleeper", Box::new(body)).unwrap();
            win32.sleep(500);
            let middle = win32.smallest_request();
            win32.sleep(475);
            let near = win32.smallest_request();
            thread.join(&os).unwrap();
            assert_eq!(win32.smallest_request(), None);
            (middle, near)
        });
        assert_eq!((middle, near), (None, end), "{version}");
    }
}

#[test]
fn a_bell_rung_by_another_thread_ends_a_wait() {
    on_every_version(|win32| {
        let os = WindowsOs::on(win32);
        let bell = os.bell();
        let (ringer, theirs) = (os.clone(), bell.clone());
        let body = move || {
            ringer.win32().sleep(10);
            ringer.ring(&theirs);
        };
        let thread = os.spawn("ringer", Box::new(body)).unwrap();
        let until = os.now() + Duration::from_secs(1);
        assert_eq!(os.wait(Some(until), Duration::ZERO, &bell), Woken::ByBell);
        assert!(os.now() < until);
        thread.join(&os).unwrap();
    });
}

#[test]
fn a_ticker_is_cancelled_from_another_thread() {
    on_every_version(|win32| {
        let os = WindowsOs::on(win32);
        let cancel = Cancel::on(os.clone());
        let stop = cancel.clone();
        let body = move || {
            win32.sleep(100);
            stop.cancel();
        };
        let stopper = os.spawn("stopper", Box::new(body)).unwrap();
        let period = Period::from_hertz(100);
        let sleeper = Sleeper::on(os.clone());
        let mut ticker = Ticker::with_sleeper(sleeper, period).cancelled_by(cancel);
        assert!((8..=13).contains(&ticker.by_ref().count()));
        stopper.join(&os).unwrap();
        assert_eq!(ticker.tick(), Err(Ended::Cancelled));
    });
}

#[test]
fn hidden_on_windows_11_its_requests_are_honoured_while_they_last() {
    on("windows-11", |win32| {
        let os = WindowsOs::on(win32);
        win32.set_hidden(true);
        win32.time_begin_period(2).unwrap();
        assert_eq!(win32.smallest_request(), None);
        let request = os.request().unwrap();
        assert_eq!(win32.smallest_request(), Some(MILLISECOND));
        drop(request);
        assert_eq!(win32.smallest_request(), None, "as it was found");
    });
}

fn interruptions() -> Noise {
    let source = NoiseSource {
        mean_interval: 3 * MILLISECOND,
        length: Spread::new(2 * MICROSECOND, 30 * MICROSECOND, MILLISECOND),
    };
    Noise {
        interrupts: Some(source),
        dpcs: Some(source),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::effort(8, 24)))]

    /// Threads, loads, noise, requests and phases of all sizes, on any version.
    #[test]
    fn nothing_is_ever_early(
        seed: u64,
        version in 0..VERSIONS.len(),
        phase in 0_u64..15_000_000,
        requested in 0_u64..16,
        loads in 0_usize..5,
        threads in 1_u64..5,
        waits in prop::collection::vec(0_u64..40_000_000, 1..15),
    ) {
        let nanos = Duration::from_nanos;
        let mut machine = WindowsMachine::new(VERSIONS[version])
            .with_seed(seed)
            .with_first_tick(nanos(phase))
            .with_noise(interruptions());
        for _ in 0..loads {
            machine = machine.with_companion(Companion::Load);
        }
        if requested > 0 {
            let interval = Duration::from_millis(requested);
            machine = machine.with_companion(Companion::requester(interval));
        }
        machine.run(move |win32| {
            let os = WindowsOs::on(win32);
            let start = |_| {
                let (os, waits) = (os.clone(), waits.clone());
                let theirs = os.clone();
                let body = move || {
                    let mut sleeper = Sleeper::on(theirs.clone());
                    for wait in waits {
                        let began = theirs.now();
                        let wake = sleeper.sleep(nanos(wait));
                        assert!(wake.deadline >= began + nanos(wait));
                        assert!(wake.woke >= wake.deadline);
                        assert!(theirs.now() >= wake.woke);
                    }
                };
                os.spawn("sleeper", Box::new(body)).unwrap()
            };
            let threads: Vec<_> = (0..threads).map(start).collect();
            threads.into_iter().for_each(|thread| thread.join(&os).unwrap());
        }).unwrap();
    }
}

#[test]
fn nothing_is_left_behind() {
    for version in VERSIONS {
        let setup = machine(version.name);
        let run = setup.run(|win32| {
            let place = || format!("{:?}", win32.create_event_w(false).unwrap());
            let before = place();
            let os = WindowsOs::on(win32);
            Sleeper::on(os.clone()).sleep(3 * MILLISECOND);
            drop(os);
            // Handles are used again, the lowest first: all that were made are free.
            assert_eq!(before, place());
            assert_eq!(win32.smallest_request(), None);
            assert!(win32.powercfg().processes.is_empty());
        });
        run.unwrap();
    }
}
