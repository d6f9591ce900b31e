//! A sandbox that comes after the system was detected.

use super::super::clock;
use super::super::futex::{Bell, FUTEX, Primitive};
use crate::guard::SliceGuard;
use crate::os::Scheduling;
use crate::{Native, Sleeper};
use std::io;
use std::thread;
use std::time::Duration;

const fn statement(code: u32, value: u32) -> libc::sock_filter {
    jump(code, value, 0, 0)
}

#[expect(clippy::cast_possible_truncation, reason = "codes are 16 bits long")]
const fn jump(code: u32, value: u32, then: u8, otherwise: u8) -> libc::sock_filter {
    libc::sock_filter {
        code: code as u16,
        jt: then,
        jf: otherwise,
        k: value,
    }
}

/// Where `seccomp_data` has the number of the call, and the low half of its second argument.
const NUMBER: u32 = 0;
const OPERATION: u32 = 24;

/// `EPERM`, and what a wait asks `futex` for, as a filter has them.
const EPERM: u32 = 1;
const WAIT: u32 = (libc::FUTEX_WAIT_BITSET | libc::FUTEX_PRIVATE_FLAG) as u32;

const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
const IF_EQUAL: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
const RETURN: u32 = libc::BPF_RET | libc::BPF_K;
const PERMIT: libc::sock_filter = statement(RETURN, libc::SECCOMP_RET_ALLOW);
const REFUSE: libc::sock_filter = statement(RETURN, libc::SECCOMP_RET_ERRNO | EPERM);

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "calls have small numbers; on processors of 32 bits nothing is cut off"
)]
const fn if_call(number: libc::c_long, then: u8, otherwise: u8) -> libc::sock_filter {
    jump(IF_EQUAL, number as u32, then, otherwise)
}

const NO_WAITV: [libc::sock_filter; 4] = [
    statement(LOAD, NUMBER),
    if_call(libc::SYS_futex_waitv, 1, 0),
    PERMIT,
    REFUSE,
];

/// Wakes are permitted, so that the thread can end.
const NO_WAITS: [libc::sock_filter; 7] = [
    statement(LOAD, NUMBER),
    if_call(libc::SYS_futex_waitv, 4, 0),
    if_call(FUTEX, 0, 2),
    statement(LOAD, OPERATION),
    jump(IF_EQUAL, WAIT, 1, 0),
    PERMIT,
    REFUSE,
];

const NO_SLICES: [libc::sock_filter; 5] = [
    statement(LOAD, NUMBER),
    if_call(libc::SYS_sched_setattr, 2, 0),
    if_call(libc::SYS_sched_getattr, 1, 0),
    PERMIT,
    REFUSE,
];

const NO_CHANGE_OF_SLICES: [libc::sock_filter; 4] = [
    statement(LOAD, NUMBER),
    if_call(libc::SYS_sched_setattr, 1, 0),
    PERMIT,
    REFUSE,
];

/// Runs it in a thread of its own that may make only the calls that the filter permits.
fn confined<const N: usize>(
    mut filter: [libc::sock_filter; N],
    body: impl FnOnce() + Send + 'static,
) -> thread::Result<()> {
    let confine = move || {
        let program = libc::sock_fprog {
            len: u16::try_from(N).unwrap(),
            filter: filter.as_mut_ptr(),
        };
        // SAFETY: takes numbers.
        let promised = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
        assert_eq!(promised, 0);
        // SAFETY: the program is valid for reading.
        let confined = unsafe {
            libc::prctl(
                libc::PR_SET_SECCOMP,
                libc::SECCOMP_MODE_FILTER,
                &raw const program,
            )
        };
        if confined < 0 {
            // An emulator may not have it.
            let error = io::Error::last_os_error();
            println!("skipped: this system has no filters for system calls: {error}");
            return;
        }
        body();
    };
    thread::spawn(confine).join()
}

#[test]
fn without_the_better_wait_there_is_the_other() {
    let confined = confined(NO_WAITV, || {
        let until = clock::now() + Duration::from_millis(2);
        while clock::now() < until {
            Primitive::WaitV.wait(&Bell::default(), Some(until), Duration::ZERO);
        }
        assert_eq!(Primitive::detect(), Primitive::WaitBitset);
        assert!(Native::new().is_precise());
    });
    confined.unwrap();
}

#[test]
fn without_any_of_its_waits_there_are_naps() {
    let confined = confined(NO_WAITS, || {
        assert_eq!(Primitive::detect(), Primitive::Nap);
        let before = [Primitive::WaitV, Primitive::WaitBitset, Primitive::Nap];
        for primitive in before {
            let (rung, began) = (Bell::default(), clock::now());
            rung.ring();
            for until in [None, Some(began + Duration::from_secs(3_600))] {
                primitive.wait(&rung, until, Duration::ZERO);
            }
            let until = clock::now() + Duration::from_millis(2);
            let mut waits = 0;
            while clock::now() < until {
                primitive.wait(&Bell::default(), Some(until), Duration::ZERO);
                waits += 1;
            }
            assert!(waits < 100, "{primitive:?}: {waits} waits are a spin");
        }
        assert!(!Native::new().is_precise());
        let mut sleeper = Sleeper::new();
        let deadline = sleeper.now() + Duration::from_millis(1);
        assert!(sleeper.sleep_until(deadline).woke >= deadline);
    });
    confined.unwrap();
}

#[test]
fn without_slices_a_sleeper_waits_all_the_same() {
    let body = || {
        let os = Native::new();
        let found = os.slice().ok();
        let mut sleeper = Sleeper::new();
        for _ in 0..2 {
            let deadline = clock::now() + Duration::from_micros(200);
            assert!(sleeper.sleep_until(deadline).woke >= deadline);
        }
        assert_eq!(os.slice().ok(), found);
        let refused = SliceGuard::set(&os, Duration::from_millis(1)).unwrap_err();
        assert!(
            refused.is_not_permitted() || refused.is_unsupported(),
            "{refused}"
        );
        sleeper.pause();
        assert_eq!(os.slice().ok(), found);
    };
    confined(NO_SLICES, body).unwrap();
    confined(NO_CHANGE_OF_SLICES, body).unwrap();
}

#[test]
fn a_sandbox_that_cannot_give_a_slice_back_breaks_nothing() {
    let outside = || {
        let os = Native::new();
        let found = os.slice().ok();
        let mut sleeper = Sleeper::new();
        sleeper.sleep(Duration::from_micros(200));
        confined(NO_SLICES, move || drop(sleeper)).unwrap();
        // The next sleeper of this thread does.
        Sleeper::new().sleep(Duration::from_micros(200));
        assert_eq!(os.slice().ok(), found);
    };
    thread::spawn(outside).join().unwrap();
}
