//! A timer queue that knows no clock.

mod window;

use crate::Instant;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

pub use window::Window;

/// Timers in the order in which they are due, to the nanosecond.
///
/// It knows no clock and starts no thread. Sleep until [`next_wakeup`](Self::next_wakeup) in
/// whichever way you like, then take what is due, one by one, with [`pop_due`](Self::pop_due), or
/// with [`expire`](Self::expire) if nothing is inserted meanwhile.
///
/// # Order
///
/// Timers fire in the order of the [`latest`](Window::latest) instant of their windows; equals in
/// the order in which they were inserted or last rescheduled. That holds in the past, too: a timer
/// that is inserted late fires before one that is less late.
///
/// # Wake-ups
///
/// Whoever wakes at [`next_wakeup`](Self::next_wakeup), the least `latest`, and takes what is due,
/// fires all timers within their windows in the least number of wake-ups possible. What is due is
/// the head of the queue for as long as its window [has begun](Window::has_begun): a timer whose
/// window began waits behind one with a lesser `latest` whose window did not. Whoever is awake
/// for another reason may take what is due as well, and saves a wake-up.
///
/// ```
/// use punctual::{timers::Window, Instant, Timers};
/// use std::time::Duration;
///
/// let at = |micros: u64| Instant::from_nanos(micros * 1_000);
/// let mut timers = Timers::new();
/// timers.insert(at(1_000), "exactly after 1 ms");
/// timers.insert(Window::tolerating(at(900), Duration::from_millis(5)), "after 0.9 to 5.9 ms");
/// let key = timers.insert(at(990)..=at(2_000), "never");
/// assert_eq!(timers.cancel(key), Some("never"));
///
/// // One wake-up serves both.
/// assert_eq!(timers.next_wakeup(), Some(at(1_000)));
/// let fired: Vec<_> = timers.expire(at(1_000)).map(|fired| fired.value).collect();
/// assert_eq!(fired, ["exactly after 1 ms", "after 0.9 to 5.9 ms"]);
/// ```
#[derive(Debug, Clone)]
pub struct Timers<T> {
    index: BTreeMap<(Instant, u64), u32>,
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
    inserted: u64,
}

#[derive(Debug, Clone)]
struct Slot<T> {
    generation: u32,
    live: Option<Live<T>>,
}

#[derive(Debug, Clone)]
struct Live<T> {
    window: Window,
    order: u64,
    value: T,
}

/// Names a timer in the queue it was inserted into.
///
/// It is never valid again once its timer has fired or was cancelled, however often the memory is
/// used for others. Keys of another queue mean nothing, and may name any timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    slot: u32,
    generation: u32,
}

/// A timer that fired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fired<T> {
    /// Its key, which is no longer valid.
    pub key: Key,
    /// When it was to fire.
    pub window: Window,
    /// What was inserted.
    pub value: T,
}

impl<T> Timers<T> {
    /// An empty queue. Allocates nothing.
    pub const fn new() -> Self {
        Self {
            index: BTreeMap::new(),
            slots: Vec::new(),
            free: Vec::new(),
            inserted: 0,
        }
    }

    /// An empty queue with memory for so many timers.
    pub fn with_capacity(timers: usize) -> Self {
        Self {
            slots: Vec::with_capacity(timers),
            ..Self::new()
        }
    }

    /// How many timers are in it.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there is no timer in it.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// Inserts a timer. Its window may lie in the past: then it is due at once.
    ///
    /// # Panics
    /// With 4,294,967,295 timers, and when memory is exhausted.
    pub fn insert(&mut self, window: impl Into<Window>, value: T) -> Key {
        let window = window.into();
        let slot = self.free.pop().unwrap_or_else(|| {
            let slot = u32::try_from(self.slots.len()).expect("fewer than 2^32 timers");
            self.slots.push(Slot {
                generation: 0,
                live: None,
            });
            slot
        });
        let order = self.next_order();
        let place = &mut self.slots[slot as usize];
        place.live = Some(Live {
            window,
            order,
            value,
        });
        self.index.insert((window.latest(), order), slot);
        Key {
            slot,
            generation: place.generation,
        }
    }

    /// Removes a timer and returns its value; `None` if it fired or was cancelled before.
    pub fn cancel(&mut self, key: Key) -> Option<T> {
        let live = self.live(key)?;
        let place = (live.window.latest(), live.order);
        self.index.remove(&place);
        Some(self.take(key.slot)?.value)
    }

