//! How threads, processes and machines end, and what is left of them.

use punctual::{Cancel, Os, Sleeper};
use punctual_sim::{Exit, Limits, Load, Plain, Run, Setup, SimOs, simulate};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const MILLISECOND: Duration = Duration::from_millis(1);
const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

fn run<T: Send + 'static>(
    setup: Setup,
    body: impl FnOnce(SimOs) -> T + Send + 'static,
) -> Result<Run<T>, punctual_sim::Error> {
    simulate(setup, Plain::default(), body)
}

fn limited(limits: Limits) -> Setup {
    Setup {
        limits,
        ..Setup::default()
    }
}

/// Counts how often it was dropped.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_deadlock_names_every_thread_and_what_it_waits_for() {
    let setup = Setup {
        // A load never wakes anything, so it does not make this any less of a deadlock.
        loads: vec![
            Load::default(),
            Load {
                rest: MILLISECOND,
                ..Load::default()
            },
        ],
        ..Setup::default()
    };
    let error = run(setup, |os| {
        let bells = [os.bell(), os.bell()];
        let [first, second] = bells.clone();
        let body = move || {
            os.wait(None, Duration::ZERO, &second);
            os.ring(&first);
        };
        let _other = os.spawn("other", Box::new(body)).unwrap();
        os.wait(None, Duration::ZERO, &bells[0]);
        os.ring(&bells[1]);
    })
    .unwrap_err();
    assert!(error.is_deadlock());
    let message = error.to_string();
    assert!(
        message.contains(r#"thread "main" of process "main" waits for bell 0"#),
        "{message}"
    );
    assert!(
        message.contains(r#"thread "other" of process "main" waits for bell 1"#),
        "{message}"
    );
    assert!(!message.contains("load"), "{message}");
}

#[test]
fn waiting_for_ever_with_a_timeout_elsewhere_is_no_deadlock() {
    let run = run(Setup::default(), |os| {
        let bell = os.bell();
        let rung = bell.clone();
        let body = move || {
            Sleeper::on(os).coarse().sleep(CENTURY);
            os.ring(&rung);
        };
        let _late = os.spawn("late", Box::new(body)).unwrap();
        os.wait(None, Duration::ZERO, &bell);
    });
    assert!(run.unwrap().ended_at.as_nanos() > u64::try_from(CENTURY.as_nanos()).unwrap());
}

#[test]
fn a_panic_of_the_main_thread_is_the_result() {
    let error = run(Setup::default(), |_| panic!("on purpose")).map(|run: Run<()>| run.value);
    let exit = Exit::Panicked {
        thread: "main".to_owned(),
        message: "on purpose".to_owned(),
    };
    assert_eq!(error.unwrap_err().exit(), Some(&exit));
}

#[test]
fn a_panic_of_a_spawned_thread_is_handed_to_whoever_joins() {
    let run = run(Setup::default(), |os| {
        let thread = os
            .spawn("unlucky", Box::new(|| panic!("on purpose")))
            .unwrap();
        thread.join(&os).unwrap_err().to_string()
    });
    assert_eq!(run.unwrap().value, "the thread panicked: on purpose");
}

#[test]
fn processes_end_by_returning_panicking_or_being_killed() {
    let exits = run(Setup::default(), |os| {
        let returns = os.start("returns", |os| os.compute(MILLISECOND)).unwrap();
        let panics = os.start("panics", |_| panic!("on purpose")).unwrap();
        let sleeps = os.start("sleeps", |os| {
            Sleeper::on(os).sleep(CENTURY);
        });
        let sleeps = sleeps.unwrap();
        let computes = os.start("computes", |os| os.compute(CENTURY)).unwrap();
        os.compute(MILLISECOND);
        sleeps.kill(&os);
        computes.kill(&os);
        computes.kill(&os);
        [returns, panics, sleeps, computes].map(|process| process.join(&os))
    });
    let [returned, panicked, killed, killed_too] = exits.unwrap().value;
    assert_eq!(returned, Exit::Returned);
    assert!(matches!(panicked, Exit::Panicked { thread, .. } if thread == "main"));
    assert_eq!((killed, killed_too), (Exit::Killed, Exit::Killed));
}

#[test]
fn a_process_takes_its_threads_with_it_and_runs_no_destructor_of_theirs() {
    for how in [Exit::Returned, Exit::Killed] {
        let (dropped, ran_on) = <(Arc<AtomicUsize>, Arc<AtomicUsize>)>::default();
        let (drops, runs) = (Arc::clone(&dropped), Arc::clone(&ran_on));
        let killed = how == Exit::Killed;
        let exit = run(Setup::default(), move |os| {
            let process = os.start("parent", move |os| {
                let body = move || {
                    let _counted = Counted(drops);
                    Sleeper::on(os).sleep(10 * MILLISECOND);
                    runs.fetch_add(1, Ordering::Relaxed);
                };
                let _child = os.spawn("child", Box::new(body)).unwrap();
                os.compute(MILLISECOND);
                if killed {
                    os.compute(CENTURY);
                }
            });
            let process = process.unwrap();
            os.compute(2 * MILLISECOND);
            process.kill(&os);
            let exit = process.join(&os);
            Sleeper::on(os).sleep(20 * MILLISECOND);
            exit
        });
        assert_eq!(exit.unwrap().value, how);
        assert_eq!(
            (
                dropped.load(Ordering::Relaxed),
                ran_on.load(Ordering::Relaxed)
            ),
            (0, 0)
        );
    }
}

#[test]
fn a_killed_thread_that_wanted_a_processor_or_had_one_gives_it_up() {
    let one = Setup {
        processors: 1,
        ..Setup::default()
    };
    let end = run(one, |os| {
        let bodies = [0; 4].map(|_| os.start("busy", |os| os.compute(CENTURY)).unwrap());
        os.compute(100 * MILLISECOND);
        for process in bodies {
            process.kill(&os);
        }
        let began = os.now();
        os.compute(100 * MILLISECOND);
        os.now().duration_since(began)
    });
    let alone = end.unwrap().value;
    assert!(alone < 101 * MILLISECOND, "{alone:?}");
}

#[test]
fn bells_end_waits_that_are_and_waits_that_are_to_come() {
    let woken = run(Setup::default(), |os| {
        let cancel = Cancel::on(os);
        let waiting: Vec<_> = (0..20)
            .map(|_| {
                let cancel = cancel.clone();
                let body = move || {
                    let mut sleeper = Sleeper::on(os);
                    assert!(sleeper.sleep_unless(CENTURY, &cancel).is_err());
                    assert!(sleeper.sleep_unless(CENTURY, &cancel).is_err());
                };
                os.spawn("waiting", Box::new(body)).unwrap()
            })
            .collect();
        Sleeper::on(os).sleep(MILLISECOND);
        cancel.cancel();
        waiting
            .into_iter()
            .for_each(|thread| thread.join(&os).unwrap());
        os.now()
    });
    assert!(woken.unwrap().value.as_nanos() < 2_000_000);
}

#[test]
fn limits_are_errors_that_name_them() {
    let no_more_threads = limited(Limits {
        threads: 3,
        ..Limits::default()
    });
    let errors = run(no_more_threads, |os| {
        let spawn = || os.spawn("sleeper", Box::new(move || os.compute(CENTURY)));
        let refused = [spawn(), spawn(), spawn()].map(|thread| thread.err());
        let [None, None, Some(refused)] = refused else {
            panic!("the third is one too many")
        };
        refused.to_string()
    });
    assert!(errors.unwrap().value.contains("limit of 3 threads"));

    let no_more_time = limited(Limits {
        time: punctual::Instant::ZERO + MILLISECOND,
        ..Limits::default()
    });
    let error = run(
        no_more_time,
        |os| while os.now() > punctual::Instant::ZERO {},
    );
    assert!(error.unwrap_err().is_time_limit());

    let few_processes = limited(Limits {
        processes: 2,
        abandoned: 10,
        ..Limits::default()
    });
    let error = run(few_processes, |os| {
        let first = os.start("first", |_| {}).unwrap();
        assert!(
            os.start("second", |_| {})
                .is_err_and(|error| error.is_limit())
        );
        first.join(&os);
        loop {
            let process = os.start("victim", |os| os.compute(CENTURY)).unwrap();
            Sleeper::on(os).sleep(MILLISECOND);
            process.kill(&os);
        }
    });
    let error = error.map(|run: Run<()>| run.value).unwrap_err();
    assert!(error.is_limit(), "{error}");
    assert!(error.to_string().contains("abandoned"), "{error}");
}

#[test]
fn impossible_machines_are_refused() {
    for setup in [
        Setup {
            processors: 0,
            ..Setup::default()
        },
        Setup {
            processors: 65,
            ..Setup::default()
        },
        Setup {
            quantum: Some(Duration::ZERO),
            ..Setup::default()
        },
        Setup {
            loads: vec![Load {
                priority: 32,
                ..Load::default()
            }],
            ..Setup::default()
        },
    ] {
        assert!(run(setup, |_| ()).unwrap_err().is_invalid_input());
    }
}

#[test]
#[should_panic(expected = "none runs on this host thread")]
fn a_handle_without_its_machine_says_so() {
    SimOs::new().now();
}

#[test]
fn a_bell_of_another_machine_is_refused() {
    let bell = run(Setup::default(), |os| os.bell()).unwrap().value;
    let error = run(Setup::default(), move |os| os.ring(&bell)).unwrap_err();
    assert!(
        error.to_string().contains("another simulated machine"),
        "{error}"
    );
}

#[test]
fn a_machine_can_run_inside_another() {
    let inner = run(Setup::default(), |os| {
        let began = os.now();
        let inner = run(Setup::default(), |os| {
            Sleeper::on(os).sleep(MILLISECOND);
            os.now()
        });
        Sleeper::on(os).sleep(MILLISECOND);
        (inner.unwrap().value, os.now().duration_since(began))
    });
    let (inner, outer) = inner.unwrap().value;
    assert!(inner.as_nanos() >= 1_000_000);
    assert!(
        outer < 2 * MILLISECOND,
        "the inner machine's time is its own"
    );
}
