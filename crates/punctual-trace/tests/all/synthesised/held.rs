//! What holds a thread back that is neither its timer nor another thread: a quota, a stop, the kernel, a
//! lock.

use super::scene::{IDLE, OTHER, On, SLEEPER, Scene, at};
use punctual_trace::event::{Left, TimerId};
use punctual_trace::{Chronicle, Kind, Reason, ThreadId, Verdict, Wait, WakeUp, waits};

const EXACT: Verdict = Verdict::Exact;

/// The timers of two groups' quotas.
const OWN_QUOTA: TimerId = TimerId(100);
const ANOTHERS_QUOTA: TimerId = TimerId(101);

const MS: u64 = 1_000_000;

/// The sleeper is woken at its deadline while another thread runs, and its call returns at 110.
fn woken(to: On<'_>) {
    let mut on = to;
    on.expires(100, 101, 102).readies(103, 0);
    on.interrupt_ends(104).leaves(105, Left::Ready, SLEEPER);
    on.event(110, Kind::CallReturned);
}

fn in_call(scene: &mut Scene, name: &str, ns: u64, is_lock: bool) {
    let call = scene.symbol(name);
    scene
        .on(0, SLEEPER)
        .event(ns, Kind::CallEntered { call, is_lock });
}

/// It is woken at its deadline, its quota takes its processor on its way back, and at a refill it gets
/// it again from the other thread, which was asked for it 5 later.
fn throttled(refill: u64, by: TimerId) -> Scene {
    let mut scene = Scene::asleep(0, OTHER);
    woken(scene.on(0, OTHER));
    scene.on(0, SLEEPER).leaves(112, Left::Ready, OTHER);
    let mut elsewhere = scene.on(1, IDLE);
    elsewhere.event(refill, Kind::QuotaRefilled { timer: by });
    let mut other = scene.on(0, OTHER);
    other.leaves(refill + 5, Left::Ready, SLEEPER);
    other.interrupted(refill + 1_000, refill + 1_001, "irq 9 disk");
    scene
}

/// The first wait of the sleeper, found from its timers.
fn found(scene: &Scene) -> Result<Wait, WakeUp> {
    let chronicle = Chronicle::new(&scene.trace(), &[SLEEPER]);
    waits(&chronicle, SLEEPER).remove(0)
}

#[test]
fn a_quota_holds_a_thread_back_on_its_way_to_its_program() {
    let scene = throttled(20 * MS, OWN_QUOTA);
    assert_eq!(found(&scene).unwrap().woke, at(20 * MS + 5));
    assert_eq!(
        scene.segments(20 * MS + 5, EXACT),
        [
            "3 irq-handler (timer interrupt)".to_owned(),
            "1 interrupt (timer interrupt)".to_owned(),
            "1 run-queue-wait (other-8)".to_owned(),
            "7 after-switch (sleeper-7)".to_owned(),
            format!("{} throttled (sleeper-7)", 20 * MS - 112),
            "5 run-queue-wait (other-8)".to_owned(),
        ]
    );
}

#[test]
fn a_thread_that_was_asked_to_give_way_was_not_held_by_a_quota() {
    let mut scene = Scene::asleep(0, OTHER);
    woken(scene.on(0, OTHER));
    let mut asked = scene.on(0, SLEEPER).asked();
    asked.interrupted(111, 112, "reschedule interrupt");
    asked.leaves(113, Left::Ready, OTHER);
    let timer = OWN_QUOTA;
    scene.on(1, IDLE).event(150, Kind::QuotaRefilled { timer });
    scene.on(0, OTHER).leaves(160, Left::Ready, SLEEPER);
    // Interrupted in its program: it had come back.
    assert_eq!(found(&scene).unwrap().woke, at(110));
    let segments = scene.segments(161, EXACT);
    assert!(
        segments.contains(&"47 slice-expired (other-8)".to_owned()),
        "{segments:?}"
    );
}

#[test]
fn a_thread_that_is_asked_to_give_way_on_its_way_back_is_not_back() {
    let mut scene = Scene::asleep(0, OTHER);
    let mut other = scene.on(0, OTHER);
    other.expires(100, 101, 102).readies(103, 0);
    other.interrupt_ends(104).leaves(105, Left::Ready, SLEEPER);
    let mut asked = scene.on(0, SLEEPER).asked();
    asked.event(110, Kind::CallReturned);
    asked.interrupted(111, 112, "irq 9 disk");
    asked.leaves(113, Left::Ready, OTHER);
    scene.on(0, OTHER).leaves(160, Left::Ready, SLEEPER);
    assert_eq!(found(&scene).unwrap().woke, at(160));
}

