//! The calls of ptrace, and of waiting for stops.
#![allow(
    unsafe_code,
    reason = "libc has no safe ptrace, and no other crate has all of it"
)]

use std::io;
use std::mem::MaybeUninit;
use std::ptr;

/// A thread's number.
pub(crate) type Tid = i32;

/// A thread's registers.
pub(crate) type Registers = libc::user_regs_struct;

/// How a stopped thread goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resume {
    /// To its next timed call.
    Run,
    /// To the end of the call that it is in.
    ToExit,
    /// Not: it stays stopped as its signal has it.
    Listen,
}

/// What a wait for stops says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// At a call that the filter names.
    Call,
    /// At the end of a call.
    Exit,
    /// A signal is to be delivered.
    Signal(i32),
    /// All its process is stopped by this signal.
    Group(i32),
    /// The tracer asked for it, or it begins, or its group goes on.
    Trap,
    /// It made a child.
    Child,
    /// It executes another program.
    Exec,
    /// It is about to end.
    Ending,
    /// It ended: with this code, or by this signal.
    Exited(i32),
    Killed(i32),
    Unknown,
}

/// What the tracer is told of, and that the program ends with it.
const OPTIONS: libc::c_int = libc::PTRACE_O_TRACESYSGOOD
    | libc::PTRACE_O_TRACESECCOMP
    | libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_TRACEEXIT
    | libc::PTRACE_O_EXITKILL;

/// How the C library has the number of a request.
#[cfg(not(target_env = "musl"))]
type Request = libc::c_uint;
#[cfg(target_env = "musl")]
type Request = libc::c_int;

fn request(request: Request, tid: Tid, data: *mut libc::c_void) -> io::Result<()> {
    request_at(request, tid, ptr::null_mut(), data)
}

fn request_at(
    request: Request,
    tid: Tid,
    address: *mut libc::c_void,
    data: *mut libc::c_void,
) -> io::Result<()> {
    // SAFETY: callers below give addresses that their request may write to, or none.
    match unsafe { libc::ptrace(request, tid, address, data) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Begins to trace a thread.
pub(crate) fn seize(tid: Tid) -> io::Result<()> {
    let options = usize::try_from(OPTIONS).expect("options are positive");
    request(
        libc::PTRACE_SEIZE,
        tid,
        ptr::without_provenance_mut(options),
    )
}

/// Lets a thread go on, with a signal or none (0).
pub(crate) fn resume(tid: Tid, how: Resume, signal: i32) -> io::Result<()> {
    let how = match how {
        Resume::Run => libc::PTRACE_CONT,
        Resume::ToExit => libc::PTRACE_SYSCALL,
        Resume::Listen => libc::PTRACE_LISTEN,
    };
    let signal = usize::try_from(signal).unwrap_or(0);
    request(how, tid, ptr::without_provenance_mut(signal))
}

/// Stops a thread.
pub(crate) fn interrupt(tid: Tid) -> io::Result<()> {
    request(libc::PTRACE_INTERRUPT, tid, ptr::null_mut())
}

/// The registers of a stopped thread.
pub(crate) fn registers(tid: Tid) -> io::Result<Registers> {
    let mut registers = MaybeUninit::<Registers>::uninit();
    request(libc::PTRACE_GETREGS, tid, registers.as_mut_ptr().cast())?;
    // SAFETY: the request succeeded, so the kernel wrote all of them.
    Ok(unsafe { registers.assume_init() })
}

/// Sets the registers of a stopped thread.
pub(crate) fn set_registers(tid: Tid, registers: &Registers) -> io::Result<()> {
    let registers = ptr::from_ref(registers).cast_mut().cast();
    request(libc::PTRACE_SETREGS, tid, registers)
}

/// What an event says: the new child, or the thread that executed.
pub(crate) fn event_message(tid: Tid) -> io::Result<Tid> {
    let mut message: libc::c_ulong = 0;
    request(libc::PTRACE_GETEVENTMSG, tid, (&raw mut message).cast())?;
    Tid::try_from(message).map_err(|_| io::ErrorKind::InvalidData.into())
}

/// Whether the signal that stopped a thread is for what its own code did, and not sent by anyone.
pub(crate) fn is_fault(tid: Tid) -> bool {
    let mut signal = MaybeUninit::<libc::siginfo_t>::uninit();
    let asked = request(libc::PTRACE_GETSIGINFO, tid, signal.as_mut_ptr().cast());
    // SAFETY: if the request succeeded, the kernel wrote all of it.
    asked.is_ok() && unsafe { signal.assume_init() }.si_code > 0
}

/// Writes one word of a stopped thread's memory, even where it may not itself.
pub(crate) fn poke(tid: Tid, address: u64, word: u64) -> io::Result<()> {
    let address = usize::try_from(address).map_err(|_| io::ErrorKind::InvalidInput)?;
    let word = usize::try_from(word).map_err(|_| io::ErrorKind::InvalidInput)?;
    let [address, word] = [address, word].map(ptr::without_provenance_mut);
    request_at(libc::PTRACE_POKEDATA, tid, address, word)
}

/// Waits for the next stop of any thread. None if `block` is false and there is none now, an error if there is
/// no thread any more.
pub(crate) fn wait(block: bool) -> io::Result<Option<(Tid, Stop)>> {
    let flags = if block {
        libc::__WALL
    } else {
        libc::__WALL | libc::WNOHANG
    };
    let mut status = 0;
    // SAFETY: the status is ours to write.
    let tid = unsafe { libc::waitpid(-1, &raw mut status, flags) };
    match tid {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(None),
        tid => Ok(Some((tid, stop(status)))),
    }
}

fn stop(status: i32) -> Stop {
    if libc::WIFEXITED(status) {
        return Stop::Exited(libc::WEXITSTATUS(status));
    }
    if libc::WIFSIGNALED(status) {
        return Stop::Killed(libc::WTERMSIG(status));
    }
    let signal = libc::WSTOPSIG(status);
    match status >> 16 {
        0 if signal == libc::SIGTRAP | 0x80 => Stop::Exit,
        0 => Stop::Signal(signal),
        libc::PTRACE_EVENT_SECCOMP => Stop::Call,
        libc::PTRACE_EVENT_CLONE | libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK => {
            Stop::Child
        }
        libc::PTRACE_EVENT_EXEC => Stop::Exec,
        libc::PTRACE_EVENT_EXIT => Stop::Ending,
        libc::PTRACE_EVENT_STOP => match signal {
            libc::SIGSTOP | libc::SIGTSTP | libc::SIGTTIN | libc::SIGTTOU => Stop::Group(signal),
            _ => Stop::Trap,
        },
        _ => Stop::Unknown,
    }
}
