//! Wake-ups of simulated machines, explained from the machines' own logs.

use crate::effort;
use punctual::os::windows::{Win32, WindowsOs};
use punctual::{Instant, Os};
use punctual_sim::random::Spread;
use punctual_sim::windows::{SimWin32, WindowsMachine};
use punctual_sim::{Limits, Noise, NoiseSource};
use punctual_trace::simulated::Simulated;
use punctual_trace::{Cause, Chronicle, Occupant, ThreadId, Trace, Verdict, Wait, WakeUp, explain};
use punctual_windows::os::windows::Win32Lab;
use punctual_windows::{Companion, Version};
use std::time::Duration;

const MILLISECOND: Duration = Duration::from_millis(1);
const MICROSECOND: Duration = Duration::from_micros(1);

fn machine(version: &str) -> WindowsMachine {
    let limits = Limits {
        log: usize::MAX,
        ..Limits::default()
    };
    WindowsMachine::new(Version::named(version).unwrap()).with_limits(limits)
}

/// A wait as the program saw it: began, deadline, woke.
type Seen = (Instant, Instant, Instant);

struct Explained {
    trace: Trace,
    wake_ups: Vec<WakeUp>,
}

/// Runs a program as the machine's main thread, and explains the waits that it notes.
fn explained(
    machine: WindowsMachine,
    program: impl FnOnce(SimWin32) -> Vec<Seen> + Send + 'static,
) -> Explained {
    let run = machine.run(program).unwrap();
    let simulated = Simulated::new(&run.log, &run.threads, 4, true);
    let main = simulated.threads.first().unwrap();
    assert_eq!(
        (main.name.as_str(), main.process_name.as_str()),
        ("main", "main")
    );
    let thread = main.thread;
    let chronicle = Chronicle::new(&simulated.trace, &[thread]);
    let wake_ups = run.value.iter().map(|&(began, deadline, woke)| {
        let wait = Wait {
            thread,
            began,
            deadline,
            woke,
        };
        let wake_up = explain(&chronicle, &wait);
        let total: u64 = wake_up.segments.iter().map(|segment| segment.ns).sum();
        match wake_up.verdict {
            Verdict::Unexplained(_) => assert_eq!(total, 0),
            _ => assert_eq!(total, wait.lateness_ns(), "{wake_up:?}"),
        }
        wake_up
    });
    let wake_ups = wake_ups.collect();
    Explained {
        trace: simulated.trace,
        wake_ups,
    }
}

/// Sleeps to deadlines a period apart.
fn loops(waits: u32, period: Duration) -> impl FnOnce(SimWin32) -> Vec<Seen> + Send {
    move |win32| {
        let os = WindowsOs::on(win32);
        let start = os.now();
        let seen = (1..=waits).map(|wait| {
            let deadline = start + period * wait;
            let began = os.now();
            let left = deadline.duration_since(began).as_millis();
            win32.sleep(u32::try_from(left).unwrap());
            (began, deadline, os.now())
        });
        seen.collect()
    }
}

fn ns_of(wake_up: &WakeUp, cause: Cause) -> u64 {
    let segments = wake_up.segments.iter();
    let of_cause = segments.filter(|segment| segment.cause == cause);
    of_cause.map(|segment| segment.ns).sum()
}

/// Interrupts and DPCs of devices: seldom, and long.
fn noise(mean_interval: Duration, length: Duration) -> Noise {
    let source = |divided_by| NoiseSource {
        mean_interval: mean_interval / divided_by,
        length: Spread::exactly(length / divided_by),
    };
    Noise {
        interrupts: Some(source(20)),
        dpcs: Some(source(1)),
    }
}

/// The article's loop on its machine: Sleep(1) with the interval raised to a millisecond.
fn article(win32: SimWin32) -> Vec<Seen> {
    win32.time_begin_period(1).unwrap();
    let os = WindowsOs::on(win32);
    win32.sleep(20);
    let start = os.now();
    let seen = (1..=1_000).map(|wait| {
        let began = os.now();
        win32.sleep(1);
        (began, start + MILLISECOND * wait, os.now())
    });
    seen.collect()
}

/// "Sleep Variation Investigated": interrupts and DPCs delay one wake-up; a long interval is
/// followed by a short one, and the sum of the two is what it always is.
#[test]
fn what_delays_one_wake_up_is_named_and_the_next_is_on_time() {
    let machine = machine("windows-7").with_noise(noise(50 * MILLISECOND, 600 * MICROSECOND));
    let explained = explained(machine, article);
    let names = &explained.trace.names;
    let late_by = |up: &WakeUp| up.wait.lateness_ns();
    let mut found = 0;
    for four in explained.wake_ups.windows(4) {
        let [before, late, after, later] = four else {
            unreachable!("windows of four")
        };
        let undisturbed = [before, after, later].iter().all(|up| late_by(up) < 20_000);
        if !undisturbed || late_by(late) < 200_000 {
            continue;
        }
        found += 1;
        assert_eq!(late.verdict, Verdict::Exact);
        let by_devices = late
            .segments
            .iter()
            .filter(|segment| match segment.occupant {
                Occupant::Interrupt(occupant) => names.text(occupant) == "device interrupt",
                Occupant::Softirq(occupant) => names.text(occupant) == "device DPC",
                _ => false,
            });
        let stolen: u64 = by_devices.map(|segment| segment.ns).sum();
        assert!(stolen > late_by(late) - 20_000, "{late:?}");
        let interval = |from: &WakeUp, to: &WakeUp| to.wait.woke.duration_since(from.wait.woke);
        let (long, short) = (interval(before, late), interval(late, after));
        assert!(long > 1_200 * MICROSECOND && short < 800 * MICROSECOND);
        let sum = (long + short).as_secs_f64();
        assert!((sum - 0.002).abs() < 20e-6, "{sum}");
    }
    assert!(found >= 3, "seldom seen: {found}");
}

