//! The least io_uring: one request at a time, submitted and waited for in one call.
//!
//! Structures and numbers are those of `linux/io_uring.h`.

use std::io;
use std::mem::zeroed;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, Ordering};

/// How many requests there may be at a time.
const ENTRIES: u32 = 1;

const IORING_OFF_SQ_RING: libc::off_t = 0;
const IORING_OFF_CQ_RING: libc::off_t = 0x800_0000;
const IORING_OFF_SQES: libc::off_t = 0x1000_0000;
const IORING_ENTER_GETEVENTS: u32 = 1;
const IORING_OP_TIMEOUT: u8 = 11;
const IORING_TIMEOUT_ABS: u32 = 1;

#[repr(C)]
struct SqOffsets {
    head: u32,
    tail: u32,
    ring_mask: u32,
    ring_entries: u32,
    flags: u32,
    dropped: u32,
    array: u32,
    resv1: u32,
    user_addr: u64,
}

#[repr(C)]
struct CqOffsets {
    head: u32,
    tail: u32,
    ring_mask: u32,
    ring_entries: u32,
    overflow: u32,
    cqes: u32,
    flags: u32,
    resv1: u32,
    user_addr: u64,
}

#[repr(C)]
struct Params {
    sq_entries: u32,
    cq_entries: u32,
    flags: u32,
    sq_thread_cpu: u32,
    sq_thread_idle: u32,
    features: u32,
    wq_fd: u32,
    resv: [u32; 3],
    sq_off: SqOffsets,
    cq_off: CqOffsets,
}

/// A request.
#[repr(C)]
struct Sqe {
    opcode: u8,
    flags: u8,
    ioprio: u16,
    fd: i32,
    off: u64,
    addr: u64,
    len: u32,
    timeout_flags: u32,
    user_data: u64,
    rest: [u64; 3],
}

/// A completion.
#[repr(C)]
struct Cqe {
    user_data: u64,
    res: i32,
    flags: u32,
}

/// Rings shared with the kernel. Mappings outlive the descriptor that they are of.
pub(super) struct Ring {
    descriptor: OwnedFd,
    requests: Mapping,
    completions: Mapping,
    request: Mapping,
    sq_off: SqOffsets,
    cq_off: CqOffsets,
}

