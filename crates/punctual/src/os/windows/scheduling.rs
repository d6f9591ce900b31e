//! The calling thread's priority and processors.

use super::{THREAD_PRIORITY_HIGHEST, THREAD_PRIORITY_TIME_CRITICAL, Win32, Win32Error, WindowsOs};
use crate::Error;
use crate::os::scheduling::{check_processors, no_fifo, no_slice, refused_processor};
use crate::os::{Priority, Scheduling};
use std::convert::Infallible;
use std::time::Duration;

/// The length of a turn is the same for all threads of a process.
///
/// <https://learn.microsoft.com/en-us/windows/win32/procthread/multitasking>
const INSTEAD_OF_A_SLICE: &str = "raise the thread's priority, or use Native::multimedia_task: neither \
     needs a privilege";

/// A thread's priority before it was raised, relative to its process's class.
#[derive(Debug)]
pub struct FoundPriority(i32);

/// The processors a thread could use before it was pinned.
#[derive(Debug)]
pub struct FoundAffinity(usize);

impl<W: Win32> Scheduling for WindowsOs<W> {
    type Priority = FoundPriority;
    type Affinity = FoundAffinity;
    type Slice = Infallible;

    fn raise_priority(&self, priority: Priority) -> Result<FoundPriority, Error> {
        let wanted = match priority {
            Priority::High => THREAD_PRIORITY_HIGHEST,
            Priority::Realtime => THREAD_PRIORITY_TIME_CRITICAL,
            Priority::Fifo(_) => return Err(no_fifo("Windows")),
        };
        let win32 = self.win32();
        let found = win32
            .get_thread_priority()
            .map_err(|error| refused("a look at the thread's priority", error))?;
        win32
            .set_thread_priority(wanted.max(found))
            .map_err(|error| refused(&format!("thread priority {wanted}"), error))?;
        Ok(FoundPriority(found))
    }

    fn restore_priority(&self, found: &FoundPriority) {
        let win32 = self.win32();
        // Going back down is always permitted.
        let _ = win32.set_thread_priority(found.0);
    }

    fn pin(&self, processors: &[usize]) -> Result<FoundAffinity, Error> {
        check_processors(processors)?;
        let win32 = self.win32();
        let allowed = win32
            .get_process_affinity_mask()
            .map_err(|error| refused("a look at the process's processors", error))?
            .process;
        if allowed == 0 {
            return Err(Error::unsupported(
                "this process uses several groups of processors, and a number does not say of \
                 which; keep it to one group, as `start /node` does",
            ));
        }
        if let Some(&other) = processors.iter().find(|other| mask(**other) & allowed == 0) {
            return Err(refused_processor(other, &listed(allowed)));
        }
        let wanted = processors.iter().fold(0, |all, one| all | mask(*one));
        win32
            .set_thread_affinity_mask(wanted)
            .map(FoundAffinity)
            .map_err(|error| refused(&format!("processors {}", listed(wanted)), error))
    }

    fn restore_affinity(&self, found: &FoundAffinity) {
        let win32 = self.win32();
        // It was permitted before.
        let _ = win32.set_thread_affinity_mask(found.0);
    }

    /// # Errors
    /// [Unsupported](Error::is_unsupported), always.
    fn slice(&self) -> Result<Duration, Error> {
        Err(no_slice("Windows", INSTEAD_OF_A_SLICE))
    }

    /// # Errors
    /// [Unsupported](Error::is_unsupported), always.
    fn set_slice(&self, _: Duration) -> Result<Infallible, Error> {
        Err(no_slice("Windows", INSTEAD_OF_A_SLICE))
    }

    fn restore_slice(&self, found: &Infallible) {
        match *found {}
    }

    /// # Errors
    /// [Unsupported](Error::is_unsupported), always.
    fn lock_memory(&self) -> Result<(), Error> {
        Err(Error::unsupported(
            "Windows locks no process's memory as a whole; call VirtualLock for the memory that \
             matters",
        ))
    }

    fn unlock_memory(&self) {}
}

/// Zero if a mask has no bit for this processor.
fn mask(processor: usize) -> usize {
    u32::try_from(processor)
        .ok()
        .and_then(|bit| 1_usize.checked_shl(bit))
        .unwrap_or(0)
}

fn listed(allowed: usize) -> String {
    let numbers: Vec<_> = (0..usize::BITS as usize)
        .filter(|&processor| allowed & mask(processor) != 0)
        .map(|processor| processor.to_string())
        .collect();
    numbers.join(", ")
}

fn refused(what: &str, error: Win32Error) -> Error {
    let refusal = if error == Win32Error::ACCESS_DENIED {
        Error::not_permitted(format!(
            "the system refuses {what} ({error}): the thread needs the right \
             THREAD_SET_INFORMATION on itself, which a sandbox may have taken"
        ))
    } else {
        Error::system(format!("the system refuses {what}: {error}"))
    };
    refusal.because_of(error)
}
