//! Stacks of a wait, beside an explanation that they do not change.

use super::scene::{IDLE, OTHER, SLEEPER, Scene};
use punctual_trace::event::Left;
use punctual_trace::{Kind, ThreadId, Verdict};

/// The sleeper waits for 100 while the other runs, and gets the processor at 160. With stacks, if wanted.
fn scene(with_stacks: bool) -> Scene {
    let mut scene = Scene::asleep(0, OTHER);
    stack(&mut scene, with_stacks, 21, "nanosleep");
    scene.on(0, OTHER).expires(101, 103, 105);
    scene.on(0, OTHER).readies(108, 0).interrupt_ends(110);
    scene.on(0, OTHER).leaves(140, Left::Waiting, IDLE);
    stack(&mut scene, with_stacks, 141, "read");
    scene.on(0, IDLE).leaves(150, Left::Ready, OTHER);
    stack(&mut scene, with_stacks, 151, "idle");
    scene.on(0, OTHER).leaves(160, Left::Ready, SLEEPER);
    stack(&mut scene, with_stacks, 161, "preempted");
    scene
}

fn stack(scene: &mut Scene, is_wanted: bool, ns: u64, text: &str) {
    if is_wanted {
        let text = scene.names().symbol(text);
        scene.adds(0, ns, Kind::Stack { text });
    }
}

/// The stacks of the wait that ended at this time.
fn told(scene: &mut Scene, woke: u64) -> Vec<(u64, ThreadId, String)> {
    let wake_up = scene.explain(woke);
    let stacks = wake_up.stacks.iter();
    let told = stacks.map(|stack| {
        let text = scene.names().text(stack.text).to_owned();
        (stack.at.as_nanos(), stack.thread, text)
    });
    told.collect()
}

#[test]
fn a_wait_has_its_own_stack_and_that_of_what_left_the_processor_to_it() {
    let expected = [
        (21, SLEEPER, "nanosleep".to_owned()),
        (161, OTHER, "preempted".to_owned()),
    ];
    assert_eq!(told(&mut scene(true), 170), expected);
    assert_eq!(told(&mut scene(false), 170), []);
}

#[test]
fn an_explanation_is_the_same_with_stacks_and_without() {
    let segments = |with_stacks| scene(with_stacks).segments(170, Verdict::Exact);
    assert_eq!(segments(true), segments(false));
}

#[test]
fn the_stack_of_an_idle_thread_is_left_out() {
    let mut scene = Scene::asleep(0, IDLE);
    scene.on(0, IDLE).expires(101, 103, 105);
    scene.on(0, IDLE).readies(108, 0).interrupt_ends(110);
    scene.on(0, IDLE).leaves(120, Left::Ready, SLEEPER);
    stack(&mut scene, true, 121, "cpuidle");
    assert_eq!(told(&mut scene, 130), []);
}
