//! Waits that no timer ended: from being woken until running, with the waker.

use super::scene::{IDLE, OTHER, SLEEPER, Scene, at};
use punctual_trace::event::Left;
use punctual_trace::program::explain_program;
use punctual_trace::scope::Scope;
use punctual_trace::{Chronicle, Kind, ProcessorId, Reason, ThreadId, Verdict, WakeUp, explain};

/// Wakes the other.
const THIRD: ThreadId = ThreadId(9);

/// The sleeper waits on processor 0 from 20 on, and the third runs on processor 1.
fn asleep() -> Scene {
    let mut scene = Scene::default();
    scene.names().name_thread(SLEEPER, "sleeper");
    scene.names().name_thread(OTHER, "other");
    scene.names().name_thread(THIRD, "third");
    scene.on(0, SLEEPER).interrupted(1, 2, "irq 9 disk");
    scene.on(0, SLEEPER).leaves(20, Left::Waiting, IDLE);
    scene.on(1, THIRD).interrupted(1, 2, "irq 9 disk");
    scene
}

fn wakes(scene: &mut Scene, processor: u16, by: ThreadId, at: u64, thread: ThreadId, on: u16) {
    scene.on(processor, by).event(at, Kind::Waking { thread });
    let processor_of = ProcessorId(on);
    scene.on(processor, by).event(
        at + 2,
        Kind::Ready {
            thread,
            processor: processor_of,
        },
    );
}

fn explained(scene: &Scene) -> Vec<WakeUp> {
    let scope = Scope {
        wakeups: true,
        ..Scope::default()
    };
    explain_program(&scene.trace(), &[SLEEPER], scope, at(0)).0
}

/// A wake-up, which must be exact, in words: its segments, and which woke which and when.
fn words(scene: &Scene, wake_up: &WakeUp) -> (Vec<String>, Vec<String>) {
    assert_eq!(wake_up.verdict, Verdict::Exact);
    let sum: u64 = wake_up.segments.iter().map(|segment| segment.ns).sum();
    assert_eq!(sum, wake_up.wait.lateness_ns());
    let names = scene.trace().names;
    let segments = wake_up.timed_segments().map(|(at, part)| {
        let occupant = part.occupant.name(&names, at);
        format!("{} {} ({occupant})", part.ns, part.cause)
    });
    let wakers = wake_up.woken_by.iter().map(|waker| {
        let occupant = waker.occupant.name(&names, waker.at);
        format!("{occupant} at {}", waker.at.as_nanos())
    });
    (segments.collect(), wakers.collect())
}

#[test]
fn the_waker_is_named_and_what_woke_it() {
    let mut scene = asleep();
    // The third wakes the other, within an interrupt's time of its own; the other wakes the sleeper.
    wakes(&mut scene, 1, THIRD, 40, OTHER, 1);
    scene.on(1, THIRD).leaves(50, Left::Waiting, OTHER);
    wakes(&mut scene, 1, OTHER, 70, SLEEPER, 0);
    scene.on(0, IDLE).leaves(80, Left::Ready, SLEEPER);
    scene.on(0, SLEEPER).interrupted(90, 91, "irq 9 disk");
    let [wake_up] = &explained(&scene)[..] else {
        panic!("one wake-up")
    };
    let wait = wake_up.wait;
    assert_eq!(
        (wait.began, wait.deadline, wait.woke),
        (at(20), at(70), at(80))
    );
    let (segments, wakers) = words(&scene, wake_up);
    assert_eq!(segments, ["2 irq-handler (other-8)", "8 idle-exit (idle)"]);
    assert_eq!(wakers, ["other-8 at 70", "third-9 at 40"]);
}

#[test]
fn an_interrupt_is_a_waker_and_what_it_interrupted_is_none() {
    let mut scene = asleep();
    let name = scene.names().symbol("irq 30 network");
    scene.on(1, THIRD).event(40, Kind::InterruptEntry { name });
    wakes(&mut scene, 1, THIRD, 41, SLEEPER, 0);
    scene.on(1, THIRD).event(45, Kind::InterruptExit);
    scene.on(0, IDLE).leaves(60, Left::Ready, SLEEPER);
    let (segments, wakers) = words(&scene, &explained(&scene)[0]);
    assert_eq!(
        segments,
        ["2 irq-handler (irq 30 network)", "17 idle-exit (idle)"]
    );
    assert_eq!(wakers, ["irq 30 network at 41"]);
}

