//! The least that a tracer can do: it stops a program at its timed calls, and lets it go on.
//!
//! What a program takes longer under this, no tracer on this machine can save.

use crate::failure::Failure;
use std::fs;
use std::io;
use std::mem;
use std::os::unix::process::CommandExt;
use std::process::{self, Command};
use std::ptr;
use std::thread;
use std::time::Duration;

/// Calls that stop the program if this argument is above zero: an int, or a pointer.
const TIMED: [(libc::c_long, u32, bool); 4] = [
    (libc::SYS_poll, 2, true),
    (libc::SYS_epoll_wait, 3, true),
    (libc::SYS_select, 4, false),
    (libc::SYS_pselect6, 4, false),
];

/// What an int is below zero by.
const SIGN: u32 = 1 << 31;
/// The flags of a futex' command.
const FLAGS: u32 = (libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME).cast_unsigned();

const OPTIONS: usize = (libc::PTRACE_O_TRACESECCOMP
    | libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_EXITKILL)
    .cast_unsigned() as usize;

/// How long a tracer may take to begin.
const PATIENCE_MS: u32 = 5_000;
/// The program says at once who may trace it.
const ALLOWED_AFTER: Duration = Duration::from_secs(1);

/// Becomes a program that is traced by a child of this process. Returns only if it cannot.
pub fn become_traced(program: &mut Command) -> Result<(), Failure> {
    let here = process::id().cast_signed();
    // SAFETY: this process has one thread, so the child may do everything.
    match unsafe { libc::fork() } {
        -1 => return Err(io::Error::last_os_error().into()),
        0 => resume_until_it_ends(here),
        // Where only parents may trace.
        // SAFETY: gives a number; no pointers.
        tracer => unsafe { libc::prctl(libc::PR_SET_PTRACER, tracer) },
    };
    wait_until_traced()?;
    filter()?;
    Err(program.exec().into())
}

fn wait_until_traced() -> Result<(), Failure> {
    for _ in 0..PATIENCE_MS {
        if !fs::read_to_string("/proc/self/status")?.contains("TracerPid:\t0\n") {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(1));
    }
    Err("it may not be traced".into())
}

/// Traces a process and all that it starts, until they have ended.
fn resume_until_it_ends(program: libc::pid_t) -> ! {
    if request(libc::PTRACE_SEIZE, program, OPTIONS) == -1 {
        // Until it is said that this may trace.
        thread::sleep(ALLOWED_AFTER);
        if request(libc::PTRACE_SEIZE, program, OPTIONS) == -1 {
            process::exit(1);
        }
    }
    loop {
        let mut status = 0;
        // SAFETY: `status` is valid for writing.
        let stopped = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL) };
        if stopped == -1 {
            process::exit(0);
        }
        // An event's signal is not one that was sent.
        let signal = if status >> 16 == 0 {
            libc::WSTOPSIG(status)
        } else {
            0
        };
        if libc::WIFSTOPPED(status) {
            request(libc::PTRACE_CONT, stopped, signal.unsigned_abs() as usize);
        }
    }
}

fn request(request: libc::c_uint, thread: libc::pid_t, data: usize) -> libc::c_long {
    let data = ptr::without_provenance_mut::<libc::c_void>(data);
    // SAFETY: these requests take numbers; the address is not used.
    unsafe { libc::ptrace(request, thread, ptr::null_mut::<libc::c_void>(), data) }
}

/// Stops this process, and whatever it executes, at its timed calls.
fn filter() -> io::Result<()> {
    let mut instructions = instructions();
    let program = libc::sock_fprog {
        len: u16::try_from(instructions.len()).unwrap_or(u16::MAX),
        filter: instructions.as_mut_ptr(),
    };
    // SAFETY: gives a number; no pointers.
    unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
    // SAFETY: the program and its instructions are valid for reading.
    let set = unsafe {
        libc::prctl(
            libc::PR_SET_SECCOMP,
            libc::SECCOMP_MODE_FILTER,
            &raw const program,
        )
    };
    if set == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

fn instructions() -> Vec<libc::sock_filter> {
    let load = |at| instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, at, (0, 0));
    let argument = |index: u32| {
        let arguments = mem::offset_of!(libc::seccomp_data, args);
        load(u32::try_from(arguments).unwrap_or_default() + 8 * index)
    };
    let jump = |code, k, over| instruction(libc::BPF_JMP | code | libc::BPF_K, k, over);
    let decide = |decision| instruction(libc::BPF_RET | libc::BPF_K, decision, (0, 0));
    let number = |call: libc::c_long| u32::try_from(call).unwrap_or(u32::MAX);
    let if_above_zero = [
        jump(libc::BPF_JGT, 0, (0, 1)),
        decide(libc::SECCOMP_RET_TRACE),
        decide(libc::SECCOMP_RET_ALLOW),
    ];
    let mut all = vec![load(0)];
    for (call, timeout, is_int) in TIMED {
        let sign = if is_int { SIGN } else { 0 };
        all.push(jump(libc::BPF_JEQ, number(call), (0, 5)));
        all.push(argument(timeout));
        all.push(jump(libc::BPF_JSET, sign, (2, 0)));
        all.extend(if_above_zero);
    }
    all.push(jump(libc::BPF_JEQ, number(libc::SYS_futex), (0, 7)));
    all.push(argument(1));
    all.push(instruction(
        libc::BPF_ALU | libc::BPF_AND | libc::BPF_K,
        !FLAGS,
        (0, 0),
    ));
    let wait = libc::FUTEX_WAIT.cast_unsigned();
    all.push(jump(libc::BPF_JEQ, wait, (0, 3)));
    all.push(argument(3));
    all.extend(if_above_zero);
    all.push(decide(libc::SECCOMP_RET_ALLOW));
    all
}

fn instruction(code: u32, k: u32, (jt, jf): (u8, u8)) -> libc::sock_filter {
    libc::sock_filter {
        code: u16::try_from(code).unwrap_or_default(),
        jt,
        jf,
        k,
    }
}
