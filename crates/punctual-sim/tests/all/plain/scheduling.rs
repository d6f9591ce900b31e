//! Who runs when: processors, priorities, quanta, stolen time. Every number follows by hand.

use punctual::guard::{PinGuard, PriorityGuard};
use punctual::os::Spin;
use punctual::{Instant, Os, Priority};
use punctual_sim::random::Spread;
use punctual_sim::{Error, Load, Noise, NoiseSource, Plain, Setup, SimOs, simulate};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const NANOSECOND: Duration = Duration::from_nanos(1);
const MICROSECOND: Duration = Duration::from_micros(1);
const MILLISECOND: Duration = Duration::from_millis(1);

/// One processor, quanta of 10 ms, and calls that cost next to nothing.
fn one_processor() -> Setup {
    Setup {
        processors: 1,
        quantum: Some(10 * MILLISECOND),
        dispatch_cost: Duration::ZERO,
        ..Setup::default()
    }
}

fn cheap() -> Plain {
    Plain {
        look_cost: NANOSECOND,
        call_cost: NANOSECOND,
        ..Plain::default()
    }
}

fn run<T: Send + 'static>(
    setup: Setup,
    body: impl FnOnce(SimOs) -> T + Send + 'static,
) -> Result<T, Error> {
    simulate(setup, cheap(), body).map(|run| run.value)
}

fn sleep(os: SimOs, duration: Duration) {
    let bell = os.bell();
    os.wait(Some(os.now() + duration), Duration::ZERO, &bell);
}

/// To the nearest microsecond: calls of a nanosecond are not worth counting.
fn micros(instant: Instant) -> u64 {
    (instant.as_nanos() + 500) / 1_000
}

#[test]
fn ready_is_not_running() {
    // The sleeper's timer comes after 1 ms, but the only processor is taken until 5 ms.
    let woke = run(one_processor(), |os| {
        let worker = os.spawn("worker", Box::new(move || os.compute(5 * MILLISECOND)));
        sleep(os, MILLISECOND);
        worker.unwrap().join(&os).unwrap();
        os.now()
    });
    assert_eq!(micros(woke.unwrap()), 5_000);

    let both_processors = Setup {
        processors: 2,
        ..one_processor()
    };
    let woke = run(both_processors, |os| {
        let _worker = os.spawn("worker", Box::new(move || os.compute(5 * MILLISECOND)));
        sleep(os, MILLISECOND);
        os.now()
    });
    assert_eq!(micros(woke.unwrap()), 1_000);
}

#[test]
fn ready_and_running_and_waiting_are_all_there_is() {
    let (ran, queued) = run(one_processor(), |os| {
        // It is preempted by nothing, and its quantum is 10 ms: two of it, with our sleep between.
        let worker = os.spawn("worker", Box::new(move || os.compute(15 * MILLISECOND)));
        let began = os.now();
        sleep(os, 3 * MILLISECOND);
        let late = os.now().duration_since(began) - 3 * MILLISECOND;
        assert_eq!(
            os.queue_time().as_micros(),
            late.as_micros(),
            "late for the queue alone"
        );
        os.compute(MILLISECOND);
        worker.unwrap().join(&os).unwrap();
        (os.processor_time(), os.queue_time())
    })
    .unwrap();
    let millis = |duration: Duration| (duration.as_nanos() + 500_000) / 1_000_000;
    // The worker has the processor until 10 ms, we until 11, the worker until 16.
    assert_eq!((millis(ran), millis(queued)), (1, 7));
}

#[test]
fn a_more_urgent_thread_preempts_and_the_other_finishes_its_work_later() {
    let ends = run(one_processor(), |os| {
        let urgent = os.spawn(
            "urgent",
            Box::new(move || {
                let _guard = PriorityGuard::raise(&os, Priority::High).unwrap();
                sleep(os, MILLISECOND);
                assert_eq!(micros(os.now()), 1_000, "it does not wait for the quantum");
                os.compute(2 * MILLISECOND);
            }),
        );
        sleep(os, MICROSECOND);
        os.compute(4 * MILLISECOND);
        let end = os.now();
        urgent.unwrap().join(&os).unwrap();
        (end, os.processor_time())
    });
    let (end, used) = ends.unwrap();
    assert_eq!(
        micros(end),
        6_001,
        "4 ms of work and 2 ms of something else's"
    );
    assert_eq!(
        used.as_micros(),
        4_000,
        "what it lost is not counted as its own"
    );
}

