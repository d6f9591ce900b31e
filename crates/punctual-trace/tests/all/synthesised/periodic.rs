//! Lateness against a grid: of waits and of frames.

use super::scene::{IDLE, SLEEPER, Scene, at};
use punctual::Period;
use punctual_trace::event::{Left, TimerId};
use punctual_trace::program::explain_program;
use punctual_trace::scope::{LeftOut, Scope};
use punctual_trace::{Cause, Kind, Verdict, WakeUp};
use std::time::Duration;

const PERIOD_NS: u64 = 1_000;

/// A wait from an instant for another, which ends at a third. Where no timer ends it, another thread wakes the
/// thread then.
fn waits(scene: &mut Scene, began: u64, asked: Option<u64>, woke: u64) {
    let timer = TimerId(1);
    scene
        .on(0, SLEEPER)
        .interrupted(began - 20, began - 19, "irq 9 disk");
    if let Some(asked) = asked {
        scene.on(0, SLEEPER).arms(began, asked, asked);
    }
    scene.on(0, SLEEPER).leaves(began + 2, Left::Waiting, IDLE);
    let name = scene.names().symbol("timer interrupt");
    let mut idle = scene.on(0, IDLE);
    idle.event(woke - 8, Kind::InterruptEntry { name });
    if asked.is_some() {
        let clock_ahead_ns = 0;
        idle.event(
            woke - 7,
            Kind::TimerExpired {
                timer,
                clock_ahead_ns,
            },
        );
    }
    idle.event(woke - 6, Kind::Waking { thread: SLEEPER });
    idle.readies(woke - 5, 0).interrupt_ends(woke - 4);
    idle.leaves(woke, Left::Ready, SLEEPER);
}

fn explained(scene: &Scene, wakeups: bool, frames: bool) -> (Vec<WakeUp>, LeftOut) {
    let scope = Scope {
        period: Some(Period::from_duration(Duration::from_nanos(PERIOD_NS))),
        wakeups,
        frames,
    };
    let (wake_ups, left_out) = explain_program(&scene.trace(), &[SLEEPER], scope, at(0));
    for wake_up in &wake_ups {
        assert_eq!(wake_up.verdict, Verdict::Exact);
        let sum: u64 = wake_up.segments.iter().map(|segment| segment.ns).sum();
        assert_eq!(sum, wake_up.wait.lateness_ns());
    }
    (wake_ups, left_out)
}

/// Deadlines, and how late.
fn deadlines(wake_ups: &[WakeUp]) -> Vec<(u64, u64)> {
    let each = wake_ups.iter();
    each.map(|up| (up.wait.deadline.as_nanos(), up.wait.lateness_ns()))
        .collect()
}

#[test]
fn a_program_that_asks_late_is_late() {
    let mut scene = Scene::default();
    // At 4300 it was late to ask, and asked for a whole period from then on.
    for (began, asked, woke) in [
        (1_300, 2_000, 2_010),
        (2_300, 3_000, 3_010),
        (3_300, 4_000, 4_010),
        (4_300, 5_300, 5_310),
        (5_700, 6_000, 6_010),
    ] {
        waits(&mut scene, began, Some(asked), woke);
    }
    let (wake_ups, left_out) = explained(&scene, false, false);
    assert_eq!(left_out, LeftOut::default());
    assert_eq!(
        deadlines(&wake_ups),
        [
            (2_000, 10),
            (3_000, 10),
            (4_000, 10),
            (5_000, 310),
            (6_000, 10)
        ]
    );
    let asked_late = wake_ups[3].segments[0];
    assert_eq!((asked_late.cause, asked_late.ns), (Cause::AskedLate, 300));
}

#[test]
fn a_wait_between_two_deadlines_is_none_of_the_loops() {
    let mut scene = Scene::default();
    for (began, asked, woke) in [
        (1_300, 2_000, 2_010),
        (2_300, 2_600, 2_610),
        (2_700, 3_000, 3_010),
        (3_300, 4_000, 4_010),
    ] {
        waits(&mut scene, began, Some(asked), woke);
    }
    let (wake_ups, left_out) = explained(&scene, false, false);
    assert_eq!(
        deadlines(&wake_ups),
        [(2_000, 10), (3_000, 10), (4_000, 10)]
    );
    assert_eq!(left_out.others, 1);
}

