//! What is to happen at ticks, in the order in which it is due.

use punctual::Instant;
use punctual_windows::Class;
use std::collections::BTreeMap;

/// Names an alarm that was set, also after it has gone off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AlarmId {
    class: Class,
    place: Place,
}

impl AlarmId {
    pub(super) fn class(self) -> Class {
        self.class
    }

    /// What the log calls it: even, and no other alarm's.
    pub(super) fn number(self) -> u64 {
        self.place.1 * 2
    }
}

/// When an alarm is due at the latest, and how many were set before it: equals go off first in,
/// first out.
type Place = (Instant, u64);

#[derive(Debug)]
struct Alarm<T> {
    earliest: Instant,
    target: T,
}

/// The alarms of a machine, one queue for each class.
#[derive(Debug)]
pub(super) struct Alarms<T> {
    requesting: Queue<T>,
    other: Queue<T>,
    set_ever: u64,
}

#[derive(Debug)]
struct Queue<T> {
    alarms: BTreeMap<Place, Alarm<T>>,
    /// How many may go off before they must: with none, those due are the first of the queue.
    tolerant: usize,
}

impl<T> Alarms<T> {
    pub(super) fn new() -> Self {
        Self {
            requesting: Queue::new(),
            other: Queue::new(),
            set_ever: 0,
        }
    }

    /// Sets an alarm that must go off at `latest` and may from `earliest` on.
    pub(super) fn set(
        &mut self,
        class: Class,
        earliest: Instant,
        latest: Instant,
        target: T,
    ) -> AlarmId {
        self.set_ever += 1;
        let place = (latest, self.set_ever);
        let queue = self.queue(class);
        queue.tolerant += usize::from(earliest < latest);
        queue.alarms.insert(place, Alarm { earliest, target });
        AlarmId { class, place }
    }

    /// Takes an alarm back, unless it has gone off. Returns whether it was the first of its class.
    pub(super) fn cancel(&mut self, id: AlarmId) -> bool {
        let is_first = self.is_first(id);
        self.queue(id.class).take(id.place);
        is_first
    }

    /// Whether no alarm of its class must go off before it.
    pub(super) fn is_first(&mut self, id: AlarmId) -> bool {
        let first = self.queue(id.class).alarms.first_key_value();
        first.is_some_and(|(place, _)| *place == id.place)
    }

    /// When the first alarm of a class must go off.
    pub(super) fn first_due(&self, class: Class) -> Option<Instant> {
        let queue = match class {
            Class::Requesting => &self.requesting,
            Class::Other => &self.other,
        };
        let (place, _) = queue.alarms.first_key_value()?;
        Some(place.0)
    }

    /// Takes out every alarm of a class that may go off by now.
    pub(super) fn take_due(
        &mut self,
        class: Class,
        now: Instant,
        mut taken: impl FnMut(AlarmId, T),
    ) {
        let queue = self.queue(class);
        if queue.tolerant == 0 {
            while let Some(first) = queue.alarms.first_entry()
                && first.key().0 <= now
            {
                let (place, alarm) = first.remove_entry();
                taken(AlarmId { class, place }, alarm.target);
            }
            return;
        }
        let due = queue
            .alarms
            .iter()
            .filter(|(_, alarm)| alarm.earliest <= now);
        let places: Vec<Place> = due.map(|(place, _)| *place).collect();
        for place in places {
            if let Some(target) = queue.take(place) {
                taken(AlarmId { class, place }, target);
            }
        }
    }

    fn queue(&mut self, class: Class) -> &mut Queue<T> {
        match class {
            Class::Requesting => &mut self.requesting,
            Class::Other => &mut self.other,
        }
    }
}

impl<T> Queue<T> {
    fn new() -> Self {
        Self {
            alarms: BTreeMap::new(),
            tolerant: 0,
        }
    }

    fn take(&mut self, place: Place) -> Option<T> {
        let alarm = self.alarms.remove(&place)?;
        self.tolerant -= usize::from(alarm.earliest < place.0);
        Some(alarm.target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanos: u64) -> Instant {
        Instant::from_nanos(nanos)
    }

    #[test]
    fn those_due_go_off_in_order_and_those_that_tolerate_join_them() {
        let mut alarms = Alarms::new();
        let class = Class::Other;
        alarms.set(class, at(5), at(5), "second");
        alarms.set(class, at(4), at(4), "first");
        alarms.set(class, at(9), at(9), "later");
        let cancelled = alarms.set(class, at(1), at(1), "cancelled");
        alarms.cancel(cancelled);
        alarms.set(Class::Requesting, at(1), at(1), "of the other class");
        assert_eq!(alarms.first_due(class), Some(at(4)));
        alarms.set(class, at(3), at(20), "tolerant");
        let mut due = Vec::new();
        alarms.take_due(class, at(5), |_, target| due.push(target));
        assert_eq!(due, ["first", "second", "tolerant"]);
        assert_eq!(alarms.first_due(class), Some(at(9)));
    }
}
