//! The same machine twice is the same machine.

use super::{MILLISECOND, machine};
use punctual::os::windows::WindowsOs;
use punctual::{Os, Sleeper};
use punctual_sim::random::Spread;
use punctual_sim::{Limits, Noise, NoiseSource, Record};
use punctual_windows::os::windows::Win32Lab;
use punctual_windows::{Companion, VERSIONS};
use std::time::Duration;

/// Everything that happened on a busy machine.
fn history(version: &str, seed: u64) -> (Vec<Duration>, Vec<Record>) {
    let noise = NoiseSource {
        mean_interval: 2 * MILLISECOND,
        length: Spread::exactly(Duration::from_micros(20)),
    };
    let machine = machine(version)
        .with_seed(seed)
        .with_noise(Noise {
            interrupts: Some(noise),
            dpcs: Some(noise),
        })
        .with_limits(Limits {
            log: 1 << 20,
            ..Limits::default()
        })
        .with_companion(Companion::Toggler {
            interval: 2 * MILLISECOND,
            raised: 30 * MILLISECOND,
            lowered: 50 * MILLISECOND,
        })
        .with_companion(Companion::Sleepers {
            threads: 5,
            from: 1,
            to: 40,
            most_work: MILLISECOND,
        });
    let run = machine.run(|win32| {
        let os = WindowsOs::on(win32);
        let mut sleeper = Sleeper::on(os.clone());
        let timer = win32
            .create_timer_queue_timer(Box::new(|| ()), 3, 7, 0)
            .unwrap();
        let lateness = (0..200).map(|_| sleeper.sleep(3 * MILLISECOND).lateness());
        let lateness = lateness.collect();
        drop(timer);
        assert!(os.now().as_nanos() > 0);
        lateness
    });
    let run = run.unwrap();
    (run.value, run.log)
}

#[test]
fn a_seed_determines_everything() {
    for version in VERSIONS {
        let first = history(version.name, 7);
        assert_eq!(first, history(version.name, 7), "{}", version.name);
        assert_ne!(first.1, history(version.name, 8).1, "{}", version.name);
    }
}
