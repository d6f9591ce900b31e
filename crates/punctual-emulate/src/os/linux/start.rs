//! The program's first process: made, held until it is traced, given the filter, and let go.
#![allow(
    unsafe_code,
    reason = "between fork and exec only the bare calls may be made"
)]

use super::check::{self, Program};
use super::ptrace::{self, Tid};
use crate::session::Refusal;
use crate::steer::filter::{self, Instruction};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsRawFd;
use std::ptr;

/// What failed in the child, as the first byte of what it tells.
const FOLDER: u8 = 1;
const FILTER: u8 = 2;
const EXECUTE: u8 = 3;

/// A child that waits to be let go.
pub(crate) struct Child {
    pid: Tid,
    gate: PipeWriter,
    errors: PipeReader,
}

/// What the child tells if it cannot execute the program.
pub(crate) struct Errors(PipeReader);

fn pipe() -> Result<(PipeReader, PipeWriter), Refusal> {
    io::pipe().map_err(|error| Refusal::new(format!("no pipe could be made: {error}")))
}

/// Pointers to words, as the kernel wants them.
fn pointers(words: &[std::ffi::CString]) -> Vec<*const libc::c_char> {
    words
        .iter()
        .map(|word| word.as_ptr())
        .chain([ptr::null()])
        .collect()
}

/// Makes the child.
pub(crate) fn fork(program: &Program) -> Result<Child, Refusal> {
    let (wait, gate) = pipe()?;
    let (errors, tell) = pipe()?;
    // All memory is taken before: the child may take none, for another thread may hold the allocator's lock.
    let arguments = pointers(&program.arguments);
    let environment = pointers(&program.environment);
    let filter = filter::program();
    // The shell takes files that are no executables, as `execvp` has it.
    let shell: Vec<_> = [c"/bin/sh".as_ptr(), program.path.as_ptr()]
        .into_iter()
        .chain(arguments.iter().skip(1).copied())
        .collect();
    // SAFETY: the child calls only what may be called after a fork.
    match unsafe { libc::fork() } {
        -1 => {
            let error = io::Error::last_os_error();
            Err(Refusal::new(format!("no process could be made: {error}")))
        }
        0 => {
            // The writing end of the gate must be the parent's alone: its end is how the parent's end is seen.
            drop(gate);
            let failed = become_program(program, &wait, &arguments, &environment, &shell, &filter);
            tell_and_end(&tell, failed)
        }
        pid => Ok(Child { pid, gate, errors }),
    }
}

/// Returns only if something failed: what, and the error.
fn become_program(
    program: &Program,
    gate: &PipeReader,
    arguments: &[*const libc::c_char],
    environment: &[*const libc::c_char],
    shell: &[*const libc::c_char],
    filter: &[Instruction],
) -> (u8, i32) {
    let error = || io::Error::last_os_error().raw_os_error().unwrap_or(0);
    // Rust ignores it, and programs expect it not to be.
    // SAFETY: the default action needs no handler.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    let mut byte = 0_u8;
    // SAFETY: the byte is ours to write.
    if unsafe { libc::read(gate.as_raw_fd(), (&raw mut byte).cast(), 1) } != 1 {
        // The parent is gone, or could not trace this.
        // SAFETY: it runs nothing of the parent's.
        unsafe { libc::_exit(125) };
    }
    if let Some(folder) = &program.folder {
        // SAFETY: it is a word that ends.
        if unsafe { libc::chdir(folder.as_ptr()) } != 0 {
            return (FOLDER, error());
        }
    }
    // Waits are to end when they should, and threads and children inherit it.
    // SAFETY: it takes numbers alone.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1) };
    if !install(filter) {
        return (FILTER, error());
    }
    // SAFETY: all three are words that end, and lists of them that end.
    unsafe {
        libc::execve(
            program.path.as_ptr(),
            arguments.as_ptr(),
            environment.as_ptr(),
        )
    };
    if error() == libc::ENOEXEC {
        // SAFETY: as above; the list of arguments had its end, and this one keeps it.
        unsafe { libc::execve(c"/bin/sh".as_ptr(), shell.as_ptr(), environment.as_ptr()) };
    }
    (EXECUTE, error())
}

/// Installs the filter. Who may not without giving up later rights gives them up.
fn install(filter: &[Instruction]) -> bool {
    let program = libc::sock_fprog {
        len: u16::try_from(filter.len()).unwrap_or(0),
        filter: filter.as_ptr().cast_mut().cast(),
    };
    let install = || {
        // SAFETY: the kernel reads as many instructions as the program says, and `Instruction` is as its own.
        unsafe {
            libc::prctl(
                libc::PR_SET_SECCOMP,
                libc::SECCOMP_MODE_FILTER,
                &raw const program,
            ) == 0
        }
    };
    if install() {
        return true;
    }
    // SAFETY: it takes numbers alone.
    unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
    install()
}

fn tell_and_end(tell: &PipeWriter, (what, error): (u8, i32)) -> ! {
    let [a, b, c, d] = error.to_le_bytes();
    let told = [what, a, b, c, d];
    // SAFETY: it reads from the array, no further than its length.
    unsafe { libc::write(tell.as_raw_fd(), told.as_ptr().cast(), told.len()) };
    // SAFETY: it runs nothing of the parent's.
    unsafe { libc::_exit(127) }
}

impl Child {
    pub(crate) fn pid(&self) -> Tid {
        self.pid
    }

    /// Traces it from now on.
    pub(crate) fn seize(&self) -> Result<Tid, Refusal> {
        ptrace::seize(self.pid).map(|()| self.pid).map_err(|error| {
            let why = check::why_not(&error);
            // SAFETY: it is our child, which we have not waited for: the number is its own.
            unsafe { libc::kill(self.pid, libc::SIGKILL) };
            // SAFETY: nothing is written.
            unsafe { libc::waitpid(self.pid, ptr::null_mut(), 0) };
            why
        })
    }

    /// Lets it execute the program.
    pub(crate) fn go(mut self) -> Result<Errors, Refusal> {
        self.gate
            .write_all(&[1])
            .map_err(|error| Refusal::new(format!("the program's process ended early: {error}")))?;
        Ok(Errors(self.errors))
    }
}

impl Errors {
    /// Whether the program was executed. To be asked when the child has executed it or ended.
    pub(crate) fn check(mut self, program: &Program) -> Result<(), Refusal> {
        let mut told = [0; 5];
        if self.0.read_exact(&mut told).is_err() {
            return Ok(());
        }
        let [what, error @ ..] = told;
        let error = io::Error::from_raw_os_error(i32::from_le_bytes(error));
        let path = program.path.to_string_lossy();
        Err(match what {
            FOLDER => Refusal::new(format!("the folder to run in cannot be entered: {error}")),
            FILTER => Refusal::new(format!(
                "this kernel does not filter calls ({error}): it needs CONFIG_SECCOMP_FILTER"
            )),
            _ => Refusal::not_executable(format!("{path} cannot be executed: {error}")),
        })
    }
}