impl Ring {
    /// An empty ring, or the name of the call that failed; why is the last error.
    pub(super) fn new() -> Result<Self, &'static str> {
        // SAFETY: plain numbers, for which zero is a value.
        let mut params: Params = unsafe { zeroed() };
        // SAFETY: the parameters are valid for reading and writing; the result is checked.
        let descriptor =
            unsafe { libc::syscall(libc::SYS_io_uring_setup, ENTRIES, &raw mut params) };
        let descriptor = libc::c_int::try_from(descriptor).unwrap_or(-1);
        if descriptor < 0 {
            return Err("io_uring_setup");
        }
        // SAFETY: the descriptor is new and nobody else's.
        let descriptor = unsafe { OwnedFd::from_raw_fd(descriptor) };
        let (sq, cq) = (&params.sq_off, &params.cq_off);
        let sq_size = sq.array as usize + params.sq_entries as usize * size_of::<u32>();
        let cq_size = cq.cqes as usize + params.cq_entries as usize * size_of::<Cqe>();
        let sqe_size = params.sq_entries as usize * size_of::<Sqe>();
        let map = |size, offset| Mapping::of(&descriptor, size, offset).ok_or("mmap");
        Ok(Self {
            requests: map(sq_size, IORING_OFF_SQ_RING)?,
            completions: map(cq_size, IORING_OFF_CQ_RING)?,
            request: map(sqe_size, IORING_OFF_SQES)?,
            descriptor,
            sq_off: params.sq_off,
            cq_off: params.cq_off,
        })
    }

    /// Asks for a timeout at this time of the monotonic clock and waits for it. (The kernel's own
    /// `__kernel_timespec` has 64 bits for each number, as the C library's has on 64-bit systems.) Returns its result;
    /// `None` if there is none, for the reason that is the last error.
    pub(super) fn time_out(&mut self, at: &libc::timespec) -> Option<i32> {
        self.put(at);
        let mut to_submit = 1_u32;
        loop {
            // SAFETY: the one request was put above, and the time in it outlives its completion,
            // which is waited for. No signal mask.
            let entered = unsafe {
                libc::syscall(
                    libc::SYS_io_uring_enter,
                    self.descriptor.as_raw_fd(),
                    to_submit,
                    1_u32,
                    IORING_ENTER_GETEVENTS,
                    ptr::null::<libc::sigset_t>(),
                    0_usize,
                )
            };
            if let Some(result) = self.take() {
                return Some(result);
            }
            // Stopping and continuing the process interrupts the call, and the timeout goes on.
            let interrupted = io::Error::last_os_error().raw_os_error() == Some(libc::EINTR);
            match entered {
                0.. => to_submit = 0,
                _ if interrupted => to_submit = u32::from(self.is_unsubmitted()),
                _ => return None,
            }
        }
    }

    /// Puts the request where the kernel looks for the next.
    fn put(&mut self, at: &libc::timespec) {
        let tail = self.requests.counter(self.sq_off.tail);
        let next = tail.load(Ordering::Relaxed);
        // SAFETY: plain numbers, for which zero is a value.
        let mut sqe: Sqe = unsafe { zeroed() };
        sqe.opcode = IORING_OP_TIMEOUT;
        sqe.fd = -1;
        sqe.addr = ptr::from_ref(at) as u64;
        sqe.len = 1;
        sqe.timeout_flags = IORING_TIMEOUT_ABS;
        // SAFETY: the mapping has room for a request, and the kernel reads none before it is told.
        unsafe { self.request.at::<Sqe>(0).write(sqe) };
        let mask = self.requests.counter(self.sq_off.ring_mask);
        let slot = (next & mask.load(Ordering::Relaxed)) * 4;
        self.requests
            .counter(self.sq_off.array + slot)
            .store(0, Ordering::Relaxed);
        tail.store(next.wrapping_add(1), Ordering::Release);
    }

    /// Whether the kernel has not taken the request yet.
    fn is_unsubmitted(&self) -> bool {
        let head = self.requests.counter(self.sq_off.head);
        let tail = self.requests.counter(self.sq_off.tail);
        head.load(Ordering::Acquire) != tail.load(Ordering::Relaxed)
    }

    /// Takes the result of a completed request, if there is one.
    fn take(&self) -> Option<i32> {
        let head = self.completions.counter(self.cq_off.head);
        let next = head.load(Ordering::Relaxed);
        let tail = self.completions.counter(self.cq_off.tail);
        if tail.load(Ordering::Acquire) == next {
            return None;
        }
        let mask = self.completions.counter(self.cq_off.ring_mask);
        let slot = (next & mask.load(Ordering::Relaxed)) as usize * size_of::<Cqe>();
        // SAFETY: what lies before the tail is a completion, within the mapping.
        let cqe = unsafe {
            self.completions
                .at::<Cqe>(self.cq_off.cqes as usize + slot)
                .read()
        };
        head.store(next.wrapping_add(1), Ordering::Release);
        Some(cqe.res)
    }
}

/// Memory shared with the kernel.
struct Mapping {
    start: NonNull<libc::c_void>,
    size: usize,
}

impl Mapping {
    fn of(ring: &OwnedFd, size: usize, offset: libc::off_t) -> Option<Self> {
        // SAFETY: a new mapping, wherever the kernel likes; the result is checked.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                size,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_POPULATE,
                ring.as_raw_fd(),
                offset,
            )
        };
        let start = NonNull::new(start).filter(|_| start != libc::MAP_FAILED)?;
        Some(Self { start, size })
    }

    /// A place for a `T`, so many bytes from the start.
    fn at<T>(&self, offset: usize) -> *mut T {
        assert!(offset + size_of::<T>() <= self.size, "outside of the ring");
        // SAFETY: within the mapping.
        unsafe { self.start.as_ptr().byte_add(offset).cast() }
    }

    /// A number that both sides read and write.
    fn counter(&self, offset: u32) -> &AtomicU32 {
        // SAFETY: within the mapping, aligned as the kernel aligns it, and touched only atomically
        // while we hold the mapping.
        unsafe { AtomicU32::from_ptr(self.at(offset as usize)) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and references into it do not outlive it.
        unsafe { libc::munmap(self.start.as_ptr(), self.size) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_as_large_as_the_kernels() {
        assert_eq!(size_of::<Params>(), 120);
        assert_eq!(size_of::<Sqe>(), 64);
        assert_eq!(size_of::<Cqe>(), 16);
    }
}
