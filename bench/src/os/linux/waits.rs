//! Timed waits and other calls as the kernel has them: for programs that know their own wake-ups.
//!
//! Every instant is in nanoseconds of `CLOCK_MONOTONIC`.

use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::fs::{Advice, fadvise};
use rustix::mm::{self, MapFlags, ProtFlags, madvise, mmap, munmap};
use rustix::thread::{CpuSet, futex, sched_setaffinity, set_name};
use rustix::thread::{clock_nanosleep_absolute, clock_nanosleep_relative};
use rustix::time::{ClockId, Itimerspec, Timespec, clock_gettime};
use rustix::time::{TimerfdClockId, TimerfdFlags, TimerfdTimerFlags};
use rustix::time::{timerfd_create, timerfd_settime};
use std::ffi::{CString, c_void};
use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroU32;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::ptr;
use std::sync::atomic::AtomicU32;

const NANOS_PER_SECOND: u64 = 1_000_000_000;
const NANOS_PER_MILLI: u64 = 1_000_000;

fn timespec(nanos: u64) -> Timespec {
    Timespec {
        tv_sec: (nanos / NANOS_PER_SECOND).cast_signed(),
        tv_nsec: (nanos % NANOS_PER_SECOND).cast_signed(),
    }
}

/// For the calls that only the C library has as they are.
fn libc_timespec(nanos: u64) -> libc::timespec {
    let Timespec { tv_sec, tv_nsec } = timespec(nanos);
    libc::timespec { tv_sec, tv_nsec }
}

/// `poll` and `epoll_wait` take whole milliseconds.
fn millis(nanos: u64) -> libc::c_int {
    (nanos / NANOS_PER_MILLI)
        .try_into()
        .unwrap_or(libc::c_int::MAX)
}

/// A reading of the clock.
pub fn now() -> u64 {
    let reading = clock_gettime(ClockId::Monotonic);
    // The clock counts from the start of the machine.
    reading.tv_sec.unsigned_abs() * NANOS_PER_SECOND + reading.tv_nsec.unsigned_abs()
}

/// Names the calling thread, by the first 15 bytes.
pub fn name_thread(name: &str) {
    if let Ok(name) = CString::new(name) {
        // It fails for a bad pointer only.
        let _ = set_name(&name);
    }
}

/// Keeps the calling thread on one processor, where there is that.
pub fn stay_on(processor: usize) {
    let mut set = CpuSet::new();
    set.set(processor);
    let _ = sched_setaffinity(None, &set);
}

/// Makes the calling thread a real-time thread.
pub fn become_real_time(priority: i32) -> io::Result<()> {
    schedule(libc::SCHED_FIFO, priority)
}

/// Lets the calling thread run only where nothing else does.
pub fn become_idle() -> io::Result<()> {
    schedule(libc::SCHED_IDLE, 0)
}

