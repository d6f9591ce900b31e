//! Every cause, in a trace that has it.

use super::scene::{IDLE, OTHER, SLEEPER, Scene};
use punctual_trace::event::Left;
use punctual_trace::{Kind, ProcessorId, Verdict};

const EXACT: Verdict = Verdict::Exact;

#[test]
fn a_quiet_machine_has_slack_an_interrupt_and_a_switch() {
    let mut scene = Scene::asleep(50, IDLE);
    let mut idle = scene.on(0, IDLE);
    idle.expires(155, 156, 157).readies(158, 0);
    idle.interrupt_ends(160).leaves(165, Left::Ready, SLEEPER);
    assert_eq!(
        scene.segments(170, EXACT),
        [
            "50 slack (sleeper-7)",
            "5 interrupt-late (idle)",
            "3 irq-handler (timer interrupt)",
            "2 interrupt (timer interrupt)",
            "5 idle-exit (idle)",
            "5 after-switch (sleeper-7)",
        ]
    );
}

#[test]
fn another_timers_interrupt_may_end_slack_early() {
    let mut scene = Scene::asleep(50, IDLE);
    let mut idle = scene.on(0, IDLE);
    idle.expires(110, 111, 112).readies(113, 0);
    idle.interrupt_ends(114).leaves(115, Left::Ready, SLEEPER);
    let segments = scene.segments(116, EXACT);
    assert_eq!(segments[0], "10 slack (sleeper-7)");
    assert_eq!(segments[1], "3 irq-handler (timer interrupt)");
}

#[test]
fn a_timer_asked_for_late_is_not_the_systems_fault() {
    let mut scene = Scene::default();
    scene.on(0, SLEEPER).arms(10, 104, 104);
    scene.on(0, SLEEPER).leaves(20, Left::Waiting, IDLE);
    let mut idle = scene.on(0, IDLE);
    idle.expires(105, 106, 107).readies(108, 0);
    idle.leaves(109, Left::Ready, SLEEPER);
    let segments = scene.segments(110, EXACT);
    assert_eq!(segments[0], "4 asked-late (thread 7)");
    assert_eq!(segments[1], "1 interrupt-late (idle)");
}

#[test]
fn what_has_the_processor_is_named_interrupt_by_interrupt() {
    let mut scene = Scene::asleep(0, OTHER);
    scene.on(0, OTHER).interrupted(102, 104, "irq 9 disk");
    let mut other = scene.on(0, OTHER);
    other.expires(105, 105, 105).readies(106, 0);
    other.interrupt_ends(107);
    other.interrupted(110, 112, "irq 9 disk");
    other.softirq(112, 115, "softirq BLOCK");
    other.leaves(120, Left::Waiting, SLEEPER);
    assert_eq!(
        scene.segments(121, EXACT),
        [
            "2 interrupt-late (other-8)",
            "2 interrupt-late (irq 9 disk)",
            "1 interrupt-late (other-8)",
            "1 irq-handler (timer interrupt)",
            "1 interrupt (timer interrupt)",
            "3 run-queue-wait (other-8)",
            "2 interrupt (irq 9 disk)",
            "3 softirq (softirq BLOCK)",
            "5 run-queue-wait (other-8)",
            "1 after-switch (sleeper-7)",
        ]
    );
}

#[test]
fn a_thread_that_was_asked_gives_way_or_does_not() {
    let mut scene = Scene::asleep(0, OTHER);
    let mut other = scene.on(0, OTHER).asked();
    other.expires(101, 102, 103).readies(104, 0);
    other.interrupt_ends(105);
    other.leaves(140, Left::Ready, SLEEPER);
    let segments = scene.segments(141, EXACT);
    assert_eq!(segments[3], "35 wake-up-preemption-delay (other-8)");
}

#[test]
fn a_processor_that_was_asked_may_choose_the_same_thread_again() {
    let mut scene = Scene::asleep(0, OTHER);
    let mut other = scene.on(0, OTHER).asked();
    other.expires(101, 102, 103).readies(104, 0);
    other.interrupt_ends(105);
    // it shows at the next tick: nothing asks any more.
    scene.on(0, OTHER).interrupted(120, 121, "timer interrupt");
    scene.on(0, OTHER).leaves(140, Left::Waiting, SLEEPER);
    let segments = scene.segments(141, EXACT);
    assert_eq!(segments[3], "15 run-queue-wait (other-8)");
    assert_eq!(segments[5], "19 run-queue-wait (other-8)");
}

#[test]
fn a_ready_thread_that_moves_waits_in_both_queues() {
    let mut scene = Scene::asleep(0, OTHER);
    let mut other = scene.on(0, OTHER);
    other.expires(101, 102, 103).readies(104, 0);
    other.interrupt_ends(105);
    scene.on(1, IDLE).event(
        110,
        Kind::Migrated {
            thread: SLEEPER,
            to: ProcessorId(1),
        },
    );
    scene.on(1, IDLE).leaves(114, Left::Ready, SLEEPER);
    assert_eq!(
        scene.segments(115, EXACT)[3..],
        [
            "5 run-queue-wait (other-8)",
            "4 migration (idle)",
            "1 after-switch (sleeper-7)"
        ]
    );
}

#[test]
fn a_deadline_that_had_passed_is_the_programs_own_overrun() {
    let mut scene = Scene::default();
    scene.on(0, SLEEPER).interrupted(1, 2, "irq 9 disk");
    // Busy until after the deadline, preempted in between; then no timer is needed.
    scene.on(0, SLEEPER).leaves(110, Left::Ready, OTHER);
    scene.on(0, OTHER).leaves(130, Left::Waiting, SLEEPER);
    scene.on(0, SLEEPER).interrupted(150, 151, "irq 9 disk");
    let wait = punctual_trace::Wait {
        thread: SLEEPER,
        began: super::scene::at(140),
        deadline: super::scene::at(100),
        woke: super::scene::at(142),
    };
    let trace = scene.trace();
    let chronicle = punctual_trace::Chronicle::new(&trace, &[SLEEPER]);
    let wake_up = punctual_trace::explain(&chronicle, &wait);
    assert_eq!(wake_up.verdict, EXACT);
    let causes = wake_up
        .segments
        .iter()
        .map(|part| (part.ns, part.cause.name()));
    assert_eq!(
        causes.collect::<Vec<_>>(),
        [
            (10, "armed-late"),
            (20, "run-queue-wait"),
            (10, "armed-late"),
            (2, "after-switch")
        ]
    );
}
