//! The head of the queue, and the wake-ups that it shares with those behind it.

use super::{Timers, Window};
use crate::Instant;

/// How many timers [`Timers::next_shared_window`] looks at: whoever goes to sleep does so each time.
const LOOKED_AT: usize = 64;

impl<T> Timers<T> {
    /// The window of the head of the queue, which ends at [`next_wakeup`](Self::next_wakeup). The
    /// system may choose when to wake you within it. `None` if there are no timers.
    pub fn next_window(&self) -> Option<Window> {
        let head = self.front.first()?;
        Some(self.slots.window(head.slot()))
    }

    /// The window in which a wake-up fires every timer that one at [`next_wakeup`](Self::next_wakeup)
    /// would fire, so that waking earlier within it costs no additional wake-up. Only the next few
    /// timers are examined, so the window may be shorter than necessary, but never too long.
    pub fn next_shared_window(&self) -> Option<Window> {
        let latest = self.next_wakeup()?;
        Some(Window::from(self.shared_from(latest)..=latest))
    }

    /// From when on a wake-up fires all that one at `latest` would, which is before
    /// [`next_wakeup`](Self::next_wakeup) ends or at it.
    pub(crate) fn shared_from(&self, latest: Instant) -> Instant {
        let mut earliest = Instant::ZERO;
        for entry in self.front.entries().take(LOOKED_AT) {
            if !self.slots.is_live(entry) {
                continue;
            }
            let window = self.slots.window(entry.slot());
            if !window.has_begun(latest) {
                return earliest;
            }
            earliest = earliest.max(window.earliest());
        }
        let is_all = self.tree.is_empty() && self.front.len() <= LOOKED_AT;
        if is_all { earliest } else { latest }
    }

    /// The head of the queue: its window, and its value. `None` if there are no timers.
    #[cfg(feature = "std")]
    #[inline]
    pub(crate) fn head(&self) -> Option<(Window, &T)> {
        self.slots.occupied(self.front.first()?.slot())
    }
}