#[test]
fn a_timer_is_no_waker() {
    let mut scene = Scene::asleep(0, IDLE);
    let mut idle = scene.on(0, IDLE);
    idle.expires(101, 102, 103).readies(104, 0);
    idle.leaves(110, Left::Ready, SLEEPER);
    let [wake_up] = &explained(&scene)[..] else {
        panic!("one wake-up")
    };
    assert_eq!(
        (wake_up.wait.deadline, wake_up.verdict),
        (at(100), Verdict::Exact)
    );
    assert_eq!(wake_up.woken_by, []);
}

#[test]
fn a_thread_that_had_not_left_its_processor_did_not_wait() {
    let mut scene = Scene::default();
    scene.on(0, SLEEPER).interrupted(1, 2, "irq 9 disk");
    wakes(&mut scene, 1, OTHER, 40, SLEEPER, 0);
    scene.on(0, SLEEPER).interrupted(50, 51, "irq 9 disk");
    assert_eq!(explained(&scene), []);
}

#[test]
fn no_waker_is_named_that_may_have_been_woken_by_another_meanwhile() {
    // What was lost may hold that another thread woke the other; and another may have its number by now.
    let lost = |scene: &mut Scene| {
        scene.on(2, IDLE).event(15, Kind::Lost);
    };
    let ended = |scene: &mut Scene| {
        scene.on(2, OTHER).event(15, Kind::Exited { thread: OTHER });
    };
    for forgets in [&lost as &dyn Fn(&mut Scene), &ended] {
        let mut scene = Scene::default();
        wakes(&mut scene, 1, THIRD, 10, OTHER, 2);
        forgets(&mut scene);
        scene.on(0, SLEEPER).interrupted(21, 22, "irq 9 disk");
        scene.on(0, SLEEPER).leaves(30, Left::Waiting, IDLE);
        wakes(&mut scene, 1, OTHER, 70, SLEEPER, 0);
        scene.on(0, IDLE).leaves(80, Left::Ready, SLEEPER);
        let wakers = &explained(&scene)[0].woken_by;
        assert_eq!(wakers.len(), 1, "{wakers:?}");
    }
}

#[test]
fn a_chain_goes_back_in_time_and_ends() {
    let mut scene = asleep();
    wakes(&mut scene, 1, THIRD, 30, OTHER, 2);
    // The third is woken after it has woken the other.
    wakes(&mut scene, 2, OTHER, 35, THIRD, 1);
    wakes(&mut scene, 2, OTHER, 40, SLEEPER, 0);
    scene.on(0, IDLE).leaves(80, Left::Ready, SLEEPER);
    let (_, wakers) = words(&scene, &explained(&scene)[0]);
    assert_eq!(wakers, ["other-8 at 40", "third-9 at 30"]);
    // However long the chain is, a few are named.
    let mut scene = asleep();
    for thread in 20..30 {
        wakes(
            &mut scene,
            1,
            ThreadId(thread),
            10 + u64::from(thread),
            ThreadId(thread + 1),
            1,
        );
    }
    wakes(&mut scene, 1, ThreadId(30), 50, SLEEPER, 0);
    scene.on(0, IDLE).leaves(80, Left::Ready, SLEEPER);
    let (_, wakers) = words(&scene, &explained(&scene)[0]);
    assert_eq!(
        wakers,
        [
            "thread 30 at 50",
            "thread 29 at 39",
            "thread 28 at 38",
            "thread 27 at 37"
        ]
    );
}

#[test]
fn a_trace_that_ends_before_the_thread_runs_explains_nothing() {
    let mut scene = asleep();
    wakes(&mut scene, 1, OTHER, 70, SLEEPER, 0);
    let wake_up = &explained(&scene)[0];
    assert_eq!(wake_up.verdict, Verdict::Unexplained(Reason::OutsideTrace));
    assert!(wake_up.segments.is_empty());
}

#[test]
fn without_wakers_such_a_wait_has_no_timer() {
    let mut scene = asleep();
    wakes(&mut scene, 1, OTHER, 70, SLEEPER, 0);
    scene.on(0, IDLE).leaves(80, Left::Ready, SLEEPER);
    let wait = explained(&scene)[0].wait;
    let wake_up = explain(&Chronicle::new(&scene.trace(), &[SLEEPER]), &wait);
    assert_eq!(wake_up.verdict, Verdict::Unexplained(Reason::NoTimer));
}
