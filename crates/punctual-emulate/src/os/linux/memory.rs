//! The memory of a stopped thread.
#![allow(
    unsafe_code,
    reason = "no crate here has the calls that read another process' memory"
)]

use super::ptrace::{self, Tid};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::ptr;

fn remote(address: u64, length: usize) -> libc::iovec {
    let address = usize::try_from(address).expect("addresses have 64 bits");
    libc::iovec {
        iov_base: ptr::without_provenance_mut(address),
        iov_len: length,
    }
}

/// Reads. An error if not all could be.
pub(crate) fn read(tid: Tid, address: u64, into: &mut [u8]) -> io::Result<()> {
    let local = libc::iovec {
        iov_base: into.as_mut_ptr().cast(),
        iov_len: into.len(),
    };
    let remote = remote(address, into.len());
    // SAFETY: the kernel writes into the slice, and no further than its length.
    let done = unsafe { libc::process_vm_readv(tid, &raw const local, 1, &raw const remote, 1, 0) };
    match all(done, into.len()) {
        // Containers may refuse the call, and not the file.
        Err(error) if is_denied(&error) => {
            File::open(format!("/proc/{tid}/mem"))?.read_exact_at(into, address)
        }
        result => result,
    }
}

/// Writes where the thread itself may write. An error if not all could be.
pub(crate) fn write(tid: Tid, address: u64, bytes: &[u8]) -> io::Result<()> {
    let local = libc::iovec {
        iov_base: bytes.as_ptr().cast_mut().cast(),
        iov_len: bytes.len(),
    };
    let remote = remote(address, bytes.len());
    // SAFETY: the kernel reads from the slice, and no further than its length.
    let done =
        unsafe { libc::process_vm_writev(tid, &raw const local, 1, &raw const remote, 1, 0) };
    match all(done, bytes.len()) {
        Err(error) if is_denied(&error) => force(tid, address, bytes),
        result => result,
    }
}

/// Whether the call itself was refused.
fn is_denied(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EPERM | libc::ENOSYS))
}

fn all(done: isize, length: usize) -> io::Result<()> {
    match usize::try_from(done) {
        Ok(done) if done == length => Ok(()),
        Ok(_) => Err(io::Error::from_raw_os_error(libc::EFAULT)),
        Err(_) => Err(io::Error::last_os_error()),
    }
}

/// Writes scratch memory, or code, where the thread itself may not write: by the process' file, or where that
/// is denied word by word. The length is a multiple of eight.
pub(crate) fn force(tid: Tid, address: u64, bytes: &[u8]) -> io::Result<()> {
    let by_file = File::options().write(true).open(format!("/proc/{tid}/mem"));
    if by_file
        .and_then(|file| file.write_all_at(bytes, address))
        .is_ok()
    {
        return Ok(());
    }
    let (words, _) = bytes.as_chunks::<8>();
    for (at, word) in (address..).step_by(8).zip(words) {
        ptrace::poke(tid, at, u64::from_le_bytes(*word))?;
    }
    Ok(())
}
