//! The calling thread's priority and processors.

use super::{THREAD_PRIORITY_HIGHEST, THREAD_PRIORITY_TIME_CRITICAL, Win32, Win32Error, WindowsOs};
use crate::Error;
use crate::os::{Priority, Scheduling};

/// A thread's priority before it was raised, relative to its process's class.
#[derive(Debug)]
pub struct FoundPriority(i32);

/// The processors a thread could use before it was pinned.
#[derive(Debug)]
pub struct FoundAffinity(usize);

impl<W: Win32> Scheduling for WindowsOs<W> {
    type Priority = FoundPriority;
    type Affinity = FoundAffinity;

    fn raise_priority(&self, priority: Priority) -> Result<FoundPriority, Error> {
        let wanted = match priority {
            Priority::High => THREAD_PRIORITY_HIGHEST,
            Priority::Realtime => THREAD_PRIORITY_TIME_CRITICAL,
        };
        let win32 = self.win32();
        let thread = win32.get_current_thread();
        let found = win32
            .get_thread_priority(thread)
            .map_err(|error| refused("a look at the thread's priority", error))?;
        win32
            .set_thread_priority(thread, wanted.max(found))
            .map_err(|error| refused(&format!("thread priority {wanted}"), error))?;
        Ok(FoundPriority(found))
    }

    fn restore_priority(&self, found: &FoundPriority) {
        let win32 = self.win32();
        // Going back down is always permitted.
        let _ = win32.set_thread_priority(win32.get_current_thread(), found.0);
    }

    fn pin(&self, processor: usize) -> Result<FoundAffinity, Error> {
        let win32 = self.win32();
        let allowed = win32
            .get_process_affinity_mask(win32.get_current_process())
            .map_err(|error| refused("a look at the process's processors", error))?
            .process;
        if allowed == 0 {
            return Err(Error::unsupported(
                "this process uses several groups of processors, and a number does not say of \
                 which; keep it to one group, as `start /node` does",
            ));
        }
        let mask = mask(processor) & allowed;
        if mask == 0 {
            return Err(Error::invalid_input(format!(
                "processor {processor} is not one this thread may use; it may use {}",
                listed(allowed)
            )));
        }
        win32
            .set_thread_affinity_mask(win32.get_current_thread(), mask)
            .map(FoundAffinity)
            .map_err(|error| refused(&format!("processor {processor}"), error))
    }

    fn restore_affinity(&self, found: &FoundAffinity) {
        let win32 = self.win32();
        // It was permitted before.
        let _ = win32.set_thread_affinity_mask(win32.get_current_thread(), found.0);
    }
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
    if error == Win32Error::ACCESS_DENIED {
        Error::not_permitted(format!(
            "the system refuses {what} ({error}): the thread needs the right \
             THREAD_SET_INFORMATION on itself, which a sandbox may have taken"
        ))
    } else {
        Error::system(format!("the system refuses {what}: {error}"))
    }
}
