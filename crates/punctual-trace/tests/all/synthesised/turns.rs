//! A thread that spins before its deadline, and loses its processor meanwhile.

use super::scene::{IDLE, OTHER, SLEEPER, Scene, at};
use punctual_trace::event::{Left, Priority};
use punctual_trace::report::Tally;
use punctual_trace::{Chronicle, Kind, ProcessorId, ThreadId, Verdict, Wait, explain};

const EXACT: Verdict = Verdict::Exact;

/// No thread in particular.
const THIRD: ThreadId = ThreadId(9);

/// The sleeper is woken at 50 for a deadline at 100, gets the processor from the other at 55, and spins.
fn spinning() -> Scene {
    let mut scene = Scene::default();
    scene.name_threads();
    scene.on(0, SLEEPER).arms(10, 50, 50);
    scene.on(0, SLEEPER).leaves(20, Left::Waiting, OTHER);
    let mut other = scene.on(0, OTHER).asked();
    other.expires(50, 51, 52).readies(53, 0);
    other.interrupt_ends(54).leaves(55, Left::Ready, SLEEPER);
    scene
}

#[test]
fn a_spin_that_loses_its_processor_before_the_deadline_is_late_because_its_turn_was_over() {
    let mut scene = spinning();
    let mut spinner = scene.on(0, SLEEPER).asked();
    spinner.interrupted(90, 91, "timer interrupt");
    spinner.leaves(92, Left::Ready, OTHER);
    scene.on(0, OTHER).leaves(400, Left::Ready, THIRD);
    scene.on(0, THIRD).leaves(700, Left::Waiting, SLEEPER);
    assert_eq!(
        scene.segments(705, EXACT),
        [
            "300 slice-expired (other-8)",
            "300 slice-expired (thread 9)",
            "5 after-switch (sleeper-7)"
        ]
    );
    let preemption = scene.explain(705).preemption.unwrap();
    assert_eq!(
        (preemption.at, preemption.had_since),
        (at(92), Some(at(55)))
    );
}

#[test]
fn when_the_processor_was_preempted_is_told_in_the_report() {
    let mut scene = spinning();
    let mut spinner = scene.on(0, SLEEPER).asked();
    spinner.interrupted(90, 91, "timer interrupt");
    spinner.leaves(92, Left::Ready, OTHER);
    scene.on(0, OTHER).leaves(400, Left::Waiting, SLEEPER);
    let report = Tally::of(&[scene.explain(405)], &scene.trace().names).report(None);
    let preemption = report.wakeups[0].preemption.unwrap();
    assert_eq!(
        (preemption.before_ns, preemption.had_for_ns),
        (313, Some(37))
    );
}

#[test]
fn a_spin_that_gets_its_processor_back_in_time_is_not_late() {
    let mut scene = spinning();
    scene
        .on(0, SLEEPER)
        .asked()
        .interrupted(60, 61, "timer interrupt");
    scene.on(0, SLEEPER).leaves(62, Left::Ready, OTHER);
    scene.on(0, OTHER).leaves(80, Left::Waiting, SLEEPER);
    scene.on(0, SLEEPER).interrupted(150, 151, "irq 9 disk");
    assert_eq!(scene.segments(101, EXACT), ["1 after-switch (sleeper-7)"]);
    assert_eq!(scene.explain(101).preemption, None);
}

#[test]
fn a_thread_that_was_woken_and_never_ran_had_no_turn_to_lose() {
    let mut scene = Scene::asleep(0, OTHER);
    let mut other = scene.on(0, OTHER);
    other.expires(100, 101, 102).readies(103, 0);
    other.interrupt_ends(104).leaves(400, Left::Ready, SLEEPER);
    let segments = scene.segments(405, EXACT);
    assert_eq!(segments[2], "296 run-queue-wait (other-8)");
    assert_eq!(scene.explain(405).preemption, None);
}

#[test]
fn a_more_urgent_class_preempts_and_needs_no_turn() {
    for urgent in [Priority::RealTime(50), Priority::Deadline] {
        let mut scene = spinning();
        let mut spinner = scene.on(0, SLEEPER).asked();
        spinner.interrupted(90, 91, "timer interrupt");
        spinner.leaves_to(92, Left::Ready, OTHER, Some(urgent));
        let mut other = scene.on(0, OTHER);
        other.leaves_to(400, Left::Waiting, THIRD, Some(Priority::Nice(0)));
        scene.on(0, THIRD).leaves(700, Left::Waiting, SLEEPER);
        let segments = scene.segments(705, EXACT);
        assert_eq!(segments[0], "300 preempted (other-8)", "{urgent}");
        // Once that one is done, turns decide again.
        assert_eq!(segments[1], "300 slice-expired (thread 9)", "{urgent}");
    }
}

