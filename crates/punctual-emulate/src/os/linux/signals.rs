//! Signals that this process gets while a program runs under it.
#![allow(
    unsafe_code,
    reason = "a signal's handler may make the bare calls only"
)]

use super::ptrace::Tid;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// The program's first process, by a descriptor: a number could be another's when it has ended. -1 for none.
static PROGRAM: AtomicI32 = AtomicI32::new(-1);

/// Signals that are passed on. A terminal sends some of them to the program as well, and those are not.
const PASSED: [i32; 6] = [
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGTERM,
    libc::SIGHUP,
    libc::SIGUSR1,
    libc::SIGUSR2,
];

/// Passes signals on until it is dropped.
pub(crate) struct SignalRelay {
    before: Vec<(i32, libc::sigaction)>,
    descriptor: i32,
}

/// Sends a signal, or with 0 asks whether there is anyone to send it to.
fn send(signal: i32) -> bool {
    // SAFETY: it takes numbers, and no description of the signal.
    let result = unsafe {
        libc::syscall(
            libc::SYS_pidfd_send_signal,
            PROGRAM.load(Relaxed),
            signal,
            ptr::null::<libc::siginfo_t>(),
            0,
        )
    };
    result == 0
}

extern "C" fn pass(signal: i32, what: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the kernel gives every handler its description.
    let code = unsafe { (*what).si_code };
    // Above zero it is the kernel's, which sends to the whole group of the terminal.
    let from_someone = code <= 0;
    if send(if from_someone { signal } else { 0 }) {
        return;
    }
    // The program itself has ended, and what it left behind is to end too: with this process, by ptrace.
    // SAFETY: both may be called in a handler. The signal comes when this handler is done.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
    // SAFETY: as above.
    unsafe { libc::raise(signal) };
}

impl SignalRelay {
    /// Begins to pass signals on to a process that is not waited for yet.
    pub(crate) fn begin(program: Tid) -> Self {
        // SAFETY: it takes numbers.
        let descriptor = unsafe { libc::syscall(libc::SYS_pidfd_open, program, 0) };
        let descriptor = i32::try_from(descriptor).unwrap_or(-1);
        PROGRAM.store(descriptor, Relaxed);
        let before = PASSED
            .iter()
            .filter_map(|&signal| Some((signal, handle(signal)?)))
            .collect();
        Self { before, descriptor }
    }
}

/// Sets the handler, unless the signal is ignored: then the program inherited that.
fn handle(signal: i32) -> Option<libc::sigaction> {
    let mut before = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: the kernel writes what there was.
    if unsafe { libc::sigaction(signal, ptr::null(), before.as_mut_ptr()) } != 0 {
        return None;
    }
    // SAFETY: it succeeded, so it was written.
    let before = unsafe { before.assume_init() };
    if before.sa_sigaction == libc::SIG_IGN {
        return None;
    }
    // SAFETY: all zeros is a valid action: the default, no flags, an empty mask.
    let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    action.sa_sigaction = pass as *const () as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
    // SAFETY: the action is complete, and its handler makes only calls that handlers may make.
    let set = unsafe { libc::sigaction(signal, &raw const action, ptr::null_mut()) };
    (set == 0).then_some(before)
}

impl Drop for SignalRelay {
    fn drop(&mut self) {
        for (signal, before) in &self.before {
            // SAFETY: it is what the kernel gave for this signal.
            unsafe { libc::sigaction(*signal, before, ptr::null_mut()) };
        }
        PROGRAM.store(-1, Relaxed);
        if self.descriptor >= 0 {
            // SAFETY: it is ours, and nothing uses it any more.
            unsafe { libc::close(self.descriptor) };
        }
    }
}