/// Nothing is ever missing from a whole log: whatever happens on a machine, every wake-up is
/// explained to the nanosecond.
#[test]
fn every_wake_up_is_exact() {
    let versions = [
        "windows-xp",
        "windows-7",
        "windows-8",
        "windows-10-1909",
        "windows-10-2004",
        "windows-11",
    ];
    for (seed, version) in (0..).zip(versions.repeat(2)) {
        let sleepers = Companion::Sleepers {
            threads: 5,
            from: 1,
            to: 40,
            most_work: 3 * MILLISECOND,
        };
        let mut machine = machine(version)
            .with_seed(seed)
            .with_noise(noise(5 * MILLISECOND, 300 * MICROSECOND))
            .with_companion(sleepers);
        for _ in 0..seed % 6 {
            machine = machine.with_companion(Companion::Load);
        }
        // On a machine with more load than processors each is later than the one before, and all of it is explained.
        let waits = effort(75, 300);
        let explained = explained(machine, loops(waits, 3 * MILLISECOND));
        for wake_up in &explained.wake_ups {
            assert_eq!(
                wake_up.verdict,
                Verdict::Exact,
                "{version}, seed {seed}: {wake_up:?}"
            );
        }
    }
}

#[test]
fn high_resolution_timers_end_by_interrupts_of_their_own() {
    let machine = machine("windows-11").with_noise(noise(5 * MILLISECOND, 100 * MICROSECOND));
    let explained = explained(machine, |win32| {
        let os = WindowsOs::on(win32);
        let timer = win32.create_waitable_timer_ex_w(2, 0x0010_0002).unwrap();
        let period = 700 * MICROSECOND;
        let seen = (0..200).map(|_| {
            let began = os.now();
            let units = i64::try_from(period.as_nanos() / 100).unwrap();
            win32.set_waitable_timer(&timer, -units, 0).unwrap();
            win32.wait_for_single_object(&timer, u32::MAX).unwrap();
            (began, began + period, os.now())
        });
        seen.collect()
    });
    for wake_up in &explained.wake_ups {
        assert_eq!(wake_up.verdict, Verdict::Exact, "{wake_up:?}");
        assert!(ns_of(wake_up, Cause::Slack) < 500_000, "{wake_up:?}");
    }
    let waited: u64 = explained
        .wake_ups
        .iter()
        .map(|up| ns_of(up, Cause::Slack))
        .sum();
    assert!(waited > 0, "their interrupts come every half millisecond");
}

#[test]
fn what_has_the_processor_is_named() {
    let mut machine = machine("windows-10-1909").with_companion(Companion::requester(MILLISECOND));
    for _ in 0..4 {
        machine = machine.with_companion(Companion::Load);
    }
    let explained = explained(machine, loops(300, 5 * MILLISECOND));
    let names = &explained.trace.names;
    let running = |up: &WakeUp| ns_of(up, Cause::AfterSwitch) + ns_of(up, Cause::Softirq);
    assert!(explained.wake_ups.iter().all(|up| running(up) < 10_000));
    let by_load = |up: &&WakeUp| {
        let mut segments = up.segments.iter();
        segments.any(|segment| match segment.occupant {
            Occupant::Thread(thread) => {
                segment.cause == Cause::RunQueueWait
                    && names.thread(thread, Instant::ZERO).starts_with("load-")
            }
            _ => false,
        })
    };
    let delayed = explained.wake_ups.iter().filter(by_load).count();
    assert!(delayed > 50, "four processors, four loads: {delayed}");
}

#[test]
fn a_log_that_lost_its_beginning_is_not_trusted_there() {
    let run = |log| {
        let limits = Limits {
            log,
            ..Limits::default()
        };
        let version = Version::named("windows-10-2004").unwrap();
        let machine = WindowsMachine::new(version).with_limits(limits);
        machine.run(loops(100, 20 * MILLISECOND)).unwrap()
    };
    let whole = run(usize::MAX);
    let half = run(whole.log.len() / 2);
    let simulated = Simulated::new(&half.log, &half.threads, 4, false);
    let thread: ThreadId = simulated.threads[0].thread;
    let chronicle = Chronicle::new(&simulated.trace, &[thread]);
    let verdicts = half.value.iter().map(|&(began, deadline, woke)| {
        let wait = Wait {
            thread,
            began,
            deadline,
            woke,
        };
        explain(&chronicle, &wait).verdict
    });
    let verdicts: Vec<_> = verdicts.collect();
    let explained = verdicts
        .iter()
        .position(|verdict| *verdict == Verdict::Exact);
    let explained = explained.expect("the later half is there");
    assert!((40..60).contains(&explained), "{explained}");
    assert!(
        verdicts[..explained - 1].iter().all(|verdict| {
            *verdict == Verdict::Unexplained(punctual_trace::Reason::EventsLost)
        })
    );
}
