//! The calling thread's priority and processors.

use super::slice::{self, FoundSlice};
use super::{System, memory};
use crate::Error;
use crate::os::scheduling::{check_fifo, check_processors, refused_processor};
use crate::os::{Priority, Scheduling};
use std::io;
use std::mem;
use std::time::Duration;

/// The nice value of [`Priority::High`]: what RealtimeKit and PulseAudio give to threads that must
/// be prompt without being real-time. Each step is worth a quarter more processor time.
const HIGH_NICE: libc::c_int = -11;

/// The priority of [`Priority::Realtime`]: any real-time priority comes before every ordinary
/// thread; the lowest leaves the kernel's own threads (50) and other real-time programs ahead of
/// us.
const REALTIME_PRIORITY: u8 = 1;

/// In Linux's scheduling calls, zero is the calling thread.
const THIS_THREAD: libc::pid_t = 0;

/// A thread's scheduling as it was before it was raised.
#[derive(Debug)]
pub struct FoundPriority {
    policy: libc::c_int,
    realtime_priority: libc::c_int,
    nice: libc::c_int,
}

/// The processors a thread could use before it was pinned.
pub struct FoundAffinity(libc::cpu_set_t);

impl Scheduling for System {
    type Priority = FoundPriority;
    type Affinity = FoundAffinity;
    type Slice = FoundSlice;

    fn raise_priority(&self, priority: Priority) -> Result<FoundPriority, Error> {
        if let Priority::Fifo(priority) = priority {
            check_fifo(priority)?;
        }
        let found = found_priority()?;
        match priority {
            Priority::High => set_nice(HIGH_NICE)
                .map_err(|error| refused("nice -11", "a nice limit (ulimit -e) of 31", error)),
            Priority::Realtime => set_fifo(REALTIME_PRIORITY),
            Priority::Fifo(priority) => set_fifo(priority),
        }?;
        Ok(found)
    }

    // Going back down is always permitted, so there is no failure to report.
    fn restore_priority(&self, found: &FoundPriority) {
        let _ = set_policy(found.policy, found.realtime_priority);
        let _ = set_nice(found.nice);
        slice::settle();
    }

    fn pin(&self, processors: &[usize]) -> Result<FoundAffinity, Error> {
        check_processors(processors)?;
        let found = affinity()?;
        if let Some(&other) = processors.iter().find(|other| !contains(&found, **other)) {
            return Err(refused_processor(other, &listed(&found)));
        }
        set_affinity(&only(processors))?;
        Ok(FoundAffinity(found))
    }

    fn restore_affinity(&self, found: &FoundAffinity) {
        // It was permitted before; processors taken away since are left out by the kernel.
        let _ = set_affinity(&found.0);
    }

    fn slice(&self) -> Result<Duration, Error> {
        slice::slice()
    }

    fn set_slice(&self, slice: Duration) -> Result<FoundSlice, Error> {
        slice::set(slice)
    }

    fn restore_slice(&self, found: &FoundSlice) {
        slice::restore(found);
    }

    fn lock_memory(&self) -> Result<(), Error> {
        memory::lock()
    }

    fn unlock_memory(&self) {
        memory::unlock();
    }
}

fn refused(what: &str, limit: &str, error: io::Error) -> Error {
    let refusal = Error::not_permitted(format!(
        "the system refuses {what} ({error}): it needs CAP_SYS_NICE or {limit}; \
         run as root, or grant it with `setcap cap_sys_nice+ep PROGRAM`"
    ));
    refusal.because_of(error)
}

fn set_fifo(priority: u8) -> Result<(), Error> {
    set_policy(libc::SCHED_FIFO, priority.into()).map_err(|error| {
        let limit = format!("a real-time limit (ulimit -r) of {priority}");
        refused(&format!("SCHED_FIFO at priority {priority}"), &limit, error)
    })
}

fn found_priority() -> Result<FoundPriority, Error> {
    // SAFETY: plain numbers, for which zero is a value.
    let mut parameters: libc::sched_param = unsafe { mem::zeroed() };
    // SAFETY: no pointers.
    let policy = checked(unsafe { libc::sched_getscheduler(THIS_THREAD) })?;
    // SAFETY: `parameters` is valid for writing.
    checked(unsafe { libc::sched_getparam(THIS_THREAD, &raw mut parameters) })?;
    // SAFETY: no pointers. Its result may rightly be -1, and for the calling thread it cannot fail.
    let nice = unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
    Ok(FoundPriority {
        policy,
        realtime_priority: parameters.sched_priority,
        nice,
    })
}

fn set_policy(policy: libc::c_int, realtime_priority: libc::c_int) -> io::Result<()> {
    // SAFETY: plain numbers, for which zero is a value.
    let mut parameters: libc::sched_param = unsafe { mem::zeroed() };
    parameters.sched_priority = realtime_priority;
    // SAFETY: `parameters` is valid for reading.
    succeeded(unsafe { libc::sched_setscheduler(THIS_THREAD, policy, &raw const parameters) })
}

/// On Linux a nice value belongs to the thread, whatever POSIX says.
fn set_nice(nice: libc::c_int) -> io::Result<()> {
    // SAFETY: no pointers.
    succeeded(unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, nice) })
}

fn affinity() -> Result<libc::cpu_set_t, Error> {
    // SAFETY: an array of bits, for which zero is a value.
    let mut set: libc::cpu_set_t = unsafe { mem::zeroed() };
    // SAFETY: `set` is valid for writing, with the size given.
    checked(unsafe {
        libc::sched_getaffinity(THIS_THREAD, size_of::<libc::cpu_set_t>(), &raw mut set)
    })?;
    Ok(set)
}

fn set_affinity(set: &libc::cpu_set_t) -> Result<(), Error> {
    // SAFETY: `set` is valid for reading, with the size given.
    checked(unsafe { libc::sched_setaffinity(THIS_THREAD, size_of::<libc::cpu_set_t>(), set) })?;
    Ok(())
}

fn only(processors: &[usize]) -> libc::cpu_set_t {
    // SAFETY: an array of bits, for which zero is a value.
    let mut set: libc::cpu_set_t = unsafe { mem::zeroed() };
    for &processor in processors {
        // SAFETY: the caller has found the processor in a set of this size.
        unsafe { libc::CPU_SET(processor, &mut set) };
    }
    set
}

fn contains(set: &libc::cpu_set_t, processor: usize) -> bool {
    let capacity = usize::try_from(libc::CPU_SETSIZE).unwrap_or(0);
    // SAFETY: the number is within the set.
    processor < capacity && unsafe { libc::CPU_ISSET(processor, set) }
}

fn listed(set: &libc::cpu_set_t) -> String {
    let capacity = usize::try_from(libc::CPU_SETSIZE).unwrap_or(0);
    let numbers: Vec<_> = (0..capacity)
        .filter(|&processor| contains(set, processor))
        .map(|processor| processor.to_string())
        .collect();
    numbers.join(", ")
}

fn succeeded(result: libc::c_int) -> io::Result<()> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}

/// For calls that nothing but a broken system refuses.
fn checked(result: libc::c_int) -> Result<libc::c_int, Error> {
    succeeded(result).map_err(|error| {
        Error::system(format!("the scheduler refuses: {error}")).because_of(error)
    })?;
    Ok(result)
}
