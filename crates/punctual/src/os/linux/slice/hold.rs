//! A short slice, held for a thread that waits.

use super::place::{self, Place};
use crate::os::native::lane;
use std::sync::Arc;

/// Holds a short slice for the thread on which it was taken, until it is dropped on any thread.
pub struct Hold {
    place: Arc<Place>,
    /// Of the thread: to compare it is a load.
    lane: usize,
}

impl Hold {
    /// `None` if the system has no slices, or refuses them.
    pub(in super::super) fn take() -> Option<Self> {
        let place = Place::of_this_thread()?;
        place.come().ok()?;
        Some(Self {
            place,
            lane: lane::of_this_thread(),
        })
    }

    /// Whether it was taken on the calling thread.
    #[inline]
    pub(in super::super) fn is_here(&self) -> bool {
        self.lane == lane::of_this_thread()
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let is_here = self.is_here();
        if self.place.is_of_this_process() {
            self.place.leave(is_here);
        } else if is_here {
            // This thread is a copy of the one on which it was taken, with a copy of its slice.
            place::settle_copy();
        }
    }
}