/// What it calls then is not recorded: it exits, for example.
#[test]
fn a_thread_that_has_run_for_longer_than_the_way_back_takes_was_back() {
    const RETURNED: u64 = 110;
    let left = |after: u64, left: Left| {
        let mut scene = Scene::asleep(0, OTHER);
        woken(scene.on(0, OTHER));
        let gone = RETURNED + after;
        scene.on(0, SLEEPER).leaves(gone, left, OTHER);
        let mut other = scene.on(0, OTHER);
        if left == Left::Stopped {
            other.readies(gone + MS, 0);
        }
        other.leaves(gone + 2 * MS, Left::Ready, SLEEPER);
        (found(&scene).unwrap().woke, at(gone + 2 * MS))
    };
    for (longest, state) in [(25_000, Left::Ready), (50_000, Left::Stopped)] {
        let (woke, again) = left(longest, state);
        assert_eq!(woke, again);
        let (woke, _) = left(longest + 1, state);
        assert_eq!(woke, at(RETURNED));
    }
}

/// Before Linux 6.18, a thread that was woken while its group had no quota did not run at all.
#[test]
fn a_processor_that_is_idle_for_long_though_a_thread_is_ready_waits_for_a_quota() {
    let mut scene = Scene::asleep(0, IDLE);
    let mut idle = scene.on(0, IDLE);
    idle.expires(100, 101, 102).readies(103, 0);
    idle.interrupt_ends(104);
    let timer = OWN_QUOTA;
    scene
        .on(1, IDLE)
        .event(5 * MS, Kind::QuotaRefilled { timer });
    scene.on(0, IDLE).leaves(5 * MS + 7, Left::Ready, SLEEPER);
    let segments = scene.segments(5 * MS + 7, EXACT);
    assert_eq!(
        segments[1],
        format!("{} throttled (sleeper-7)", 5 * MS - 103)
    );
    assert_eq!(segments[2], "7 idle-exit (idle)");
}

#[test]
fn nothing_is_said_of_a_long_idle_time_that_no_refill_ended() {
    for (idle_ns, verdict) in [
        (MS, EXACT),
        (MS + 1, Verdict::Unexplained(Reason::IdleWhileReady)),
    ] {
        let mut scene = Scene::asleep(0, IDLE);
        let mut idle = scene.on(0, IDLE);
        idle.expires(100, 101, 102).readies(103, 0);
        idle.interrupt_ends(104);
        idle.leaves(104 + idle_ns, Left::Ready, SLEEPER);
        assert_eq!(scene.explain(105 + idle_ns).verdict, verdict);
    }
}

/// Its own group's is the one at whose refills it runs; another's comes while others have the processor.
#[test]
fn another_groups_refill_sets_nothing_free() {
    let mut scene = throttled(20 * MS, OWN_QUOTA);
    let mut sleeper = scene.on(0, SLEEPER);
    sleeper.leaves(30 * MS, Left::Waiting, OTHER);
    let mut other = scene.on(0, OTHER);
    other
        .readies(31 * MS, 0)
        .leaves(31 * MS + 1, Left::Ready, SLEEPER);
    other.leaves(31 * MS + 3, Left::Ready, OTHER);
    for (ns, timer) in [(40 * MS, OWN_QUOTA), (41 * MS, ANOTHERS_QUOTA)] {
        scene.on(1, IDLE).event(ns, Kind::QuotaRefilled { timer });
    }
    scene.on(0, OTHER).leaves(45 * MS, Left::Ready, SLEEPER);
    let chronicle = Chronicle::new(&scene.trace(), &[SLEEPER]);
    let held = |ns| chronicle.held_until(SLEEPER, at(ns));
    assert_eq!(held(32 * MS), Some(at(40 * MS)));
    assert_eq!(held(40 * MS), None);
    assert_eq!(held(113), Some(at(20 * MS)));
}

/// It was to wake at 100, but came to wait only at 300, because of what it did from 50 until 200, when
/// something woke it.
fn armed_late(left: Left, in_lock: Option<bool>, waker: ThreadId) -> Vec<String> {
    let mut scene = Scene::default();
    scene.name_threads();
    scene.on(0, SLEEPER).event(5, Kind::CallReturned);
    if let Some(is_lock) = in_lock {
        in_call(&mut scene, "a call", 40, is_lock);
    }
    scene.on(0, SLEEPER).leaves(50, left, waker);
    let thread = SLEEPER;
    let mut other = scene.on(0, waker);
    other.event(199, Kind::Waking { thread }).readies(200, 0);
    other.leaves(210, Left::Ready, SLEEPER);
    scene.on(0, SLEEPER).event(220, Kind::CallReturned);
    scene.on(0, SLEEPER).arms(300, 100, 100);
    scene.on(0, SLEEPER).leaves(310, Left::Waiting, IDLE);
    let mut idle = scene.on(0, IDLE);
    idle.expires(320, 321, 322).readies(323, 0);
    idle.interrupt_ends(324).leaves(325, Left::Ready, SLEEPER);
    scene.segments(330, EXACT)
}

