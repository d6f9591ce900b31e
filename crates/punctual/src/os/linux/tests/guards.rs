//! Priorities, processors and memory: raised and kept, refused with a reason, given back.

use crate::guard::{MemoryGuard, PinGuard, PriorityGuard};
use crate::{Error, Native, Priority};
use std::error::Error as _;
use std::{fs, io, mem, thread};

fn nice_and_policy() -> (libc::c_int, libc::c_int) {
    // SAFETY: no pointers.
    let nice = unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
    // SAFETY: no pointers.
    let policy = unsafe { libc::sched_getscheduler(0) };
    (nice, policy)
}

#[test]
fn a_raised_priority_is_given_back_or_refused_with_a_reason() {
    let os = Native::new();
    let found = nice_and_policy();
    for priority in [Priority::High, Priority::Realtime, Priority::Fifo(7)] {
        match PriorityGuard::raise(&os, priority) {
            Ok(guard) => {
                assert_ne!(nice_and_policy(), found, "{priority:?}");
                drop(guard);
            }
            Err(error) => {
                assert!(error.is_not_permitted(), "{error}");
                assert!(error.to_string().contains("CAP_SYS_NICE"), "{error}");
                assert!(error_of_the_system(&error).raw_os_error().is_some());
                println!("skipped: {priority:?}: {error}");
            }
        }
        assert_eq!(nice_and_policy(), found, "{priority:?}");
    }
}

#[test]
fn a_pinned_thread_may_roam_again_after() {
    let os = Native::new();
    let allowed = || thread::available_parallelism().unwrap().get();
    let found = allowed();
    let refusal = PinGuard::pin(&os, usize::MAX).unwrap_err();
    assert!(refusal.is_invalid_input());
    let processor: usize = refusal
        .to_string()
        .rsplit("it may use ")
        .next()
        .and_then(|list| list.split(',').next())
        .and_then(|first| first.parse().ok())
        .expect("the refusal lists the processors there are");
    let guard = PinGuard::pin(&os, processor).unwrap();
    assert_eq!(allowed(), 1);
    drop(guard);
    assert_eq!(allowed(), found);
}

fn error_of_the_system(error: &Error) -> &io::Error {
    error.source().unwrap().downcast_ref().unwrap()
}

#[test]
fn a_fifo_priority_is_the_one_that_was_chosen() {
    let _guard = match PriorityGuard::raise(&Native::new(), Priority::Fifo(7)) {
        Ok(guard) => guard,
        Err(refused) => return println!("skipped: {refused}"),
    };
    // SAFETY: plain numbers, for which zero is a value.
    let mut parameters: libc::sched_param = unsafe { mem::zeroed() };
    // SAFETY: `parameters` is valid for writing.
    assert_eq!(unsafe { libc::sched_getparam(0, &raw mut parameters) }, 0);
    assert_eq!(parameters.sched_priority, 7);
    assert_eq!(nice_and_policy().1, libc::SCHED_FIFO);
}

#[test]
fn a_fifo_priority_that_there_is_not_is_refused_before_any_call() {
    let os = Native::new();
    for priority in [0, 100, u8::MAX] {
        let error = PriorityGuard::raise(&os, Priority::Fifo(priority)).unwrap_err();
        assert!(error.is_invalid_input(), "{error}");
        assert!(error.source().is_none(), "no call was made");
    }
}

#[test]
fn a_thread_keeps_to_a_set_of_processors() {
    let os = Native::new();
    let allowed = || thread::available_parallelism().unwrap().get();
    let found = allowed();
    assert!(PinGuard::pin_to(&os, []).unwrap_err().is_invalid_input());
    assert!(
        PinGuard::pin_to(&os, [0, 100_000])
            .unwrap_err()
            .is_invalid_input()
    );
    match PinGuard::pin_to(&os, [1, 0, 1]) {
        Ok(_guard) => assert_eq!(allowed(), 2),
        Err(refused) => println!("skipped: {refused}"),
    }
    assert_eq!(allowed(), found);
}

/// Of this process, in kilobytes, as the kernel counts it.
fn locked_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmLck:"));
    let number = line.unwrap().split_whitespace().next();
    number.unwrap().parse().unwrap()
}

#[test]
fn memory_is_locked_until_the_last_guard_is_dropped_or_refused_with_a_reason() {
    let os = Native::new();
    assert_eq!(locked_memory(), 0);
    match MemoryGuard::lock(&os) {
        Ok(first) => {
            let second = MemoryGuard::lock(&os).unwrap();
            assert!(locked_memory() > 0);
            drop(first);
            assert!(locked_memory() > 0, "the second holds it still");
            drop(second);
        }
        Err(error) => {
            assert!(error.is_not_permitted(), "{error}");
            for name in ["CAP_IPC_LOCK", "RLIMIT_MEMLOCK"] {
                assert!(error.to_string().contains(name), "{error}");
            }
            assert!(error_of_the_system(&error).raw_os_error().is_some());
            println!("skipped: {error}");
        }
    }
    assert_eq!(locked_memory(), 0);
}
