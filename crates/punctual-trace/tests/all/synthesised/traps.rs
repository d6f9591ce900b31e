//! Traces that lie by omission, and what must not be believed of them.

use super::scene::{IDLE, OTHER, SLEEPER, Scene, at};
use punctual_trace::event::Left;
use punctual_trace::{Chronicle, Kind, ProcessorId, Reason, Verdict, WakeUp, waits};

fn unexplained(wake_up: &WakeUp) -> Reason {
    assert!(wake_up.segments.is_empty());
    match wake_up.verdict {
        Verdict::Unexplained(reason) => reason,
        other => panic!("{other:?}"),
    }
}

/// Until the thread is ready, on processor 0.
fn readied(by: punctual_trace::ThreadId) -> Scene {
    let mut scene = Scene::asleep(0, by);
    let mut on = scene.on(0, by);
    on.expires(101, 102, 103)
        .readies(104, 0)
        .interrupt_ends(105);
    scene
}

#[test]
fn waking_comes_before_the_switch_out() {
    let mut scene = Scene::default();
    scene.on(0, SLEEPER).interrupted(1, 2, "irq 9 disk");
    scene.on(0, SLEEPER).arms(90, 100, 100);
    let mut itself = scene.on(0, SLEEPER);
    itself.expires(101, 102, 103).readies(104, 0);
    itself.interrupt_ends(105);
    assert_eq!(
        scene.segments(110, Verdict::Exact),
        [
            "1 interrupt-late (thread 7)",
            "3 irq-handler (timer interrupt)",
            "1 interrupt (timer interrupt)",
            "5 after-switch (thread 7)",
        ]
    );
}

#[test]
fn a_switch_out_of_idle_that_was_lost_ends_at_our_own_stamp() {
    let scene = readied(IDLE);
    let segments = scene.segments(130, Verdict::Ambiguous);
    assert_eq!(segments.last().unwrap(), "25 ambiguous (idle)");
}

#[test]
fn a_switch_out_of_idle_that_was_lost_ends_at_the_next_event_of_the_thread() {
    let mut scene = readied(IDLE);
    scene.on(0, SLEEPER).interrupted(120, 122, "irq 9 disk");
    let segments = scene.segments(130, Verdict::Ambiguous);
    assert_eq!(
        segments[3..],
        [
            "15 ambiguous (idle)",
            "2 interrupt (irq 9 disk)",
            "8 after-switch (sleeper-7)"
        ]
    );
}

#[test]
fn a_switch_from_idle_to_another_thread_may_be_lost_too() {
    let mut scene = readied(IDLE);
    scene.on(0, OTHER).leaves(120, Left::Ready, SLEEPER);
    let segments = scene.segments(130, Verdict::Ambiguous);
    assert_eq!(
        segments[3..],
        ["15 ambiguous (idle)", "10 after-switch (sleeper-7)"]
    );
}

#[test]
fn a_thread_seen_elsewhere_without_having_moved_is_not_explained() {
    let mut scene = readied(IDLE);
    scene.on(1, SLEEPER).interrupted(120, 122, "irq 9 disk");
    assert_eq!(unexplained(&scene.explain(130)), Reason::NoSwitch);
}

#[test]
fn nothing_is_explained_across_lost_events_of_any_processor() {
    for processor in 0..2 {
        let mut scene = readied(IDLE);
        scene.on(processor, IDLE).leaves(110, Left::Ready, SLEEPER);
        scene.on(1, OTHER).event(50, Kind::Lost);
        assert_eq!(unexplained(&scene.explain(130)), Reason::EventsLost);
    }
}

#[test]
fn a_trace_that_begins_within_the_wait_explains_nothing() {
    let mut scene = Scene::default();
    let mut idle = scene.on(0, IDLE);
    idle.expires(101, 102, 103).readies(104, 0);
    idle.leaves(110, Left::Ready, SLEEPER);
    assert_eq!(unexplained(&scene.explain(130)), Reason::OutsideTrace);
}

#[test]
fn a_sleep_that_no_timer_ended_is_not_explained() {
    let mut scene = Scene::default();
    scene.on(0, SLEEPER).interrupted(1, 2, "irq 9 disk");
    scene.on(0, SLEEPER).leaves(20, Left::Waiting, OTHER);
    scene.on(0, OTHER).readies(110, 0);
    scene.on(0, OTHER).leaves(120, Left::Ready, SLEEPER);
    assert_eq!(unexplained(&scene.explain(130)), Reason::NoTimer);
}

#[test]
fn a_thread_that_ends_before_it_runs_again_did_not_wake() {
    let mut scene = readied(IDLE);
    let chronicle = Chronicle::new(&scene.trace(), &[SLEEPER]);
    let found = waits(&chronicle, SLEEPER);
    let [Err(wake_up)] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(unexplained(wake_up), Reason::OutsideTrace);
    // One that runs, and ends then, did.
    scene.on(0, IDLE).leaves(110, Left::Ready, SLEEPER);
    scene
        .on(0, SLEEPER)
        .event(115, Kind::Exited { thread: SLEEPER });
    scene.on(0, SLEEPER).leaves(116, Left::Ended, IDLE);
    let chronicle = Chronicle::new(&scene.trace(), &[SLEEPER]);
    let found = waits(&chronicle, SLEEPER);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].as_ref().unwrap().woke, at(110));
}

/// Synthesised: taking a processor away from a machine needs a machine to spare.
#[test]
fn a_processor_that_is_taken_away_hands_its_queue_over() {
    let mut scene = readied(OTHER);
    // The stopper of processor 0 moves what is ready there, and processor 0 is never seen again.
    let stopper = punctual_trace::ThreadId(3);
    scene.on(0, OTHER).leaves(110, Left::Ready, stopper);
    scene.on(0, stopper).event(
        120,
        Kind::Migrated {
            thread: SLEEPER,
            to: ProcessorId(1),
        },
    );
    scene.on(1, OTHER).interrupted(1, 2, "irq 9 disk");
    scene.on(1, OTHER).leaves(150, Left::Ready, SLEEPER);
    assert_eq!(
        scene.segments(151, Verdict::Exact)[3..],
        [
            "5 run-queue-wait (other-8)",
            "10 picked-another (thread 3)",
            "30 run-queue-wait (other-8)",
            "1 after-switch (sleeper-7)"
        ]
    );
}

/// Synthesised: setting a clock would set it for every program on the machine.
#[test]
fn a_clock_that_jumps_contradicts_itself() {
    let mut scene = Scene::default();
    let far = 10_000_000;
    scene.on(0, SLEEPER).arms(10, far, far);
    scene.on(0, SLEEPER).leaves(20, Left::Waiting, IDLE);
    let mut idle = scene.on(0, IDLE);
    // Expired, it seems, ten milliseconds before it was due.
    idle.expires(101, 102, 103).readies(104, 0);
    idle.leaves(110, Left::Ready, SLEEPER);
    assert_eq!(unexplained(&scene.explain(130)), Reason::OutOfOrder);
}
