//! Priorities and processors: raised, refused with a reason, given back.

use super::super::Win32Error;
use super::Bench;
use super::fake::SEVEN;
use crate::guard::{MemoryGuard, PinGuard, PriorityGuard, SliceGuard};
use crate::os::{Priority, Scheduling, Slice};
use std::error::Error;

#[test]
fn a_raised_priority_is_given_back() {
    let Bench { fake, os, .. } = Bench::new(SEVEN);
    for (priority, raised) in [(Priority::High, 2), (Priority::Realtime, 15)] {
        let guard = PriorityGuard::raise(&os, priority).unwrap();
        assert_eq!(fake.state().priority, raised);
        drop(guard);
        assert_eq!(fake.state().priority, 0);
    }
}

#[test]
fn raising_never_lowers() {
    let Bench { fake, os, .. } = Bench::new(SEVEN);
    fake.state().priority = 15;
    let _guard = PriorityGuard::raise(&os, Priority::High).unwrap();
    assert_eq!(fake.state().priority, 15);
}

#[test]
fn a_refusal_says_what_is_missing() {
    let Bench { fake, os, .. } = Bench::new(SEVEN);
    fake.fail("set_thread_priority", Win32Error::ACCESS_DENIED);
    let error = PriorityGuard::raise(&os, Priority::High).unwrap_err();
    assert!(error.is_not_permitted());
    assert!(error.to_string().contains("THREAD_SET_INFORMATION"));
    let source = error.source().unwrap().downcast_ref();
    assert_eq!(source, Some(&Win32Error::ACCESS_DENIED));
    fake.fail("set_thread_priority", Win32Error::NO_SYSTEM_RESOURCES);
    let error = PriorityGuard::raise(&os, Priority::High).unwrap_err();
    assert!(error.is_system());
}

#[test]
fn a_pinned_thread_may_roam_again_after() {
    let Bench { fake, os, .. } = Bench::new(SEVEN);
    let guard = PinGuard::pin(&os, 3).unwrap();
    assert_eq!(fake.state().affinity, 0b1000);
    drop(guard);
    assert_eq!(fake.state().affinity, 0b1011);
}

#[test]
fn a_processor_that_is_not_ours_is_refused_with_those_that_are() {
    let Bench { os, .. } = Bench::new(SEVEN);
    for processor in [2, 64, usize::MAX] {
        let error = PinGuard::pin(&os, processor).unwrap_err();
        assert!(error.is_invalid_input());
        assert!(error.to_string().ends_with("it may use 0, 1, 3"), "{error}");
    }
}

#[test]
fn a_thread_keeps_to_a_set_of_processors() {
    let Bench { fake, os, .. } = Bench::new(SEVEN);
    let guard = PinGuard::pin_to(&os, [3, 0, 3]).unwrap();
    assert_eq!(fake.state().affinity, 0b1001);
    drop(guard);
    assert_eq!(fake.state().affinity, 0b1011);
    for wrong in [&[][..], &[0, 2]] {
        let error = PinGuard::pin_to(&os, wrong.iter().copied()).unwrap_err();
        assert!(error.is_invalid_input(), "{error}");
        assert_eq!(fake.state().affinity, 0b1011);
    }
}

#[test]
fn what_windows_lacks_is_said_with_what_to_use_instead() {
    let os = Bench::new(SEVEN).os;
    let error = PriorityGuard::raise(&os, Priority::Fifo(50)).unwrap_err();
    assert!(error.is_unsupported());
    assert!(error.to_string().contains("Priority::Realtime"), "{error}");
    let error = MemoryGuard::lock(&os).unwrap_err();
    assert!(error.is_unsupported());
    assert!(error.to_string().contains("VirtualLock"), "{error}");
    for error in [
        SliceGuard::set(&os, Slice::SHORTEST).unwrap_err(),
        os.slice().unwrap_err(),
    ] {
        assert!(error.is_unsupported());
        assert!(error.to_string().contains("multimedia_task"), "{error}");
    }
}

#[test]
fn a_process_in_several_groups_cannot_be_pinned_by_number() {
    let Bench { fake, os, .. } = Bench::new(SEVEN);
    fake.state().allowed = 0;
    assert!(PinGuard::pin(&os, 0).unwrap_err().is_unsupported());
}

#[test]
fn a_thread_does_a_multimedia_task_until_the_guard_is_dropped() {
    let Bench { fake, os, .. } = Bench::new(SEVEN);
    let guard = os.multimedia_task("Pro Audio").unwrap();
    assert!(fake.state().in_task);
    assert!(os.multimedia_task("Pro Audio").unwrap_err().is_system());
    drop(guard);
    assert!(!fake.state().in_task);
    drop(os.multimedia_task("Pro Audio").unwrap());
}

#[test]
fn a_multimedia_task_that_cannot_be_had_is_refused_with_the_reason() {
    let Bench { fake, os, .. } = Bench::new(SEVEN);
    let error = os.multimedia_task("Snooze").unwrap_err();
    assert!(error.is_invalid_input());
    assert!(error.to_string().contains("\"Snooze\""), "{error}");
    let join = "av_set_mm_thread_characteristics_w";
    for missing in [Win32Error::PROC_NOT_FOUND, Win32Error::MOD_NOT_FOUND] {
        fake.fail(join, missing);
        assert!(
            os.multimedia_task("Pro Audio")
                .unwrap_err()
                .is_unsupported()
        );
    }
    fake.fail(join, Win32Error::NO_SYSTEM_RESOURCES);
    assert!(os.multimedia_task("Pro Audio").unwrap_err().is_system());
}
