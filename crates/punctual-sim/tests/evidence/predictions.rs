//! What the rules say where nothing is published. Whoever has the machine can refute it.

use crate::driver::{Program, Thread, World};
use punctual::Instant;
use punctual_sim::windows::{MachineParameters, Requester, TimerInterrupt, WINDOWS_10_2004};
use std::time::Duration;

const MILLISECOND: Duration = Duration::from_millis(1);

/// How long `Sleep(n)` takes, in the long run, in a process that has asked for nothing while
/// another has asked for an interval, and no other thread of the machine sleeps.
fn sleep_takes(rules: &[(&str, &str)], machine: &str, request: u32, sleep: u32) -> Duration {
    let mut version = WINDOWS_10_2004;
    for (rule, value) in rules {
        version.set(rule, value).unwrap();
    }
    let parameters: MachineParameters = machine.parse().unwrap();
    let timer = TimerInterrupt::new(version, parameters, Instant::ZERO);
    let mut world = World::new(timer, Instant::ZERO, 0);
    world.begin_request(Requester::Process(1), MILLISECOND * request);
    world.idle_until(Instant::from_nanos(1_000_000_000));
    let thread = world.start(Thread {
        process: 2,
        program: Program::Sleep(MILLISECOND * sleep),
        work: Duration::ZERO,
        random_work: Duration::ZERO,
        late: None,
    });
    const WAITS: u32 = 200;
    world.run(thread, 10 + WAITS as usize);
    let wakes = world.wakes(thread);
    wakes[wakes.len() - 1].at.duration_since(wakes[9].at) / WAITS
}

fn whole_millis(length: Duration) -> u128 {
    (length.as_nanos() + 500_000) / 1_000_000
}

/// The text of GRC fixes only 2, 6, 7, 8 and 9 to 15.
#[test]
fn sleep_1_on_2004_under_every_request_of_another_process() {
    for machine in ["default-interval=15.625ms", "default-interval=15.6ms"] {
        for quantum in ["quantum=1.28us", "quantum=5.33us"] {
            let machine = format!("{machine},{quantum}");
            let takes = |request| whole_millis(sleep_takes(&[], &machine, request, 1));
            let curve: Vec<_> = (1..=15).map(takes).collect();
            let predicted = [16, 16, 15, 16, 15, 12, 14, 16, 9, 10, 11, 12, 13, 14, 15];
            assert_eq!(curve, predicted, "{machine}");
        }
    }
}

/// The measurement that would tell the values of `idle-expiry` apart.
#[test]
fn sleep_20_on_2004_under_a_request_for_1() {
    for (idle_expiry, takes) in [("free-run", 32), ("hold", 21)] {
        let rules = [("idle-expiry", idle_expiry)];
        assert_eq!(whole_millis(sleep_takes(&rules, "", 1, 20)), takes);
    }
}
