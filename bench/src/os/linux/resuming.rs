//! The least that a tracer can do: it stops a program at its timed calls, and lets it go on.
//!
//! What a program takes longer under this, no tracer on this machine can save.

use crate::failure::Failure;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::{io, mem, process, ptr};

/// Calls that stop the program if this argument is above zero: an int, by whose sign that is known, or a pointer.
const TIMED: [(libc::c_long, u32, u32); 4] = [
    (libc::SYS_poll, 2, 1 << 31),
    (libc::SYS_epoll_wait, 3, 1 << 31),
    (libc::SYS_select, 4, 0),
    (libc::SYS_pselect6, 4, 0),
];

/// The flags of a futex' command.
const FLAGS: u32 = (libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME).cast_unsigned();

const OPTIONS: libc::c_int = libc::PTRACE_O_TRACESECCOMP
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_EXITKILL;

/// Runs a program and all that it starts under this process, and ends as it does.
pub fn run(program: &mut Command) -> Result<(), Failure> {
    let mut filter = filter();
    // SAFETY: between fork and exec it makes system calls only; the filter was made before.
    unsafe { program.pre_exec(move || be_traced(&mut filter)) };
    let program = program.spawn()?.id().cast_signed();
    let mut ended = 0;
    loop {
        let mut status = 0;
        // SAFETY: `status` is valid for writing.
        match unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL) } {
            -1 => process::exit(libc::WEXITSTATUS(ended)),
            stopped if libc::WIFSTOPPED(status) => {
                // Those that it starts have them from the beginning.
                request(libc::PTRACE_SETOPTIONS, stopped, OPTIONS);
                // An event is no signal that was sent, and with these tracing begins.
                let is_signal = status >> 16 == 0;
                let signal = libc::WSTOPSIG(status);
                let is_sent = is_signal && ![libc::SIGTRAP, libc::SIGSTOP].contains(&signal);
                request(libc::PTRACE_CONT, stopped, if is_sent { signal } else { 0 });
            }
            other if other == program => ended = status,
            _ => {}
        }
    }
}

fn request(request: libc::c_uint, thread: libc::pid_t, data: libc::c_int) {
    let data = ptr::without_provenance_mut::<libc::c_void>(data.unsigned_abs() as usize);
    // SAFETY: these requests take numbers; the address is not used. They fail where the thread has ended.
    unsafe { libc::ptrace(request, thread, ptr::null_mut::<libc::c_void>(), data) };
}

/// Has this process traced by its parent, and stopped at its timed calls, as whatever it executes.
fn be_traced(filter: &mut [libc::sock_filter]) -> io::Result<()> {
    let len = u16::try_from(filter.len()).unwrap_or(u16::MAX);
    let filter = filter.as_mut_ptr();
    let program = libc::sock_fprog { len, filter };
    request(libc::PTRACE_TRACEME, 0, 0);
    // SAFETY: gives a number; no pointers.
    unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
    let mode = libc::SECCOMP_MODE_FILTER;
    // SAFETY: the program and its instructions are valid for reading.
    match unsafe { libc::prctl(libc::PR_SET_SECCOMP, mode, &raw const program) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of calls and offsets are small"
)]
#[rustfmt::skip]
fn filter() -> Vec<libc::sock_filter> {
    const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    const IF: u32 = libc::BPF_JMP | libc::BPF_K;
    let one = |code: u32, k: u32, jt: u8, jf: u8| libc::sock_filter { code: code as u16, jt, jf, k };
    let load = |index: u32| one(LOAD, mem::offset_of!(libc::seccomp_data, args) as u32 + 8 * index, 0, 0);
    let trace = one(libc::BPF_RET, libc::SECCOMP_RET_TRACE, 0, 0);
    let allow = one(libc::BPF_RET, libc::SECCOMP_RET_ALLOW, 0, 0);
    let mut all = vec![one(LOAD, 0, 0, 0)];
    for (call, timeout, sign) in TIMED {
        all.extend([
            one(IF | libc::BPF_JEQ, call as u32, 0, 5),
            load(timeout),
            one(IF | libc::BPF_JSET, sign, 2, 0),
            one(IF | libc::BPF_JGT, 0, 0, 1),
            trace,
            allow,
        ]);
    }
    all.extend([
        one(IF | libc::BPF_JEQ, libc::SYS_futex as u32, 0, 6),
        load(1),
        one(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, !FLAGS, 0, 0),
        one(IF | libc::BPF_JEQ, libc::FUTEX_WAIT.cast_unsigned(), 0, 3),
        load(3),
        one(IF | libc::BPF_JGT, 0, 0, 1),
        trace,
        allow,
    ]);
    all
}
