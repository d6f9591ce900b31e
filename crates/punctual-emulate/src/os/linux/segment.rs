//! Memory that the tracer shares with a program: what one writes there the other has, without a call.
//!
//! It is a segment of System V's shared memory, for a program can map one by a single call, without a descriptor
//! or a file that others could see.
#![allow(
    unsafe_code,
    reason = "no crate here has the calls of shared memory, and another process writes to it"
)]

use crate::steer::stub::HALF;
use std::io;
use std::ptr::{self, NonNull};

/// A segment as long as the data of a block. It lasts as long as anything has it mapped.
#[derive(Debug)]
pub(crate) struct Segment {
    id: i32,
    at: NonNull<u8>,
}

/// Its length.
const LENGTH: usize = 0x1_0000;
const _: () = assert!(LENGTH as u64 == HALF);

impl Segment {
    /// A new one, which only this user's processes may map.
    pub(crate) fn new() -> io::Result<Self> {
        // SAFETY: it takes and gives numbers.
        let id = unsafe { libc::shmget(libc::IPC_PRIVATE, LENGTH, libc::IPC_CREAT | 0o600) };
        if id == -1 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the kernel finds a place for it.
        let at = unsafe { libc::shmat(id, ptr::null(), 0) };
        let failed = (at.addr() == usize::MAX).then(io::Error::last_os_error);
        // From now on it goes when nothing has it mapped any more; Linux lets others map it until then.
        // SAFETY: this command takes no structure.
        unsafe { libc::shmctl(id, libc::IPC_RMID, ptr::null_mut()) };
        match (failed, NonNull::new(at.cast())) {
            (None, Some(at)) => Ok(Self { id, at }),
            (Some(error), _) => Err(error),
            (None, None) => Err(io::ErrorKind::AddrNotAvailable.into()),
        }
    }

    /// Its number, by which a program maps it.
    pub(crate) fn id(&self) -> u64 {
        u64::from(self.id.cast_unsigned())
    }

    /// Where a part of it begins, if it is a part.
    fn part(&self, offset: u64, length: usize) -> io::Result<NonNull<u8>> {
        let offset = usize::try_from(offset).unwrap_or(LENGTH);
        if offset.saturating_add(length) > LENGTH {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        // SAFETY: it is not behind the end of what is mapped.
        Ok(unsafe { self.at.add(offset) })
    }

    /// Reads a part. The thread of the program that writes to it is stopped.
    pub(crate) fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let from = self.part(offset, into.len())?;
        // SAFETY: so many bytes are mapped there, and no reference to them exists.
        unsafe { ptr::copy_nonoverlapping(from.as_ptr(), into.as_mut_ptr(), into.len()) };
        Ok(())
    }

    /// Writes a part. The thread of the program that reads it is stopped.
    pub(crate) fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let to = self.part(offset, bytes.len())?;
        // SAFETY: so many bytes are mapped there, and no reference to them exists.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), to.as_ptr(), bytes.len()) };
        Ok(())
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: it is mapped there, and nothing has a reference to it.
        unsafe { libc::shmdt(self.at.as_ptr().cast()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let Ok(segment) = Segment::new() else {
            eprintln!("skipped: this system has no shared memory");
            return;
        };
        segment.write(HALF - 3, &[1, 2, 3]).expect("it is a part");
        let mut read = [0; 3];
        segment.read(HALF - 3, &mut read).expect("it is a part");
        assert_eq!(read, [1, 2, 3]);
        assert!(segment.read(HALF - 2, &mut read).is_err());
        assert!(segment.write(u64::MAX, &read).is_err());
    }
}
