//! TPAUSE, MONITORX and MWAITX, on this processor or in a signal handler that does what they do.

use super::super::super::Resting;
use super::super::super::processor::{Found, mwaitx, tpause};
use super::now;
use std::arch::x86_64::_rdtsc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{mem, ptr, slice};

/// How many of each the handler has stood in for.
static PAUSED: AtomicU64 = AtomicU64::new(0);
static MONITORED: AtomicU64 = AtomicU64::new(0);
static WAITED: AtomicU64 = AtomicU64::new(0);

/// `tpause ecx`, as Intel's manual encodes it: 66 0F AE /6.
const TPAUSE: &[u8] = &[0x66, 0x0f, 0xae, 0xf1];
/// As AMD's manual encodes them.
const MONITORX: &[u8] = &[0x0f, 0x01, 0xfa];
const MWAITX: &[u8] = &[0x0f, 0x01, 0xfb];

#[test]
fn they_end_at_their_counts_and_leave_the_registers_alone() {
    const COUNTS: u64 = 50_000;
    let found = install(stand_in as *const () as usize);
    let mut counts = [0; 2];
    for _ in 0..3 {
        let began = counter();
        tpause(began + COUNTS);
        counts[0] = counter() - began;
        let began = counter();
        mwaitx(COUNTS);
        counts[1] = counter() - began;
        // Neither ends never.
        tpause(0);
        mwaitx(0);
    }
    let tried = [Found::Tpause, Found::Mwaitx].map(|it| Resting::on(it, now));
    // SAFETY: the action was there before.
    unsafe { libc::sigaction(libc::SIGILL, &raw const found, ptr::null_mut()) };

    let [paused, monitored, waited] =
        [&PAUSED, &MONITORED, &WAITED].map(|number| number.load(Ordering::Relaxed));
    println!("stood in for {paused} TPAUSE, {monitored} MONITORX, {waited} MWAITX");
    println!("tried: {tried:?}");
    if paused > 0 {
        assert!(paused >= 6);
        assert!(counts[0] >= COUNTS, "{counts:?}");
    }
    if waited > 0 {
        assert!(waited >= 6 && monitored == waited);
        assert!(counts[1] >= COUNTS, "{counts:?}");
    }
}

fn install(handler: usize) -> libc::sigaction {
    // SAFETY: zeros are an action without flags.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    action.sa_sigaction = handler;
    action.sa_flags = libc::SA_SIGINFO;
    let mut found = action;
    // SAFETY: both are actions.
    let result = unsafe { libc::sigaction(libc::SIGILL, &raw const action, &raw mut found) };
    assert_eq!(result, 0);
    found
}

/// Does what the instruction would, and goes on behind it. What it does not know ends the program,
/// as if it were not there.
extern "C" fn stand_in(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel passes it, and nothing else has it meanwhile.
    let context = unsafe { &mut *context.cast::<libc::ucontext_t>() };
    let registers = &mut context.uc_mcontext.gregs;
    let register = |which: libc::c_int| registers[place(which)].cast_unsigned();
    let (rax, rbx) = (register(libc::REG_RAX), register(libc::REG_RBX));
    let (rcx, rdx) = (register(libc::REG_RCX), register(libc::REG_RDX));
    // SAFETY: no instruction here is the last in its page by fewer bytes than four.
    let code = unsafe { slice::from_raw_parts(register(libc::REG_RIP) as *const u8, TPAUSE.len()) };
    // Zero is C0.2, 0xf0 no C-state deeper than C0, and 2 "with timer".
    let length = if code.starts_with(TPAUSE) && rcx == 0 && rax | rdx <= u32::MAX.into() {
        spin_until(rdx << 32 | rax);
        PAUSED.fetch_add(1, Ordering::Relaxed);
        4
    } else if code.starts_with(MONITORX) && rcx | rdx == 0 && rax % 64 == 0 && rax > 0 {
        MONITORED.fetch_add(1, Ordering::Relaxed);
        3
    } else if code.starts_with(MWAITX) && (rax, rcx) == (0xf0, 2) && rbx > 0 {
        spin_until(counter() + rbx);
        WAITED.fetch_add(1, Ordering::Relaxed);
        3
    } else {
        // SAFETY: a number and an action that every system has.
        unsafe { libc::signal(libc::SIGILL, libc::SIG_DFL) };
        0
    };
    registers[place(libc::REG_RIP)] += length;
}

/// Where a register is among those of a thread.
fn place(register: libc::c_int) -> usize {
    usize::try_from(register).unwrap_or(usize::MAX)
}

fn counter() -> u64 {
    // SAFETY: Linux lets programs read it.
    unsafe { _rdtsc() }
}

fn spin_until(count: u64) {
    while counter() < count {}
}
