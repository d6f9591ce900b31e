//! Timed waits and other calls as the kernel has them: for programs that know their own wake-ups.
//!
//! Every instant is in nanoseconds of `CLOCK_MONOTONIC`.

use std::fs::File;
use std::io::{self, Read};
use std::mem;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;

const NANOS_PER_SECOND: u64 = 1_000_000_000;
const NANOS_PER_MILLI: u64 = 1_000_000;

fn timespec(nanos: u64) -> libc::timespec {
    libc::timespec {
        tv_sec: (nanos / NANOS_PER_SECOND).cast_signed(),
        tv_nsec: (nanos % NANOS_PER_SECOND).cast_signed(),
    }
}

/// `poll` and `epoll_wait` take whole milliseconds.
fn millis(nanos: u64) -> libc::c_int {
    (nanos / NANOS_PER_MILLI)
        .try_into()
        .unwrap_or(libc::c_int::MAX)
}

/// A reading of the clock.
pub fn now() -> u64 {
    let mut reading = timespec(0);
    // SAFETY: `reading` is valid for writing. Every Linux has this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut reading) };
    // The clock counts from the start of the machine.
    reading.tv_sec.unsigned_abs() * NANOS_PER_SECOND + reading.tv_nsec.unsigned_abs()
}

/// The calling thread's id.
pub fn thread_id() -> u32 {
    // SAFETY: asks for a number of the calling thread; no pointers.
    let id = unsafe { libc::gettid() };
    id.unsigned_abs()
}

/// Names the calling thread.
pub fn name_thread(name: &str) {
    let mut text = [0_u8; 16];
    let kept = name.len().min(text.len() - 1);
    text[..kept].copy_from_slice(&name.as_bytes()[..kept]);
    // SAFETY: `text` ends with a zero and is valid for reading.
    unsafe { libc::prctl(libc::PR_SET_NAME, text.as_ptr()) };
}

/// Keeps the calling thread on one processor.
pub fn stay_on(processor: usize) {
    // SAFETY: a structure of plain numbers, for which zero is a value.
    let mut set: libc::cpu_set_t = unsafe { mem::zeroed() };
    // SAFETY: `set` is valid for writing, and the processor is one of few.
    unsafe { libc::CPU_SET(processor, &mut set) };
    // SAFETY: `set` is valid for reading, and its size is given. 0 is the calling thread.
    unsafe { libc::sched_setaffinity(0, mem::size_of_val(&set), &raw const set) };
}

/// Makes the calling thread a real-time thread.
pub fn become_real_time(priority: i32) -> io::Result<()> {
    schedule(libc::SCHED_FIFO, priority)
}

/// Makes the calling process the leader of a session of its own.
pub fn begin_session() -> io::Result<()> {
    // SAFETY: no pointers.
    check(unsafe { libc::setsid() })
}

/// Lets the calling thread run only where nothing else does.
pub fn become_idle() -> io::Result<()> {
    schedule(libc::SCHED_IDLE, 0)
}

fn schedule(policy: libc::c_int, sched_priority: libc::c_int) -> io::Result<()> {
    let parameters = libc::sched_param { sched_priority };
    // SAFETY: `parameters` is valid for reading. 0 is the calling thread.
    check(unsafe { libc::sched_setscheduler(0, policy, &raw const parameters) })
}

/// Asks a process to end.
pub fn terminate(process: u32) -> io::Result<()> {
    // SAFETY: no pointers.
    check(unsafe { libc::kill(process.cast_signed(), libc::SIGTERM) })
}

/// Stops a process, or lets it go on.
pub fn stop(process: u32, stopped: bool) -> io::Result<()> {
    let signal = if stopped {
        libc::SIGSTOP
    } else {
        libc::SIGCONT
    };
    // SAFETY: no pointers.
    check(unsafe { libc::kill(process.cast_signed(), signal) })
}