#[test]
fn what_a_thread_waited_for_before_it_came_to_wait_for_its_timer_is_told_apart() {
    for (left, in_lock, cause) in [
        (Left::Stopped, None, "stopped"),
        (Left::Blocked, None, "blocked"),
        (Left::Blocked, Some(true), "blocked"),
        (Left::Waiting, Some(true), "lock"),
        (Left::Waiting, Some(false), "sleeping"),
        (Left::Waiting, None, "sleeping"),
    ] {
        let segments = armed_late(left, in_lock, IDLE);
        assert_eq!(segments[0], format!("100 {cause} (sleeper-7)"));
        assert_eq!(segments[1], "10 idle-exit (idle)");
        assert_eq!(segments[2], "90 armed-late (sleeper-7)");
    }
}

/// A signal that comes while it waits stops it on its way back, and its wait goes on for as long.
#[test]
fn a_thread_that_is_stopped_on_its_way_back_is_not_back() {
    let mut scene = Scene::asleep(0, OTHER);
    woken(scene.on(0, OTHER));
    scene.on(0, SLEEPER).leaves(112, Left::Stopped, OTHER);
    scene
        .on(0, OTHER)
        .readies(400, 0)
        .leaves(405, Left::Ready, SLEEPER);
    assert_eq!(found(&scene).unwrap().woke, at(405));
    let segments = scene.segments(405, EXACT);
    assert_eq!(segments[4], "288 stopped (sleeper-7)");
}

/// It waits in a call of a kind that is not recorded, such as a write to a disk.
#[test]
fn a_thread_that_waits_for_something_else_is_back() {
    for left in [Left::Blocked, Left::Waiting] {
        let mut scene = Scene::asleep(0, OTHER);
        woken(scene.on(0, OTHER));
        scene.on(0, SLEEPER).leaves(112, left, OTHER);
        scene
            .on(0, OTHER)
            .readies(400, 0)
            .leaves(405, Left::Ready, SLEEPER);
        assert_eq!(found(&scene).unwrap().woke, at(110), "{left:?}");
    }
}

/// The switch to it is not recorded, as on some virtual machines: it was held until the refill, and ran
/// some time after.
#[test]
fn a_quota_counts_though_the_switch_after_it_was_lost() {
    let mut scene = Scene::asleep(0, OTHER);
    woken(scene.on(0, OTHER));
    scene.on(0, SLEEPER).leaves(112, Left::Ready, IDLE);
    let timer = OWN_QUOTA;
    scene
        .on(0, IDLE)
        .event(5 * MS, Kind::QuotaRefilled { timer });
    scene
        .on(0, SLEEPER)
        .interrupted(5 * MS + 9, 5 * MS + 10, "irq 9 disk");
    assert_eq!(found(&scene).unwrap().woke, at(5 * MS + 9));
    let segments = scene.segments(5 * MS + 9, Verdict::Ambiguous);
    assert_eq!(
        segments[4],
        format!("{} throttled (sleeper-7)", 5 * MS - 112)
    );
    assert_eq!(segments[5], "9 ambiguous (idle)");
}

#[test]
fn a_call_that_waits_again_ends_the_wait_where_it_ran() {
    let mut scene = Scene::asleep(0, OTHER);
    let mut other = scene.on(0, OTHER);
    other.expires(100, 101, 102).readies(103, 0);
    other.interrupt_ends(104).leaves(105, Left::Ready, SLEEPER);
    scene.on(0, SLEEPER).leaves(107, Left::Waiting, OTHER);
    scene
        .on(0, OTHER)
        .readies(400, 0)
        .leaves(405, Left::Ready, SLEEPER);
    scene.on(0, SLEEPER).event(410, Kind::CallReturned);
    assert_eq!(found(&scene).unwrap().woke, at(105));
}

#[test]
fn a_wait_that_is_not_over_when_the_trace_ends_has_no_length() {
    let mut scene = Scene::default();
    scene.name_threads();
    in_call(&mut scene, "nanosleep", 5, false);
    scene.on(0, SLEEPER).arms(10, 100, 100);
    scene.on(0, SLEEPER).leaves(20, Left::Waiting, OTHER);
    let mut other = scene.on(0, OTHER);
    other.expires(100, 101, 102).readies(103, 0);
    other.interrupt_ends(104).leaves(105, Left::Ready, SLEEPER);
    let unexplained = Verdict::Unexplained(Reason::OutsideTrace);
    assert_eq!(found(&scene).unwrap_err().verdict, unexplained);
    scene.on(0, SLEEPER).event(110, Kind::CallReturned);
    assert_eq!(found(&scene).unwrap().woke, at(110));
    // It was held back, and it is not known until when.
    scene.on(0, SLEEPER).leaves(112, Left::Ready, OTHER);
    assert_eq!(found(&scene).unwrap_err().verdict, unexplained);
}

#[test]
fn what_set_a_lock_free_is_named() {
    let segments = armed_late(Left::Waiting, Some(true), OTHER);
    assert_eq!(segments[0], "100 lock (other-8)");
    assert_eq!(segments[1], "10 run-queue-wait (other-8)");
}
