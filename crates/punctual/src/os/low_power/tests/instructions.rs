//! The instructions themselves.
//!
//! A processor that lacks one ends the program that runs it. Here the kernel's signal is caught
//! instead, and a few lines do what the processor would: so the instruction, and what it is given, are
//! tried on any. The processor of a virtual machine may run one that it says it lacks.

use super::*;

fn now() -> Instant {
    crate::Native::new().now()
}

#[test]
fn this_processor_rests_until_shortly_before_an_instant() {
    let Some(found) = LowPower::detect(now) else {
        println!("skipped: this processor cannot rest, or hides it, or rests badly");
        return;
    };
    println!("{found:?}");
    let until = now() + Duration::from_millis(1);
    found.approach(until, now);
    assert!(until.duration_since(now()) < Duration::from_millis(1));
}

#[test]
fn a_processor_is_asked_once() {
    let (first, second) = (LowPower::detect(now), LowPower::detect(|| unreachable!()));
    assert_eq!(format!("{first:?}"), format!("{second:?}"));
}

#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "aarch64")]
#[test]
fn an_event_ends_a_wait() {
    // The kernel or the emulation sees to it, if nothing else does.
    super::super::processor::wait_for_event();
}