fn check(result: libc::c_int) -> io::Result<()> {
    match result {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// `clock_nanosleep` until an instant.
pub fn sleep_until(instant: u64) {
    let until = timespec(instant);
    // SAFETY: `until` is valid for reading; with an absolute time there is no rest to ask for.
    unsafe {
        libc::clock_nanosleep(
            libc::CLOCK_MONOTONIC,
            libc::TIMER_ABSTIME,
            &raw const until,
            ptr::null_mut(),
        )
    };
}

/// `clock_nanosleep` for a while.
pub fn sleep_for(nanos: u64) {
    let until = timespec(nanos);
    // SAFETY: `until` is valid for reading; null says that the rest is not asked for.
    unsafe { libc::clock_nanosleep(libc::CLOCK_MONOTONIC, 0, &raw const until, ptr::null_mut()) };
}

/// `poll` of nothing.
pub fn poll_for(nanos: u64) {
    // SAFETY: no descriptors are given.
    unsafe { libc::poll(ptr::null_mut(), 0, millis(nanos)) };
}

/// `ppoll` of nothing.
pub fn ppoll_for(nanos: u64) {
    let timeout = timespec(nanos);
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
    let (word, until) = (0_u32, timespec(instant));
    // SAFETY: `word` and `until` are valid for reading, and the other arguments are numbers or unused.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            &raw const word,
            libc::FUTEX_WAIT_BITSET | libc::FUTEX_PRIVATE_FLAG,
            0,
            &raw const until,
            ptr::null::<u32>(),
            libc::FUTEX_BITSET_MATCH_ANY,
        )
    };
}

/// A timer that is read.
pub struct TimerFile(File);

impl TimerFile {
    pub fn new() -> io::Result<Self> {
        // SAFETY: no pointers.
        let file = unsafe { libc::timerfd_create(libc::CLOCK_MONOTONIC, libc::TFD_CLOEXEC) };
        check(file)?;
        // SAFETY: the call has just made this descriptor, and nothing else has it.
        Ok(Self(unsafe { File::from_raw_fd(file) }))
    }

    /// Sets it to an instant.
    pub fn set(&self, instant: u64) {
        let once = libc::itimerspec {
            it_interval: timespec(0),
            it_value: timespec(instant),
        };
        // SAFETY: `once` is valid for reading; null says that the old setting is not asked for.
        unsafe {
            libc::timerfd_settime(
                self.0.as_raw_fd(),
                libc::TFD_TIMER_ABSTIME,
                &raw const once,
                ptr::null_mut(),
            )
        };
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
    /// With a timer in it, or empty.
    pub fn new(timer: Option<&TimerFile>) -> io::Result<Self> {
        // SAFETY: no pointers.
        let file = unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) };
        check(file)?;
        // SAFETY: the call has just made this descriptor, and nothing else has it.
        let epoll = Self(unsafe { OwnedFd::from_raw_fd(file) });
        if let Some(timer) = timer {
            let mut event = libc::epoll_event {
                events: libc::EPOLLIN.cast_unsigned(),
                u64: 0,
            };
            let (epoll, timer) = (epoll.0.as_raw_fd(), timer.0.as_raw_fd());
            // SAFETY: both are open, and `event` is valid for reading.
            check(unsafe { libc::epoll_ctl(epoll, libc::EPOLL_CTL_ADD, timer, &raw mut event) })?;
        }
        Ok(epoll)
    }

    /// `epoll_wait`, for whole milliseconds; for ever without any.
    pub fn wait(&self, nanos: Option<u64>) {
        let timeout = nanos.map_or(-1, millis);
        let mut event = libc::epoll_event { events: 0, u64: 0 };
        // SAFETY: `event` is valid for writing, and the only one.
        unsafe { libc::epoll_wait(self.0.as_raw_fd(), &raw mut event, 1, timeout) };
    }

    /// `epoll_pwait2`, to the nanosecond.
    pub fn wait_precisely(&self, nanos: u64) {
        let timeout = timespec(nanos);
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
    start: *mut libc::c_void,
    bytes: usize,
}

impl Mapped {
    /// All of a file, which must not become shorter.
    pub fn new(file: File) -> io::Result<Self> {
        let bytes = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        let (descriptor, flags) = (file.as_raw_fd(), libc::MAP_SHARED);
        // SAFETY: a new mapping, at an address that the kernel chooses.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                bytes,
                libc::PROT_READ,
                flags,
                descriptor,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { file, start, bytes })
    }

    /// Sends all of it away, and reads one byte of it.
    pub fn read_from_disk(&self, at: usize) -> u8 {
        // SAFETY: the range is that of the mapping; nothing in it was changed.
        unsafe { libc::madvise(self.start, self.bytes, libc::MADV_DONTNEED) };
        let descriptor = self.file.as_raw_fd();
        // SAFETY: no pointers.
        unsafe { libc::posix_fadvise(descriptor, 0, 0, libc::POSIX_FADV_DONTNEED) };
        let byte = self.start.cast::<u8>().wrapping_add(at % self.bytes);
        // SAFETY: within the mapping, and the file is not shorter.
        unsafe { byte.read_volatile() }
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own, and no reference into it exists.
        unsafe { libc::munmap(self.start, self.bytes) };
    }
}