#[test]
fn a_thread_that_gives_its_processor_up_unasked_lost_no_turn() {
    let mut scene = spinning();
    scene.on(0, SLEEPER).interrupted(90, 91, "irq 9 disk");
    // As `sched_yield` does.
    scene.on(0, SLEEPER).leaves(92, Left::Ready, OTHER);
    scene.on(0, OTHER).leaves(400, Left::Waiting, SLEEPER);
    assert_eq!(
        scene.segments(401, EXACT)[0],
        "300 run-queue-wait (other-8)"
    );
}

#[test]
fn a_turn_that_was_over_stays_so_on_another_processor() {
    let mut scene = spinning();
    let mut spinner = scene.on(0, SLEEPER).asked();
    spinner.interrupted(90, 91, "timer interrupt");
    spinner.leaves(92, Left::Ready, OTHER);
    scene.on(1, IDLE).leaves(94, Left::Ready, THIRD);
    let (thread, to) = (SLEEPER, ProcessorId(1));
    scene.on(1, THIRD).event(200, Kind::Migrated { thread, to });
    scene.on(1, THIRD).leaves(300, Left::Waiting, SLEEPER);
    let segments = scene.segments(301, EXACT);
    assert_eq!(
        segments[..2],
        [
            "100 slice-expired (other-8)",
            "100 slice-expired (thread 9)"
        ]
    );
    assert_eq!(scene.explain(301).preemption.unwrap().at, at(92));
}

#[test]
fn a_thread_that_works_past_its_next_deadline_may_owe_it_to_its_turn() {
    let mut scene = Scene::default();
    scene.name_threads();
    scene.on(0, SLEEPER).interrupted(1, 2, "irq 9 disk");
    scene
        .on(0, SLEEPER)
        .asked()
        .interrupted(80, 81, "timer interrupt");
    scene.on(0, SLEEPER).leaves(82, Left::Ready, OTHER);
    scene.on(0, OTHER).leaves(130, Left::Waiting, SLEEPER);
    scene.on(0, SLEEPER).interrupted(150, 151, "irq 9 disk");
    let wait = Wait {
        thread: SLEEPER,
        began: at(140),
        deadline: at(100),
        woke: at(142),
    };
    let wake_up = explain(&Chronicle::new(&scene.trace(), &[SLEEPER]), &wait);
    let causes = wake_up.segments.iter();
    let causes: Vec<_> = causes.map(|part| (part.ns, part.cause.name())).collect();
    assert_eq!(
        causes,
        [
            (30, "slice-expired"),
            (10, "armed-late"),
            (2, "after-switch")
        ]
    );
}

/// The sleeper is woken at 103 and makes the kernel choose. Its choice falls on another that waits for its turn.
fn passed_over(scene: &mut Scene, priority: Option<Priority>) {
    let mut other = scene.on(0, OTHER).asked();
    other.expires(100, 101, 102).readies(103, 0);
    other.interrupt_ends(104);
    other.leaves_to(108, Left::Ready, THIRD, priority);
}

#[test]
fn a_thread_that_was_ready_when_another_was_chosen_was_passed_over() {
    let mut scene = Scene::asleep(0, OTHER);
    passed_over(&mut scene, None);
    scene.on(0, THIRD).interrupted(200, 203, "irq 9 disk");
    scene.on(0, THIRD).leaves(400, Left::Ready, SLEEPER);
    let segments = scene.segments(405, EXACT);
    assert_eq!(
        segments[2..],
        [
            "4 wake-up-preemption-delay (other-8)",
            "92 picked-another (thread 9)",
            "3 interrupt (irq 9 disk)",
            "197 picked-another (thread 9)",
            "5 after-switch (sleeper-7)"
        ]
    );
    assert_eq!(scene.explain(405).preemption, None);
}

#[test]
fn neither_a_more_urgent_one_nor_one_that_was_chosen_before_passes_a_thread_over() {
    let mut scene = Scene::asleep(0, OTHER);
    passed_over(&mut scene, Some(Priority::RealTime(50)));
    scene.on(0, THIRD).leaves(400, Left::Ready, SLEEPER);
    assert_eq!(
        scene.segments(405, EXACT)[3],
        "292 run-queue-wait (thread 9)"
    );

    let mut scene = Scene::asleep(0, OTHER);
    passed_over(&mut scene, None);
    scene.on(1, IDLE).leaves(150, Left::Ready, ThreadId(10));
    let (thread, to) = (SLEEPER, ProcessorId(1));
    scene
        .on(1, ThreadId(10))
        .event(200, Kind::Migrated { thread, to });
    scene
        .on(1, ThreadId(10))
        .leaves(300, Left::Waiting, SLEEPER);
    let segments = scene.segments(305, EXACT);
    assert_eq!(
        segments[3..5],
        [
            "92 picked-another (thread 9)",
            "100 run-queue-wait (thread 10)"
        ]
    );
}