#[test]
fn a_late_waker_makes_late() {
    let mut scene = Scene::default();
    for (began, woke) in [
        (1_300, 2_006),
        (2_300, 3_006),
        (3_300, 4_206),
        (4_300, 5_006),
    ] {
        waits(&mut scene, began, None, woke);
    }
    let (wake_ups, _) = explained(&scene, true, false);
    assert_eq!(
        deadlines(&wake_ups),
        [(2_000, 6), (3_000, 6), (4_000, 206), (5_000, 6)]
    );
    let slept = wake_ups[2].segments[0];
    assert_eq!((slept.cause, slept.ns), (Cause::Sleeping, 200));
    assert_eq!(wake_ups[2].woken_by[0].at, at(4_200));
}

#[test]
fn a_program_that_keeps_no_period_is_counted_from_its_own_deadlines() {
    let mut scene = Scene::default();
    for number in 1..=40 {
        let asked = number * 1_225;
        waits(&mut scene, asked - 700, Some(asked), asked + 10);
    }
    let (wake_ups, left_out) = explained(&scene, false, false);
    assert_eq!(left_out.off_grid, [SLEEPER].into());
    assert!(wake_ups.iter().all(|up| up.wait.lateness_ns() == 10));
    assert_eq!(wake_ups.len(), 40);
}

#[test]
fn a_frame_that_came_late_is_late_by_the_deadlines_without_one() {
    let mut scene = Scene::default();
    // None for 4000 and 5000; two for 7000.
    for (began, woke, frames) in [
        (1_300, 2_010, &[2_100][..]),
        (2_300, 3_010, &[3_100]),
        (3_300, 6_010, &[6_150]),
        (6_300, 7_010, &[7_100, 7_160]),
        (7_300, 8_010, &[8_100]),
    ] {
        waits(&mut scene, began, Some(woke - 10), woke);
        for &frame in frames {
            scene.on(0, SLEEPER).event(frame, Kind::Framed);
        }
    }
    let (wake_ups, left_out) = explained(&scene, false, true);
    assert_eq!(
        deadlines(&wake_ups),
        [
            (2_100, 0),
            (3_100, 0),
            (4_100, 2_050),
            (7_100, 0),
            (8_100, 0)
        ]
    );
    assert_eq!((left_out.missed, left_out.others), (2, 1));
    let causes = wake_ups[2].segments.iter();
    let causes: Vec<_> = causes.map(|part| (part.cause.name(), part.ns)).collect();
    assert_eq!(causes[0], ("asked-late", 1_900));
    assert_eq!(causes.last(), Some(&("after-switch", 140)));
}

#[test]
fn frames_that_lie_evenly_over_the_period_are_left_out() {
    let mut scene = Scene::default();
    for number in 1..=40 {
        scene.on(0, SLEEPER).event(number * 1_225, Kind::Framed);
    }
    let (wake_ups, left_out) = explained(&scene, false, true);
    assert_eq!(wake_ups, []);
    assert_eq!(left_out.off_grid, [SLEEPER].into());
}

#[test]
fn a_program_that_was_stopped_goes_on_with_another_grid() {
    let mut scene = Scene::default();
    for number in 1..=1_500 {
        let asked = number * 1_000;
        waits(&mut scene, asked - 700, Some(asked), asked + 10);
    }
    for number in 1_502..=4_000 {
        let asked = number * 1_000 + 400;
        waits(&mut scene, asked - 700, Some(asked), asked + 10);
    }
    let (wake_ups, left_out) = explained(&scene, false, false);
    assert_eq!(left_out, LeftOut::default());
    let late = wake_ups
        .iter()
        .filter(|up| up.wait.lateness_ns() > 10)
        .count();
    assert!((1..1_100).contains(&late), "{late}");
    assert!(
        wake_ups
            .iter()
            .rev()
            .take(1_000)
            .all(|up| up.wait.lateness_ns() == 10)
    );
}
