//! What is observed and requested on simulated machines.

use super::*;
use crate::simulated::{SimulatedCompanion, SimulatedMachine, SimulatedOs};
use punctual_windows::requesters::{Requested, Who};
use punctual_windows::resolution::{InForce, Observed, observe};

fn on<T: Send + 'static>(
    machine: &str,
    body: impl FnOnce(&SimulatedOs) -> T + Send + 'static,
) -> T {
    let machine: SimulatedMachine = machine.parse().unwrap();
    machine.run(1, move |os| body(&os)).unwrap().value
}

fn in_force(machine: &str, interval: Duration) -> InForce {
    on(machine, move |os| {
        Held::ask(os, interval).unwrap().in_force().unwrap()
    })
}

#[test]
fn a_request_is_honoured_as_far_as_the_machine_goes() {
    for machine in ["windows-xp", "windows-7", "windows-10-1909", "windows-11"] {
        let two = in_force(machine, Duration::from_millis(2));
        assert!(two.honoured, "{machine}: {two:?}");
        assert!(two.sleep_1_mean_ns < 4_000_000, "{machine}: {two:?}");
        let least = in_force(machine, Duration::from_micros(100));
        assert!(!least.honoured, "{machine}: {least:?}");
    }
}

#[test]
fn what_is_dropped_is_given_back() {
    let (found, during, after) = on("windows-11", |os| {
        let state = || {
            let throttling = os.win32().get_process_information().unwrap();
            (os.win32().smallest_request(), throttling)
        };
        let found = state();
        let held = Held::ask(os, Duration::from_micros(500)).unwrap();
        let during = state();
        drop(held);
        (found, during, state())
    });
    assert_eq!(found, after);
    assert_eq!(during.0, Some(Duration::from_micros(500)));
    assert_eq!(during.1, found.1.honouring_requests());
}

#[test]
fn a_refused_request_leaves_nothing_behind() {
    // More milliseconds than timeBeginPeriod takes.
    let (refused, same) = on("windows-11", |os| {
        let found = os.win32().get_process_information();
        let refused = Held::ask(os, Duration::from_secs(3_600)).is_err();
        (refused, found == os.win32().get_process_information())
    });
    assert!(refused && same);
}

/// A request for 30 ms of every 100.
fn observed(machine: &str) -> Observed {
    let mut machine: SimulatedMachine = machine.parse().unwrap();
    machine.companions.push(SimulatedCompanion::Toggler {
        interval: Duration::from_millis(1),
        raised: Duration::from_millis(30),
        lowered: Duration::from_millis(70),
    });
    let run = machine.run(1, |os| observe(&os, Duration::from_secs(5)));
    run.unwrap().value.unwrap()
}

#[test]
fn an_interval_that_changes_is_seen_with_its_share_of_time() {
    // A request takes effect at the next tick, so half of each of its 30 ms is lost; less where the
    // interrupts of the observer's own high-resolution timers are ticks, too.
    for (machine, share) in [("windows-7", 0.1..0.2), ("windows-10-2004", 0.25..0.35)] {
        let observed = observed(machine);
        let [raised, default] = observed.shares[..] else {
            panic!("{machine}: {observed:?}");
        };
        assert_eq!(default.interval_ns, observed.maximum_ns, "{machine}");
        assert!((raised.share + default.share - 1.0).abs() < 1e-9);
        assert!(share.contains(&raised.share), "{machine}: {observed:?}");
    }
}

#[test]
fn looking_leaves_nothing_behind() {
    let machine: SimulatedMachine = "windows-10-2004".parse().unwrap();
    let run = machine.run(1, |os| {
        observe(&os, Duration::from_millis(50)).unwrap();
        os.win32().smallest_request()
    });
    assert_eq!(run.unwrap().value, None);
}

#[test]
fn a_simulated_machine_lists_processes_and_drivers() {
    let mut machine: SimulatedMachine = "windows-10-2004".parse().unwrap();
    machine.companions = vec![
        SimulatedCompanion::requester(Duration::from_millis(2)),
        SimulatedCompanion::Driver {
            interval: Duration::from_millis(1),
        },
    ];
    let run = machine.run(1, |os| {
        use punctual_windows::os::windows::Win32Lab;
        os.win32().sleep(100);
        of_simulated(os.win32())
    });
    let requesters = run.unwrap().value;
    assert_eq!(requesters.platform_interval_ns, Some(1_000_000));
    assert_eq!(requesters.requests[0].who, Who::Kernel);
    let by_process = requesters.requests.iter().find(|request| {
        matches!(&request.who, Who::Process { program: Some(name), .. } if name == "requester")
    });
    assert_eq!(by_process.unwrap().interval_ns, 2_000_000);
}

#[test]
fn requests_read_back() {
    let requesters = Requesters {
        platform_interval_ns: None,
        maximum_ns: Some(15_625_000),
        requests: vec![
            Requested {
                interval_ns: 1,
                who: Who::Kernel,
            },
            Requested {
                interval_ns: 2,
                who: Who::Process {
                    process_id: Some(7),
                    program: None,
                },
            },
        ],
    };
    let json = serde_json::to_string(&requesters).unwrap();
    assert!(json.contains(r#""kind":"kernel""#), "{json}");
    assert_eq!(
        serde_json::from_str::<Requesters>(&json).unwrap(),
        requesters
    );
}
