//! An operating system of its own on the engine: what a model is promised.

use punctual::Instant;
use punctual_sim::{
    Called, Ended, Exit, Kernel, Limits, Machine, Model, ProcessId, Reason, Returned, Run, Setup,
    Start, ThreadId, WaitList, WakeOrder, What, call, call_and_wait, compute,
};
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);
const MILLISECOND: Duration = Duration::from_millis(1);

/// One gate that threads wait at, and a list of everything the engine told.
#[derive(Default)]
struct Gate {
    waiters: WaitList,
    told: Vec<(Instant, Told)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    /// The event of this number.
    Event(u32),
    ThreadEnded,
    ProcessEnded,
}

/// Opens the gate for everybody.
const OPEN: u32 = 100;

impl Model for Gate {
    type Event = u32;
    type Wake = u32;

    fn event(&mut self, kernel: &mut Kernel<Self>, event: u32) {
        self.told.push((kernel.now(), Told::Event(event)));
        if event == OPEN {
            self.waiters.wake_all(kernel, OPEN);
        }
    }

    fn thread_ended(&mut self, kernel: &mut Kernel<Self>, _: ThreadId) {
        self.told.push((kernel.now(), Told::ThreadEnded));
    }

    fn process_ended(&mut self, kernel: &mut Kernel<Self>, process: ProcessId, _: &Exit) {
        assert!(!kernel.is_alive(process));
        self.told.push((kernel.now(), Told::ProcessEnded));
    }
}

fn run<T: Send + 'static>(setup: Setup, body: impl FnOnce() -> T + Send + 'static) -> Run<T> {
    Machine::new(setup, Gate::default())
        .unwrap()
        .run(body)
        .unwrap()
}

fn setup() -> Setup {
    Setup {
        dispatch_cost: Duration::ZERO,
        limits: Limits {
            log: 1_000,
            ..Limits::default()
        },
        ..Setup::default()
    }
}

/// Waits at the gate, for ever or until an instant.
fn wait(until: Option<Instant>) -> Ended<u32> {
    let at_gate = Reason {
        what: "gate",
        number: 1,
    };
    let returned = call_and_wait(|gate: &mut Gate, kernel| {
        let waiter = kernel.block(at_gate, until);
        gate.waiters.add(kernel, waiter);
        Called::<()>::Waits
    });
    match returned {
        Returned::Done(()) => unreachable!("it always waits"),
        Returned::Waited(ended) => ended,
    }
}

fn now() -> Instant {
    call(|_: &mut Gate, kernel| kernel.now())
}

fn told() -> Vec<(u64, Told)> {
    call(|gate: &mut Gate, _| {
        let told = gate.told.iter();
        told.map(|(at, what)| (at.as_nanos(), *what)).collect()
    })
}

fn at_micros(micros: u64) -> Instant {
    Instant::ZERO + Duration::from_micros(micros)
}

/// Starts a thread of the calling one's process.
fn spawn(priority: u8, body: impl FnOnce() + Send + 'static) {
    call(|_: &mut Gate, kernel| {
        let start = Start {
            priority,
            affinity: kernel.all_processors(),
            background: false,
        };
        let process = kernel.current_process();
        kernel
            .start_thread(process, "spawned", start, body)
            .unwrap();
    });
}

#[test]
fn scheduled_events_happen_on_time_and_cancelled_ones_do_not() {
    let told = run(setup(), || {
        call(|_: &mut Gate, kernel| {
            kernel.schedule(at_micros(20), 2);
            kernel.schedule(at_micros(10), 1);
            let cancelled = kernel.schedule(at_micros(15), 3);
            assert_eq!(kernel.cancel(cancelled), Some(3));
            assert_eq!(kernel.cancel(cancelled), None);
        });
        compute::<Gate>(MILLISECOND);
        told()
    });
    let expected = [(10_000, Told::Event(1)), (20_000, Told::Event(2))];
    assert_eq!(told.value, expected);
}

#[test]
fn a_wait_ends_by_an_event_or_by_its_deadline_whichever_comes_first() {
    let ends = run(setup(), || {
        call(|_: &mut Gate, kernel| {
            kernel.schedule(at_micros(10), OPEN);
            kernel.schedule(at_micros(30), OPEN);
        });
        let first = (wait(Some(at_micros(500))), now());
        let second = (wait(Some(at_micros(20))), now());
        let third = (wait(None), now());
        [first, second, third]
    });
    let [first, second, third] = ends.value;
    assert_eq!(first, (Ended::Woken(OPEN), at_micros(10)));
    assert_eq!(second, (Ended::TimedOut, at_micros(20)));
    assert_eq!(third, (Ended::Woken(OPEN), at_micros(30)));
}

#[test]
fn interrupts_take_turns_and_steal_from_the_processor_they_are_served_on() {
    let run = run(setup(), || {
        call(|_: &mut Gate, kernel| {
            let own = kernel.current_processor();
            kernel.interrupt(at_micros(10), own, 5 * MICROSECOND, 1);
            kernel.interrupt(at_micros(12), own, 5 * MICROSECOND, 2);
            kernel.interrupt(at_micros(12), 1 - own, 50 * MICROSECOND, 3);
        });
        compute::<Gate>(100 * MICROSECOND);
        (now(), told())
    });
    let (end, told) = run.value;
    let expected = [
        (10_000, Told::Event(1)),
        (12_000, Told::Event(3)),
        (15_000, Told::Event(2)),
    ];
    assert_eq!(told, expected);
    assert_eq!(
        end.as_nanos(),
        110_001,
        "100 of work, 10 stolen, a nanosecond for the call"
    );
}