#[test]
fn equals_share_a_processor_by_quanta() {
    let turns = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&turns);
    let done = run(one_processor(), move |os| {
        let workers: Vec<_> = ["a", "b", "c"]
            .into_iter()
            .map(|name| {
                let turns = Arc::clone(&turns);
                let body = move || {
                    // 21 ms of work are three turns: 10, 10 and 1.
                    for _ in 0..7 {
                        os.compute(3 * MILLISECOND);
                        turns.lock().unwrap().push(name);
                    }
                };
                os.spawn(name, Box::new(body)).unwrap()
            })
            .collect();
        for worker in workers {
            worker.join(&os).unwrap();
        }
        os.now()
    });
    assert_eq!(micros(done.unwrap()), 63_000);
    let turns: String = seen.lock().unwrap().concat();
    assert_eq!(turns, "aaabbbcccaaabbbcccabc");
}

#[test]
fn without_quanta_the_first_keeps_the_processor() {
    let forever = Setup {
        quantum: None,
        ..one_processor()
    };
    let ends = run(forever, |os| {
        let first = os.spawn("first", Box::new(move || os.compute(500 * MILLISECOND)));
        let began = Arc::new(Mutex::new(Instant::ZERO));
        let begins = Arc::clone(&began);
        let body = move || {
            let now = os.now();
            *begins.lock().unwrap() = now;
        };
        let second = os.spawn("second", Box::new(body));
        first.unwrap().join(&os).unwrap();
        second.unwrap().join(&os).unwrap();
        *began.lock().unwrap()
    });
    assert_eq!(micros(ends.unwrap()), 500_000);
}

#[test]
fn dispatching_costs_time() {
    let costly = Setup {
        dispatch_cost: 7 * MICROSECOND,
        ..one_processor()
    };
    let woke = run(costly, |os| {
        let until = Instant::ZERO + MILLISECOND;
        os.wait(Some(until), Duration::ZERO, &os.bell());
        os.now()
    });
    assert_eq!(micros(woke.unwrap()), 1_007);
}

#[test]
fn spinning_uses_the_processor_and_never_ends_early() {
    let (spun, used) = run(one_processor(), |os| {
        let until = os.now() + 30 * MILLISECOND;
        let other = os.spawn("other", Box::new(move || os.compute(5 * MILLISECOND)));
        let spun = os.spin_until(until, Spin::Pause);
        assert!(spun >= until);
        let used = os.processor_time();
        other.unwrap().join(&os).unwrap();
        (spun, used)
    })
    .unwrap();
    assert_eq!(micros(spun), 30_000, "the other had its turn meanwhile");
    assert_eq!(used.as_micros(), 25_000);
}

#[test]
fn a_spin_that_lost_its_processor_past_its_end_ends_when_it_has_it_back() {
    let spun = run(one_processor(), |os| {
        let until = os.now() + 12 * MILLISECOND;
        let other = os.spawn("other", Box::new(move || os.compute(8 * MILLISECOND)));
        let spun = os.spin_until(until, Spin::Pause);
        other.unwrap().join(&os).unwrap();
        spun
    });
    assert_eq!(micros(spun.unwrap()), 18_000);
}

#[test]
fn a_spin_that_yields_lets_a_thread_of_equal_priority_go_first() {
    let (spun, used) = run(one_processor(), |os| {
        let until = os.now() + 12 * MILLISECOND;
        let other = os.spawn("other", Box::new(move || os.compute(3 * MILLISECOND)));
        let began = os.now();
        let spun = os.spin_until(began + 2 * MILLISECOND, Spin::Yield);
        assert!(
            spun >= until - 9 * MILLISECOND,
            "the other had the processor for 3 ms"
        );
        let spun = os.spin_until(until, Spin::Yield);
        assert!(spun >= until);
        let used = os.processor_time();
        other.unwrap().join(&os).unwrap();
        (spun, used)
    })
    .unwrap();
    assert_eq!(micros(spun), 12_000, "alone, it is as exact as any spin");
    assert_eq!(used.as_micros(), 9_000);
}

#[test]
fn a_spin_that_yields_keeps_the_processor_from_those_less_urgent() {
    let spun = run(one_processor(), |os| {
        let _raised = PriorityGuard::raise(&os, Priority::High).unwrap();
        let until = os.now() + 2 * MILLISECOND;
        let other = os.spawn("other", Box::new(move || os.compute(8 * MILLISECOND)));
        let spun = os.spin_until(until, Spin::Yield);
        other.unwrap().join(&os).unwrap();
        spun
    });
    assert_eq!(micros(spun.unwrap()), 2_000);
}

