//! Guards, which change something and change it back.

use crate::clock::machine;
use crate::handle::{self, Opaque};
use crate::status::{Failure, PUNCTUAL_ERROR_THREAD, Status, border, of};
use punctual::guard::{MemoryGuard, PinGuard, PriorityGuard, SliceGuard};
use punctual::{Native, Priority};
use std::any::Any;
use std::ffi::c_char;
use std::thread::{self, ThreadId};
use std::time::Duration;

/// `punctual_guard_priority`: before the other threads of the system that have no special priority.
pub const PUNCTUAL_PRIORITY_HIGH: i32 = -1;
/// `punctual_guard_priority`: the real-time class at its usual priority.
pub const PUNCTUAL_PRIORITY_REALTIME: i32 = 0;

/// Changes something for a thread, and changes it back when it is freed.
///
/// Threads: the thread that made it frees it, in the reverse order of making. Another thread gets
/// `PUNCTUAL_ERROR_THREAD`. A guard of memory belongs to the process, and any thread may free it.
pub struct Guard {
    _opaque: [u8; 0],
}

impl Opaque for Guard {
    type Inside = Made;
    const WORD: u32 = u32::from_le_bytes(*b"Guar") & !1;
    const NAME: &'static str = "guard";
}

pub struct Made {
    /// The only thread that may free it, if there is one.
    by: Option<ThreadId>,
    _guard: Box<dyn Any>,
}

// SAFETY: only the thread that made the guard drops it, and nothing else is done with it. Without such a
// thread, it is a guard of memory, which any thread may drop.
unsafe impl Send for Made {}

/// Raises the calling thread's priority: to `PUNCTUAL_PRIORITY_HIGH`, `PUNCTUAL_PRIORITY_REALTIME`,
/// or a number from 1 to 99, which is the priority in Linux' class `SCHED_FIFO`.
///
/// A program should go on without it if the system refuses: `punctual_last_error` says what it
/// takes.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_guard_priority(priority: i32, guard: *mut *mut Guard) -> Status {
    here(guard, |os| {
        let priority = match priority {
            PUNCTUAL_PRIORITY_HIGH => Priority::High,
            PUNCTUAL_PRIORITY_REALTIME => Priority::Realtime,
            fifo => Priority::Fifo(
                u8::try_from(fifo)
                    .ok()
                    .filter(|fifo| *fifo <= 99)
                    .ok_or_else(|| {
                        Failure::invalid(format!("priority: from -1 to 99, not {fifo}"))
                    })?,
            ),
        };
        PriorityGuard::raise(os, priority).map_err(of("priority"))
    })
}

/// Sets how long the calling thread may compute at a time while others wait for the processor, from
/// 0.1 ms to 100 ms. It needs Linux 6.12, and no privilege.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_guard_slice(slice_ns: u64, guard: *mut *mut Guard) -> Status {
    here(guard, |os| {
        SliceGuard::set(os, Duration::from_nanos(slice_ns)).map_err(of("slice_ns"))
    })
}

/// Keeps the calling thread on processors, by their numbers.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_guard_pin(
    processors: *const u32,
    count: usize,
    guard: *mut *mut Guard,
) -> Status {
    here(guard, |os| {
        let processors = handle::numbers(processors, count, "processors")?;
        let processors = processors.iter().map(|n| *n as usize);
        PinGuard::pin_to(os, processors).map_err(of("processors"))
    })
}

/// Keeps all memory of the process in RAM. Linux only.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_guard_memory(guard: *mut *mut Guard) -> Status {
    border(|| {
        handle::make(guard, || {
            Ok(Made {
                by: None,
                _guard: Box::new(MemoryGuard::lock(machine()?)?),
            })
        })
    })
}

/// Registers the calling thread with Windows' multimedia class scheduler for a task, such as `"Pro
/// Audio"` or `"Games"`: a priority above ordinary ones, without any privilege, for threads that
/// mostly wait. Windows only.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_guard_multimedia(task: *const c_char, guard: *mut *mut Guard) -> Status {
    here(guard, |os| {
        let task = handle::text(task, "task")?
            .to_str()
            .map_err(|_| Failure::invalid("task: its name is UTF-8"))?;
        os.multimedia_task(task).map_err(of("task"))
    })
}

/// Frees the guard, and restores what it changed. Null is nothing to free.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_guard_free(guard: *mut Guard) -> Status {
    border(|| {
        handle::free_if(guard, |made| match made.by {
            Some(by) if by != thread::current().id() => Err(PUNCTUAL_ERROR_THREAD.into()),
            _ => Ok(()),
        })
    })
}

/// Makes a guard of the calling thread.
fn here<G: 'static>(
    guard: *mut *mut Guard,
    make: impl FnOnce(&Native) -> Result<G, Failure>,
) -> Status {
    border(|| {
        handle::make(guard, || {
            Ok(Made {
                by: Some(thread::current().id()),
                _guard: Box::new(make(machine()?)?),
            })
        })
    })
}
