//! Signals, as Linux and macOS have them.
//!
//! A handler may do next to nothing, so it writes a byte into a pair of sockets, and a thread reads
//! it.

#![allow(unsafe_code, reason = "system calls")]

use crate::stop::{Heard, Signal};
use libc::c_int;
use std::io::{self, Read, Write};
use std::mem::MaybeUninit;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::{ptr, thread};

/// Calls this for each signal, on a thread of its own. A signal that the starter of this process
/// ignores, as `nohup` does, stays ignored. Called once in a process.
pub fn listen(mut hears: impl FnMut(Heard) + Send + 'static) -> io::Result<()> {
    let (mut heard, handlers) = UnixStream::pair()?;
    // More signals than fit have come long before anyone could look: they change nothing.
    handlers.set_nonblocking(true)?;
    let handlers = Arc::new(handlers);
    for signal in Signal::ALL {
        if !is_ignored(number(signal))? {
            handle(signal, Arc::clone(&handlers))?;
        }
    }
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            let mut byte = [0];
            while heard.read_exact(&mut byte).is_ok() {
                hears(decode(byte[0]));
            }
        })?;
    Ok(())
}

fn number(signal: Signal) -> c_int {
    match signal {
        Signal::Interrupt => libc::SIGINT,
        Signal::Terminate => libc::SIGTERM,
        Signal::HangUp => libc::SIGHUP,
    }
}

/// Nothing else in this process changes this, so it is still so when the handler is installed.
///
/// <https://man7.org/linux/man-pages/man2/sigaction.2.html>
fn is_ignored(signal: c_int) -> io::Result<bool> {
    let mut found = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: asks for the present action and changes none; `found` has room for it.
    match unsafe { libc::sigaction(signal, ptr::null(), found.as_mut_ptr()) } {
        // SAFETY: the call has succeeded, so it has filled this in.
        0 => Ok(unsafe { found.assume_init() }.sa_sigaction == libc::SIG_IGN),
        _ => Err(io::Error::last_os_error()),
    }
}

fn handle(signal: Signal, to: Arc<UnixStream>) -> io::Result<()> {
    let tell = move |info: &libc::siginfo_t| {
        let heard = Heard {
            signal,
            by_process: is_by_process(info.si_code),
        };
        // If this fails, as many signals wait to be read as there is room for.
        let _ = (&*to).write(&[encode(heard)]);
    };
    // SAFETY: in the handler only `write` is called, which may be. It neither allocates, locks nor
    // panics, and the registry restores `errno`.
    unsafe { signal_hook_registry::register_sigaction(number(signal), tell) }?;
    Ok(())
}

/// Whether a process sent a signal, and not the kernel for a terminal. Codes of processes are
/// `SI_USER` and negative ones.
fn is_by_process(code: c_int) -> bool {
    /// From Linux' `asm-generic/siginfo.h`, and from macOS' `sys/signal.h`.
    const SI_USER: c_int = if cfg!(target_os = "macos") {
        0x10001
    } else {
        0
    };
    code == SI_USER || code < 0
}

const BY_PROCESS: u8 = 1 << 7;

fn encode(heard: Heard) -> u8 {
    heard.signal as u8 | if heard.by_process { BY_PROCESS } else { 0 }
}

fn decode(byte: u8) -> Heard {
    let is_it = |signal: &Signal| *signal as u8 == byte & !BY_PROCESS;
    Heard {
        signal: Signal::ALL.into_iter().find(is_it).unwrap_or_default(),
        by_process: byte & BY_PROCESS != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        for signal in Signal::ALL {
            for by_process in [false, true] {
                let heard = Heard { signal, by_process };
                assert_eq!(decode(encode(heard)), heard);
            }
        }
    }

    #[test]
    fn statuses_are_those_of_shells() {
        for signal in Signal::ALL {
            assert_eq!(c_int::from(signal.status()), 128 + number(signal));
        }
    }
}
