//! What a report says of wake-ups: what, with which priority, where, how late at most, and how long
//! without interruption.

use super::scene::{IDLE, OTHER, SLEEPER, Scene, at};
use punctual_trace::event::{Left, Priority};
use punctual_trace::report::{CauseRow, Tally};
use punctual_trace::{
    Cause, Chronicle, Kind, Lateness, ProcessorId, Report, WakeUp, explain, waits,
};

/// The wake-ups that the sleeper's timers show.
fn found(scene: &Scene) -> Vec<WakeUp> {
    let chronicle = Chronicle::new(&scene.trace(), &[SLEEPER]);
    let explained = waits(&chronicle, SLEEPER).into_iter();
    explained
        .map(|wait| wait.map_or_else(|wake_up| wake_up, |wait| explain(&chronicle, &wait)))
        .collect()
}

fn report(scene: &Scene, wake_up: WakeUp) -> Report {
    Tally::of(&[wake_up], &scene.trace().names).report(None)
}

fn row(report: &Report, cause: Cause) -> &CauseRow {
    let mut rows = report.causes.iter();
    rows.find(|row| row.cause == cause).unwrap()
}

#[test]
fn a_culprit_has_the_priority_with_which_it_was_switched_to() {
    let mut scene = Scene::asleep(0, IDLE);
    scene.on(0, IDLE).event(
        30,
        Kind::Switch {
            previous: IDLE,
            previous_state: Left::Ready,
            previous_priority: None,
            next: OTHER,
            next_priority: Some(Priority::RealTime(50)),
        },
    );
    let mut other = scene.on(0, OTHER);
    other.expires(105, 105, 105).readies(106, 0);
    other.interrupt_ends(107);
    other.interrupted(110, 112, "irq 9 disk");
    other.leaves(120, Left::Waiting, SLEEPER);
    let wake_up = scene.explain(121);
    assert_eq!(wake_up.processor, Some(ProcessorId(0)));
    for segment in &wake_up.segments {
        let is_thread = matches!(segment.occupant, punctual_trace::Occupant::Thread(OTHER));
        assert_eq!(
            segment.priority,
            is_thread.then_some(Priority::RealTime(50))
        );
    }
    let report = report(&scene, wake_up);
    let thread = row(&report, Cause::RunQueueWait);
    assert_eq!(thread.priority.as_deref(), Some("real-time 50"));
    // From 107 to 110 and from 112 to 120.
    assert_eq!(
        (thread.runs, thread.total_ns, thread.longest_ns),
        (2, 11, 8)
    );
    assert_eq!(row(&report, Cause::Interrupt).priority, None);
}

#[test]
fn many_short_interrupts_are_not_one_long_one() {
    let mut scene = Scene::asleep(0, OTHER);
    let mut other = scene.on(0, OTHER);
    other.expires(100, 100, 100).readies(100, 0);
    other.interrupt_ends(100);
    for start in (200..1_200).step_by(10) {
        other.interrupted(start, start + 6, "timer interrupt");
    }
    other.leaves(1_300, Left::Waiting, SLEEPER);
    let report = report(&scene, scene.explain(1_301));
    let interrupt = row(&report, Cause::Interrupt);
    assert_eq!((interrupt.wakeups, interrupt.runs), (1, 100));
    assert_eq!((interrupt.total_ns, interrupt.max_ns), (600, 600));
    assert_eq!(interrupt.longest_ns, 6);
}

/// The first event that shows the thread may be long after it began to run.
#[test]
fn a_wake_up_that_was_not_recorded_was_late_by_so_much_at_most() {
    let mut scene = Scene::asleep(0, IDLE);
    let mut idle = scene.on(0, IDLE);
    idle.expires(101, 102, 103).readies(104, 0);
    idle.interrupt_ends(105);
    scene.on(0, SLEEPER).interrupted(3_000, 3_001, "irq 9 disk");
    let wake_ups = found(&scene);
    assert_eq!(wake_ups[0].lateness, Lateness::AtMost);
    let report = report(&scene, wake_ups[0].clone());
    assert!(report.wakeups[0].is_at_most);
    assert_eq!(report.wakeups[0].lateness_ns, Some(2_900));
    // A loop that reads the clock knows when it woke.
    assert_eq!(scene.explain(130).lateness, Lateness::Known);
}

/// The end of the system call shows when the program went on.
#[test]
fn a_wake_up_whose_call_was_seen_to_end_is_exactly_as_late() {
    let mut scene = Scene::default();
    let call = scene.symbol("clock_nanosleep");
    let is_lock = false;
    let mut sleeper = scene.on(0, SLEEPER);
    sleeper.event(5, Kind::CallEntered { call, is_lock });
    sleeper.arms(10, 100, 100).leaves(20, Left::Waiting, IDLE);
    let mut idle = scene.on(0, IDLE);
    idle.expires(101, 102, 103).readies(104, 0);
    idle.interrupt_ends(105);
    scene.on(0, SLEEPER).event(130, Kind::CallReturned);
    scene.on(0, SLEEPER).interrupted(3_000, 3_001, "irq 9 disk");
    let wake_ups = found(&scene);
    assert_eq!(wake_ups[0].lateness, Lateness::Known);
    assert_eq!(wake_ups[0].lateness_ns(), Some(30));
}

#[test]
fn a_wake_up_without_a_deadline_has_no_lateness() {
    let mut scene = Scene::default();
    scene.on(0, SLEEPER).leaves(20, Left::Waiting, IDLE);
    let mut idle = scene.on(0, IDLE);
    idle.expires(101, 102, 103).readies(104, 0);
    idle.leaves(110, Left::Ready, SLEEPER);
    let wake_ups = found(&scene);
    assert_eq!(wake_ups.len(), 1);
    let report = report(&scene, wake_ups[0].clone());
    let up = &report.wakeups[0];
    assert_eq!((up.deadline_ns, up.lateness_ns), (None, None));
    assert_eq!(up.woke_ns, at(110).as_nanos());
    assert_eq!(report.lateness.count, 0);
    assert!(report.worst().is_empty());
}