#[test]
fn deferred_calls_wait_for_interrupts_and_for_each_other() {
    let told = run(setup(), || {
        call(|_: &mut Gate, kernel| {
            let other = 1 - kernel.current_processor();
            kernel.defer(other, 10 * MICROSECOND, 1);
            kernel.defer(other, 10 * MICROSECOND, 2);
            kernel.interrupt(at_micros(4), other, 3 * MICROSECOND, 3);
        });
        compute::<Gate>(MILLISECOND);
        told()
    });
    let told: Vec<_> = told
        .value
        .into_iter()
        .map(|(at, what)| (at / 1_000, what))
        .collect();
    let expected = [
        (0, Told::Event(1)),
        (4, Told::Event(3)),
        (13, Told::Event(2)),
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_thread_readied_by_an_interrupt_runs_when_that_is_over() {
    let woke = run(
        Setup {
            processors: 1,
            ..setup()
        },
        || {
            call(|_: &mut Gate, kernel| {
                kernel.interrupt(at_micros(10), 0, 7 * MICROSECOND, OPEN);
            });
            wait(None);
            now()
        },
    );
    assert_eq!(woke.value, at_micros(17));
    let ready = woke
        .log
        .iter()
        .find(|record| record.at > Instant::ZERO && matches!(record.what, What::Ready { .. }));
    assert_eq!(ready.map(|record| record.at), Some(at_micros(10)));
}

#[test]
fn an_object_wakes_by_age_or_by_priority() {
    for (order, expected) in [
        (WakeOrder::Fifo, [0, 1, 2, 3]),
        (WakeOrder::Priority, [1, 3, 0, 2]),
    ] {
        let woken = run(setup(), move || {
            // Woken with a number each, they come back in the order of the numbers.
            let order_of_waiters = std::sync::Arc::new(std::sync::Mutex::new(vec![]));
            for (index, priority) in [8, 10, 8, 10].into_iter().enumerate() {
                let noted = order_of_waiters.clone();
                spawn(priority, move || {
                    let Ended::Woken(number) = wait(None) else {
                        unreachable!("no deadline")
                    };
                    noted.lock().unwrap().push((number, index));
                });
                compute::<Gate>(MICROSECOND);
            }
            compute::<Gate>(MILLISECOND);
            call(|gate: &mut Gate, kernel| {
                for number in 0..4 {
                    let waiter = gate.waiters.take(kernel, order).unwrap();
                    assert!(kernel.wake(waiter, number));
                    assert!(!kernel.wake(waiter, number), "a wait ends once");
                }
                assert_eq!(gate.waiters.take(kernel, order), None);
            });
            compute::<Gate>(MILLISECOND);
            let mut woken = order_of_waiters.lock().unwrap().clone();
            woken.sort_unstable();
            woken
        });
        let woken: Vec<_> = woken.value.into_iter().map(|(_, index)| index).collect();
        assert_eq!(woken, expected, "{order:?}");
    }
}

#[test]
fn the_model_is_told_of_every_end() {
    let told = run(setup(), || {
        call(|_: &mut Gate, kernel| {
            let start = Start {
                priority: 8,
                affinity: 3,
                background: false,
            };
            let child = kernel.start_process("child", start, || compute::<Gate>(MILLISECOND));
            let child = child.unwrap();
            let thread = kernel.start_thread(child, "second", start, || {
                let _ = wait(None);
            });
            assert_eq!(kernel.process_of(thread.unwrap()), Some(child));
            assert_eq!(kernel.process_name(child), Some("child"));
        });
        compute::<Gate>(10 * MILLISECOND);
        told()
    });
    let told: Vec<_> = told.value.into_iter().map(|(_, what)| what).collect();
    assert_eq!(
        told,
        [Told::ThreadEnded, Told::ThreadEnded, Told::ProcessEnded]
    );
}

#[test]
fn a_number_is_used_again_only_when_the_model_was_told_of_the_end() {
    let numbers = run(setup(), || {
        let start = Start {
            priority: 8,
            affinity: 3,
            background: false,
        };
        let rest = || compute::<Gate>(MILLISECOND);
        let (killed, beside) = call(|_: &mut Gate, kernel| {
            let killed = kernel.start_process("killed", start, rest).unwrap();
            kernel.end(killed, Exit::Killed);
            (killed, kernel.start_process("beside", start, rest).unwrap())
        });
        let told = told();
        let after = call(|_: &mut Gate, kernel| kernel.start_process("after", start, rest));
        let told: Vec<_> = told.into_iter().map(|(_, what)| what).collect();
        assert_eq!(told, [Told::ThreadEnded, Told::ProcessEnded]);
        [killed, beside, after.unwrap()].map(ProcessId::index)
    });
    assert_eq!(numbers.value, [1, 2, 1]);
}

#[test]
fn a_process_that_ends_itself_does_not_come_back() {
    let error = Machine::new(setup(), Gate::default()).unwrap().run(|| {
        call(|_: &mut Gate, kernel| {
            let own = kernel.current_process();
            kernel.end(own, Exit::Returned);
        });
        unreachable!("the call does not return");
    });
    let error = error.map(|run: Run<()>| run.value).unwrap_err();
    assert_eq!(error.exit(), Some(&Exit::Returned));
}