#[test]
fn a_thread_keeps_to_a_set_of_processors() {
    run(one_processor(), |os| {
        drop(PinGuard::pin_to(&os, [0, 0]).unwrap());
        for wrong in [&[][..], &[0, 1], &[64], &[usize::MAX]] {
            let error = PinGuard::pin_to(&os, wrong.iter().copied()).unwrap_err();
            assert!(error.is_invalid_input(), "{error}");
        }
    })
    .unwrap();
}

#[test]
fn threads_that_live_at_the_same_time_have_lanes_of_their_own() {
    run(one_processor(), |os| {
        let (lane, thread) = (os.lane(), os.thread_id());
        let other = os.spawn("other", Box::new(move || assert!(os.lane() != lane)));
        other.unwrap().join(&os).unwrap();
        assert_eq!((os.lane(), os.thread_id()), (lane, thread));
    })
    .unwrap();
}

#[test]
fn reading_the_clock_until_it_changes_ends() {
    let steps = run(one_processor(), |os| {
        let before = os.now();
        let mut steps = 1;
        while os.now() == before {
            steps += 1;
        }
        steps
    });
    assert_eq!(steps.unwrap(), 1);
}

#[test]
fn a_wait_that_is_over_at_once_takes_time_too() {
    run(one_processor(), |os| {
        let bell = os.bell();
        let until = os.now() + MICROSECOND;
        while os.now() < until {
            os.wait(Some(os.now()), Duration::ZERO, &bell);
            os.wait(Some(Instant::ZERO), Duration::ZERO, &bell);
        }
    })
    .unwrap();
}

#[test]
fn a_pinned_thread_keeps_to_its_processor_though_others_are_idle() {
    let four = Setup {
        processors: 4,
        ..one_processor()
    };
    let processors = run(four, |os| {
        let pinned = |processor| {
            let body = move || {
                let _guard = PinGuard::pin(&os, processor).unwrap();
                for _ in 0..10 {
                    os.compute(MILLISECOND);
                    assert_eq!(os.processor(), processor);
                    sleep(os, MILLISECOND);
                }
            };
            os.spawn("pinned", Box::new(body)).unwrap()
        };
        let threads = [pinned(2), pinned(2), pinned(3)];
        let refused = PinGuard::pin(&os, 4).unwrap_err();
        assert!(refused.is_invalid_input());
        for thread in threads {
            thread.join(&os).unwrap();
        }
        os.processor()
    });
    assert!(processors.unwrap() < 4);
}

#[test]
fn a_load_of_the_same_priority_takes_its_turns() {
    let loaded = Setup {
        loads: vec![Load::default()],
        ..one_processor()
    };
    let end = run(loaded, |os| {
        os.compute(29 * MILLISECOND);
        os.now()
    });
    // 10 of ours, 10 of the load's, and so on.
    assert_eq!(micros(end.unwrap()), 49_000);
}

#[test]
fn a_load_that_rests_leaves_the_processor_to_others() {
    let loaded = Setup {
        loads: vec![Load {
            priority: 31,
            busy: MILLISECOND,
            rest: 3 * MILLISECOND,
        }],
        ..one_processor()
    };
    let end = run(loaded, |os| {
        os.compute(29 * MILLISECOND);
        os.now()
    });
    // The load has the first of every 4 ms.
    assert_eq!(micros(end.unwrap()), 39_000);
}

#[test]
fn noise_steals_its_share() {
    let noisy = Setup {
        noise: Noise {
            interrupts: Some(NoiseSource {
                mean_interval: MILLISECOND,
                length: Spread::exactly(50 * MICROSECOND),
            }),
            dpcs: Some(NoiseSource {
                mean_interval: 10 * MILLISECOND,
                length: Spread::exactly(500 * MICROSECOND),
            }),
        },
        ..one_processor()
    };
    let (end, used) = run(noisy, |os| {
        os.compute(Duration::from_secs(100));
        (os.now(), os.processor_time())
    })
    .unwrap();
    // A twentieth each on top of the time that passes: 100 s / 0.9 = 111.1 s, give or take 4
    // deviations of 22 ms or so.
    let end = end.as_nanos() / 1_000_000;
    assert!((111_000..111_222).contains(&end), "{end}");
    assert_eq!(used.as_secs(), 100);
}