    /// Moves a timer to another window, behind those that are already there. Returns whether there
    /// was one: `false` if it fired or was cancelled before. Its key stays valid.
    pub fn reschedule(&mut self, key: Key, window: impl Into<Window>) -> bool {
        let order = self.next_order();
        let Some(live) = self.live_mut(key) else {
            return false;
        };
        let old = (live.window.latest(), live.order);
        (live.window, live.order) = (window.into(), order);
        let new = (live.window.latest(), order);
        self.index.remove(&old);
        self.index.insert(new, key.slot);
        true
    }

    /// A timer's window; `None` if it fired or was cancelled.
    pub fn window(&self, key: Key) -> Option<Window> {
        self.live(key).map(|live| live.window)
    }

    /// A timer's value; `None` if it fired or was cancelled.
    pub fn get(&self, key: Key) -> Option<&T> {
        self.live(key).map(|live| &live.value)
    }

    /// A timer's value, to change; `None` if it fired or was cancelled.
    pub fn get_mut(&mut self, key: Key) -> Option<&mut T> {
        self.live_mut(key).map(|live| &mut live.value)
    }

    /// The instant by which somebody must [take what is due](Self::pop_due), or a timer is late:
    /// the least [`latest`](Window::latest) of all. `None` if there are no timers.
    pub fn next_wakeup(&self) -> Option<Instant> {
        let (&(latest, _), _) = self.index.first_key_value()?;
        Some(latest)
    }

    /// The window of the head of the queue, which ends at [`next_wakeup`](Self::next_wakeup): for
    /// whoever lets the system choose when to wake them within it. `None` if there are no timers.
    pub fn next_window(&self) -> Option<Window> {
        let (_, &slot) = self.index.first_key_value()?;
        let live = self.slots[slot as usize].live.as_ref()?;
        Some(live.window)
    }

    /// Removes and returns the head of the queue if its window [has begun](Window::has_begun) at
    /// `now`; `None` if it has not, or there are no timers.
    ///
    /// In a loop of this, timers may be inserted, cancelled and rescheduled freely. What is
    /// inserted takes its place in the order like any other, and fires in the same loop if it is
    /// due: a loop that inserts for `now` or before each time does not end.
    pub fn pop_due(&mut self, now: Instant) -> Option<Fired<T>> {
        let head = self.index.first_entry()?;
        let slot = *head.get();
        let live = self.slots[slot as usize].live.as_ref()?;
        if !live.window.has_begun(now) {
            return None;
        }
        head.remove();
        let key = Key {
            slot,
            generation: self.slots[slot as usize].generation,
        };
        let Live { window, value, .. } = self.take(slot)?;
        Some(Fired { key, window, value })
    }

    /// Takes all that is due at `now`, in order: [`pop_due`](Self::pop_due) as an iterator. What is
    /// not taken from it stays in the queue.
    pub fn expire(&mut self, now: Instant) -> Expire<'_, T> {
        Expire { timers: self, now }
    }

    /// Drops all timers. Their keys are no longer valid. Keeps the memory.
    pub fn clear(&mut self) {
        while let Some((_, slot)) = self.index.pop_first() {
            self.take(slot);
        }
    }

    fn live(&self, key: Key) -> Option<&Live<T>> {
        let slot = self.slots.get(key.slot as usize)?;
        slot.live
            .as_ref()
            .filter(|_| slot.generation == key.generation)
    }

    fn live_mut(&mut self, key: Key) -> Option<&mut Live<T>> {
        let slot = self.slots.get_mut(key.slot as usize)?;
        slot.live
            .as_mut()
            .filter(|_| slot.generation == key.generation)
    }

    fn take(&mut self, slot: u32) -> Option<Live<T>> {
        let place = &mut self.slots[slot as usize];
        // A slot whose generations are used up is given up, so that no old key ever fits again.
        if let Some(generation) = place.generation.checked_add(1) {
            place.generation = generation;
            self.free.push(slot);
        }
        place.live.take()
    }

    fn next_order(&mut self) -> u64 {
        self.inserted += 1;
        self.inserted
    }
}

impl<T> Default for Timers<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// What is due, in order: [`Timers::expire`].
#[derive(Debug)]
pub struct Expire<'a, T> {
    timers: &'a mut Timers<T>,
    now: Instant,
}

impl<T> Iterator for Expire<'_, T> {
    type Item = Fired<T>;

    fn next(&mut self) -> Option<Fired<T>> {
        self.timers.pop_due(self.now)
    }
}