fn schedule(policy: libc::c_int, sched_priority: libc::c_int) -> io::Result<()> {
    let parameters = libc::sched_param { sched_priority };
    // SAFETY: `parameters` is valid for reading. 0 is the calling thread.
    match unsafe { libc::sched_setscheduler(0, policy, &raw const parameters) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// `clock_nanosleep` until an instant.
pub fn sleep_until(instant: u64) {
    // A signal may end it; callers look at the clock.
    let _ = clock_nanosleep_absolute(ClockId::Monotonic, &timespec(instant));
}

/// `clock_nanosleep` for a while.
pub fn sleep_for(nanos: u64) {
    // A signal may end it; callers look at the clock.
    let _ = clock_nanosleep_relative(ClockId::Monotonic, &timespec(nanos));
}

/// `poll` of nothing.
pub fn poll_for(nanos: u64) {
    // SAFETY: no descriptors are given.
    unsafe { libc::poll(ptr::null_mut(), 0, millis(nanos)) };
}

/// `ppoll` of nothing.
pub fn ppoll_for(nanos: u64) {
    let timeout = libc_timespec(nanos);
    // SAFETY: no descriptors are given, `timeout` is valid for reading, and no signals are masked.
    unsafe { libc::ppoll(ptr::null_mut(), 0, &raw const timeout, ptr::null()) };
}

/// `select` of nothing.
pub fn select_for(nanos: u64) {
    let mut timeout = libc::timeval {
        tv_sec: (nanos / NANOS_PER_SECOND).cast_signed(),
        tv_usec: (nanos % NANOS_PER_SECOND / 1_000).cast_signed(),
    };
    let none = ptr::null_mut();
    // SAFETY: no descriptors are given, and `timeout` is valid for reading and writing.
    unsafe { libc::select(0, none, none, none, &raw mut timeout) };
}

/// A `futex` that nobody wakes, until an instant.
pub fn futex_until(instant: u64) {
    let (word, until) = (AtomicU32::new(0), timespec(instant));
    // That its time has passed is what it is for.
    let _ = futex::wait_bitset(
        &word,
        futex::Flags::PRIVATE,
        0,
        Some(&until),
        NonZeroU32::MAX,
    );
}

/// A timer that is read.
pub struct TimerFile(pub File);

impl TimerFile {
    pub fn new() -> io::Result<Self> {
        let file = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC)?;
        Ok(Self(file.into()))
    }

    /// Sets it to an instant.
    pub fn set(&self, instant: u64) {
        let once = Itimerspec {
            it_interval: timespec(0),
            it_value: timespec(instant),
        };
        // A timer of ours takes every instant.
        let _ = timerfd_settime(&self.0, TimerfdTimerFlags::ABSTIME, &once);
    }

    /// Waits until it has expired.
    pub fn wait(&self) {
        // A timer that expires is the only thing that can end this.
        let _ = (&self.0).read(&mut [0; 8]);
    }
}

/// A set of files to wait for.
pub struct Epoll(OwnedFd);

impl Epoll {
    /// With a file in it, or empty.
    pub fn new(file: Option<BorrowedFd<'_>>) -> io::Result<Self> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        if let Some(file) = file {
            epoll::add(&epoll, file, EventData::new_u64(0), EventFlags::IN)?;
        }
        Ok(Self(epoll))
    }

    /// `epoll_wait`, for whole milliseconds; for ever without any. Says how many files are ready.
    pub fn wait(&self, nanos: Option<u64>) -> i32 {
        let timeout = nanos.map_or(-1, millis);
        let mut event = libc::epoll_event { events: 0, u64: 0 };
        // SAFETY: `event` is valid for writing, and the only one.
        unsafe { libc::epoll_wait(self.0.as_raw_fd(), &raw mut event, 1, timeout) }
    }

    /// `epoll_pwait2`, to the nanosecond.
    pub fn wait_precisely(&self, nanos: u64) {
        let timeout = libc_timespec(nanos);
        let mut event = libc::epoll_event { events: 0, u64: 0 };
        // SAFETY: `event` is valid for writing, and the only one; `timeout` is valid for reading; no
        // signals are masked.
        unsafe {
            libc::syscall(
                libc::SYS_epoll_pwait2,
                self.0.as_raw_fd(),
                &raw mut event,
                1,
                &raw const timeout,
                ptr::null::<libc::sigset_t>(),
                0,
            )
        };
    }
}

/// A file in memory whose pages can be sent away, so that the next look at one waits for the disk.
pub struct Mapped {
    file: File,
    start: *mut c_void,
    bytes: usize,
}

impl Mapped {
    /// All of a file, which must not become shorter.
    pub fn new(file: File) -> io::Result<Self> {
        let bytes = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        let flags = MapFlags::SHARED;
        // SAFETY: a new mapping, at an address that the kernel chooses.
        let start = unsafe { mmap(ptr::null_mut(), bytes, ProtFlags::READ, flags, &file, 0) }?;
        Ok(Self { file, start, bytes })
    }

    /// Sends all of it away, and reads one byte of it.
    pub fn read_from_disk(&self, at: usize) -> u8 {
        // SAFETY: the range is that of the mapping; nothing in it was changed.
        let _ = unsafe { madvise(self.start, self.bytes, mm::Advice::LinuxDontNeed) };
        // Both are advice: a kernel that does not take it has the page in memory, which shows in the log.
        let _ = fadvise(&self.file, 0, None, Advice::DontNeed);
        let byte = self.start.cast::<u8>().wrapping_add(at % self.bytes);
        // SAFETY: within the mapping, and the file is not shorter.
        unsafe { byte.read_volatile() }
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own, and no reference into it exists.
        let _ = unsafe { munmap(self.start, self.bytes) };
    }
}
