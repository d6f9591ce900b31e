//! What is known of one thread: how many hold a short slice there.
//!
//! Holders come on the thread itself, and may leave on another. Then the thread is named by its number,
//! which the kernel gives to another thread after the end of this one. So the thread notes its own end,
//! under the same lock.
//!
//! The lock is held across system calls that do not wait. Only a holder that leaves on another thread
//! can make the thread wait for it.

use super::{Attributes, DEFAULT, Whose};
use std::cell::RefCell;
use std::io;
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The slice of a thread while it is held: the shortest that the kernel gives, and a nanosecond, by
/// which it is known from one that the program has set itself. Whoever inherits it knows it, too.
const OURS_NANOS: u64 = 100_001;

/// Of one thread.
pub(super) struct Place {
    process: u32,
    thread: libc::pid_t,
    seat: Mutex<Seat>,
}

#[derive(Default)]
pub(super) struct Seat {
    holders: usize,
    /// The default slice, once it is known.
    default_nanos: Option<u64>,
    /// The thread has ended.
    is_over: bool,
}

/// The calling thread's place. Dropped with the thread.
struct OwnPlace(RefCell<Arc<Place>>);

thread_local! {
    static OWN: OwnPlace = OwnPlace(RefCell::new(Place::new()));
}

impl Drop for OwnPlace {
    fn drop(&mut self) {
        let place = self.0.get_mut();
        // In a fork, another thread may have held the lock that does not exist here.
        if place.is_of_this_process() {
            place.lock().is_over = true;
        }
    }
}

impl Place {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            process: process::id(),
            // SAFETY: no pointers, and it cannot fail.
            thread: unsafe { libc::gettid() },
            seat: Mutex::default(),
        })
    }

    /// `None` while the thread ends. A fork has a place of its own, and no holders yet.
    pub(super) fn of_this_thread() -> Option<Arc<Self>> {
        let own = OWN.try_with(|own| {
            let mut place = own.0.borrow_mut();
            if !place.is_of_this_process() {
                *place = Self::new();
            }
            Arc::clone(&place)
        });
        own.ok()
    }

    /// Runs it while no holder comes or leaves.
    pub(super) fn of_this_thread_locked<R>(body: impl FnOnce() -> R) -> R {
        let place = Self::of_this_thread();
        let _seat = place.as_ref().map(|place| place.lock());
        body()
    }

    pub(super) fn is_of_this_process(&self) -> bool {
        self.process == process::id()
    }

    /// # Errors
    /// Those of the system; nothing has come then.
    pub(super) fn come(&self) -> io::Result<()> {
        let mut seat = self.lock();
        seat.holders += 1;
        let settled = seat.settle(Whose::CallingThread);
        if settled.is_err() {
            seat.holders -= 1;
        }
        settled
    }

    /// A holder leaves, on this thread or on another.
    pub(super) fn leave(&self, is_here: bool) {
        let mut seat = self.lock();
        seat.holders -= 1;
        if seat.is_over || seat.holders > 0 {
            return;
        }
        let whose = if is_here {
            Whose::CallingThread
        } else {
            Whose::Thread(self.thread)
        };
        // If a sandbox forbids it since, the slice stays: nothing else could undo it.
        let _ = seat.settle(whose);
    }

    fn lock(&self) -> MutexGuard<'_, Seat> {
        self.seat.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seat {
    /// Whether anything of ours can be there.
    fn was_ever_taken(&self) -> bool {
        self.holders > 0 || self.default_nanos.is_some()
    }

    /// Makes the slice fit the number of holders, as far as the thread's class has one.
    ///
    /// # Errors
    /// Those of the system, and if it has no slices.
    fn settle(&mut self, whose: Whose) -> io::Result<()> {
        let found = Attributes::read(whose)?;
        if self.holders == 0 {
            return if is_ours(&found) {
                found.set_slice(whose, DEFAULT)
            } else {
                Ok(())
            };
        }
        if !found.is_ordinary() || is_ours(&found) {
            return Ok(());
        }
        if found.runtime_nanos == 0 {
            return Err(io::ErrorKind::Unsupported.into());
        }
        self.shorten(&found)
    }

    /// Shortens the calling thread's slice, unless the program has set it.
    fn shorten(&mut self, found: &Attributes) -> io::Result<()> {
        let whose = Whose::CallingThread;
        if self.default_nanos != Some(found.runtime_nanos) {
            found.set_slice(whose, DEFAULT)?;
            let default = Attributes::read(whose)?.runtime_nanos;
            self.default_nanos = Some(default);
            if default != found.runtime_nanos {
                return found.set_slice(whose, found.runtime_nanos);
            }
        }
        found.set_slice(whose, OURS_NANOS)
    }
}

pub(super) fn is_ours(found: &Attributes) -> bool {
    found.has_slice() && found.runtime_nanos == OURS_NANOS
}

/// For slices of the program's own.
pub(super) fn other_than_ours(nanos: u64) -> u64 {
    if nanos == OURS_NANOS {
        nanos + 1
    } else {
        nanos
    }
}

/// Whether something holds a short slice on the calling thread: threads that it starts inherit it.
pub(in super::super) fn is_taken_here() -> bool {
    Place::of_this_thread().is_some_and(|place| place.lock().holders > 0)
}

/// In a new thread: gives up a slice of ours that it has inherited.
pub(in super::super) fn shed() {
    let found = Attributes::read(Whose::CallingThread).ok();
    if let Some(found) = found.filter(is_ours) {
        // It was permitted to the thread that started this one.
        let _ = found.set_slice(Whose::CallingThread, DEFAULT);
    }
}

/// In a fork, for the copy of a holder's thread: takes away the copy of the slice, unless something has
/// come here since. Allocates nothing.
pub(super) fn settle_copy() {
    let _ = OWN.try_with(|own| {
        let place = own.0.borrow();
        // As for a holder that leaves.
        let _ = if place.is_of_this_process() {
            place.lock().settle(Whose::CallingThread)
        } else {
            Seat::default().settle(Whose::CallingThread)
        };
    });
}

/// Does on the calling thread what could not be done before, because its class had no slice or the
/// program had set one.
pub(in super::super) fn settle() {
    if let Some(place) = Place::of_this_thread() {
        let mut seat = place.lock();
        if seat.was_ever_taken() {
            // Whoever holds it goes on without.
            let _ = seat.settle(Whose::CallingThread);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// A place of this thread that its holder leaves from elsewhere, whether or not the thread that had
    /// this number then has ended.
    fn left(is_over: bool) -> u64 {
        let place = Place::new();
        place.come().unwrap();
        place.lock().is_over = is_over;
        let leaver = Arc::clone(&place);
        thread::spawn(move || leaver.leave(false)).join().unwrap();
        Attributes::read(Whose::CallingThread)
            .unwrap()
            .runtime_nanos
    }

    #[test]
    fn a_thread_that_got_the_number_of_one_that_ended_keeps_its_slice() {
        let body = || {
            let default =
                Attributes::read(Whose::CallingThread).map_or(0, |found| found.runtime_nanos);
            if default == 0 {
                return println!("skipped: this kernel gives no thread a slice of its own");
            }
            assert_eq!(left(false), default);
            assert_eq!(left(true), OURS_NANOS);
        };
        thread::spawn(body).join().unwrap();
    }
}
