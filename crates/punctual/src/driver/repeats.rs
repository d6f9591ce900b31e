//! Callbacks that repeat, where their names find them. Their timers come and go.

use crate::{Instant, Key, Period, Schedule, Tick, Window};
use std::ops::ControlFlow;
use std::time::Duration;

pub(super) type RepeatingCallback = Box<dyn FnMut(Tick) -> ControlFlow<()> + Send>;

/// A callback that is called once a period.
pub(super) struct Repeat {
    schedule: Schedule,
    tolerance: Duration,
    /// Whether the next deadline had passed before its turn.
    overdue: bool,
    /// Whether the next tick has no deadline to miss: it comes as soon as possible.
    is_soon: bool,
    /// Taken out while it is called.
    callback: Option<RepeatingCallback>,
}

impl Repeat {
    pub(super) fn new(
        schedule: Schedule,
        tolerance: Duration,
        callback: RepeatingCallback,
    ) -> Self {
        Self {
            schedule,
            tolerance,
            overdue: false,
            is_soon: false,
            callback: Some(callback),
        }
    }

    /// The first tick comes as soon as possible.
    pub(super) fn beginning_soon(mut self) -> Self {
        self.is_soon = true;
        self
    }

    /// When the next tick may come, seen from `now`; `None` past the end of 64-bit time.
    pub(super) fn next_window(&mut self, now: Instant) -> Option<Window> {
        self.overdue = self.schedule.next_deadline()? <= now;
        self.window()
    }

    /// When the next tick may come.
    pub(super) fn window(&self) -> Option<Window> {
        let deadline = self.schedule.next_deadline()?;
        let tolerance = if self.is_soon {
            Duration::ZERO
        } else {
            self.tolerance
        };
        Some(Window::tolerating(deadline, tolerance))
    }

    pub(super) fn is_soon(&self) -> bool {
        self.is_soon
    }

    /// Takes the tick whose turn has come, and the callback to be called for it.
    pub(super) fn take_tick(&mut self, now: Instant) -> Option<(Tick, RepeatingCallback)> {
        let tick = if self.overdue {
            self.schedule.overdue_tick(now)
        } else {
            self.schedule.tick(now)
        };
        self.is_soon = false;
        Some((tick?, self.callback.take()?))
    }

    pub(super) fn put_back(&mut self, callback: RepeatingCallback) {
        self.callback = Some(callback);
    }

    /// Starts the schedule again, at the beginning of this window and with its tolerance.
    pub(super) fn restart(&mut self, window: Window) {
        self.schedule.restart(window.earliest());
        self.tolerance = window.latest() - window.earliest();
        (self.overdue, self.is_soon) = (false, false);
    }

    /// Keeps another period from `now` on.
    pub(super) fn set_period(&mut self, now: Instant, period: Period) {
        self.schedule.set_period(now, period);
    }
}

/// Names a repeating callback of one queue, and never another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RepeatId {
    slot: u32,
    generation: u32,
}

/// A repeating callback that was neither cancelled nor given up.
pub(super) struct Entry {
    /// Of its timer; none while it is called.
    pub(super) key: Option<Key>,
    pub(super) repeat: Repeat,
}

#[derive(Default)]
struct Slot {
    generation: u32,
    entry: Option<Entry>,
}

/// All of one queue, in no order.
#[derive(Default)]
pub(super) struct Repeats {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

impl Repeats {
    /// # Panics
    /// With 2^32 of them.
    pub(super) fn insert(&mut self, repeat: Repeat) -> RepeatId {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            u32::try_from(self.slots.len() - 1).expect("fewer than 2^32 repeating callbacks")
        });
        let place = &mut self.slots[slot as usize];
        place.entry = Some(Entry { key: None, repeat });
        RepeatId {
            slot,
            generation: place.generation,
        }
    }

    pub(super) fn get_mut(&mut self, id: RepeatId) -> Option<&mut Entry> {
        let slot = self.slots.get_mut(id.slot as usize)?;
        let entry = slot.entry.as_mut()?;
        (slot.generation == id.generation).then_some(entry)
    }

    pub(super) fn contains(&self, id: RepeatId) -> bool {
        let slot = self.slots.get(id.slot as usize);
        slot.is_some_and(|slot| slot.generation == id.generation && slot.entry.is_some())
    }

    pub(super) fn remove(&mut self, id: RepeatId) -> Option<Entry> {
        let slot = self.slots.get_mut(id.slot as usize)?;
        if slot.generation != id.generation {
            return None;
        }
        let entry = slot.entry.take()?;
        // A slot that has had all generations is not used again.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(id.slot);
        }
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Instant, Period, Schedule};
    use std::ops::ControlFlow;
    use std::time::Duration;

    fn repeat() -> Repeat {
        let schedule = Schedule::new(Instant::ZERO, Period::from_hertz(1));
        Repeat::new(
            schedule,
            Duration::ZERO,
            Box::new(|_| ControlFlow::Continue(())),
        )
    }

    #[test]
    fn a_name_is_never_that_of_another() {
        let mut repeats = Repeats::default();
        let first = repeats.insert(repeat());
        assert!(repeats.remove(first).is_some() && repeats.remove(first).is_none());
        let second = repeats.insert(repeat());
        assert_eq!(second.slot, first.slot);
        assert!(!repeats.contains(first) && repeats.get_mut(first).is_none());
        assert!(repeats.contains(second) && repeats.get_mut(second).is_some());
    }

    #[test]
    fn a_slot_that_had_all_its_generations_is_not_used_again() {
        let mut repeats = Repeats::default();
        repeats.insert(repeat());
        repeats.slots[0].generation = u32::MAX;
        let last = RepeatId {
            slot: 0,
            generation: u32::MAX,
        };
        assert!(repeats.remove(last).is_some() && repeats.remove(last).is_none());
        assert_eq!(repeats.insert(repeat()).slot, 1);
    }
}
