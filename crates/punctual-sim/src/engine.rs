//! Virtual time: a queue of events, ordered by time. It is independent of any operating system.

mod ladder;

use ladder::Ladder;
use punctual::Instant;

/// The order of events at the same nanosecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ties {
    /// The event that was scheduled first happens first.
    #[default]
    Fifo,
    /// A pseudorandom order that depends only on this number. If a result changes with the number, it
    /// depends on an order that no real machine promises.
    Scrambled(u64),
}

/// Identifies one scheduled event, also after it has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventId {
    serial: u64,
    slot: u32,
}

impl EventId {
    /// No event: cancelling it changes nothing.
    pub const NONE: Self = Self {
        serial: 0,
        slot: u32::MAX,
    };
}

/// A queue of events, ordered by time, and at the same time by [`Ties`].
///
/// Time, order and place are packed into one 128-bit number, so that events compare like numbers. The
/// next few events are sorted. All others are in lists, each over a longer span of time than the list
/// before. Cancelling drops an event at once and leaves its number behind. These numbers are removed
/// before they outnumber the events.
///
/// ```
/// use punctual::Instant;
/// use punctual_sim::engine::{EventQueue, Ties};
///
/// let mut queue = EventQueue::new(Ties::Fifo);
/// let at = Instant::from_nanos(5);
/// queue.insert(at, "second");
/// let third = queue.insert(at, "third");
/// queue.insert(Instant::from_nanos(1), "first");
/// queue.cancel(third);
/// assert_eq!(queue.pop(), Some((Instant::from_nanos(1), "first")));
/// assert_eq!(queue.pop(), Some((at, "second")));
/// assert_eq!(queue.pop(), None);
/// ```
#[derive(Debug)]
pub struct EventQueue<T> {
    pending: Ladder,
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
    /// By alarm: the low half of its number, or [`UNSET`].
    alarms: Vec<u64>,
    live: usize,
    /// Numbers left behind.
    stale: usize,
    next_order: u64,
    next_serial: u64,
    ties: Ties,
}

#[derive(Debug)]
struct Slot<T> {
    /// The low half of the event's number; another one in the heap was left behind.
    low: u64,
    serial: u64,
    event: Option<T>,
}

/// The next thing to happen: an [inserted](EventQueue::insert) event, or an
/// [alarm](EventQueue::set).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due<T> {
    Event(T),
    Alarm(u32),
}

/// The low half of no number.
const UNSET: u64 = u64::MAX;

/// The low half of a number is an order, whether it is an alarm's, and its slot or alarm.
const SLOT_BITS: u32 = 24;
const ALARM: u64 = 1 << SLOT_BITS;
const PLACE_BITS: u32 = SLOT_BITS + 1;
const ORDER_BITS: u32 = 64 - PLACE_BITS;

/// The greatest number of pending events: as many as the bits beside time and order can number.
pub const MAX_PENDING: usize = (1 << SLOT_BITS) - 1;

/// Numbers left behind that are not worth clearing away: a few cache lines.
const STALE_ALLOWED: usize = 64;

impl<T> EventQueue<T> {
    /// An empty queue.
    pub fn new(ties: Ties) -> Self {
        Self {
            pending: Ladder::new(),
            slots: Vec::new(),
            free: Vec::new(),
            alarms: Vec::new(),
            live: 0,
            stale: 0,
            next_order: 0,
            next_serial: 1,
            ties,
        }
    }

    /// Whether equals happen in the order in which they were scheduled.
    pub(crate) fn is_fifo(&self) -> bool {
        self.ties == Ties::Fifo
    }

    /// The number of events that will happen unless they are cancelled.
    pub fn len(&self) -> usize {
        self.live
    }

    /// Places that it has made room for.
    #[cfg(test)]
    pub(crate) fn room(&self) -> usize {
        self.pending.capacity() + self.slots.len() + self.alarms.len()
    }

    /// Whether no event is pending.
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// An instant before which nothing happens: that of the next event, or of one that was cancelled.
    /// [`Instant::MAX`] if the queue is empty.
    #[inline]
    pub fn nothing_before(&self) -> Instant {
        time_of(self.pending.least())
    }

    /// What happens after so many others, if nothing is cancelled or scheduled before; as far as
    /// that is known yet.
    #[inline]
    pub(crate) fn ahead(&self, others: usize) -> Option<Due<&T>> {
        let number = self.pending.ahead(others)?;
        let place = slot_of(number);
        if is_alarm(number) {
            return Some(Due::Alarm(place));
        }
        let slot = self.slots.get(place as usize)?;
        slot.event.as_ref().map(Due::Event)
    }

    /// Schedules an event.
    ///
    /// # Panics
    /// When [`MAX_PENDING`] events are pending.
    #[inline]
    pub fn insert(&mut self, at: Instant, event: T) -> EventId {
        let order = self.take_order();
        let serial = self.next_serial;
        self.next_serial += 1;
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => self.add_slot(),
        };
        let low = order << PLACE_BITS | u64::from(slot);
        self.slots[slot as usize] = Slot {
            low,
            serial,
            event: Some(event),
        };
        self.add(at, low);
        EventId { serial, slot }
    }

    /// Makes room for the alarms up to this one.
    ///
    /// # Panics
    /// From [`MAX_PENDING`] on.
    pub(crate) fn make_alarm(&mut self, alarm: u32) {
        assert!(
            (alarm as usize) < MAX_PENDING,
            "there are at most {MAX_PENDING} alarms"
        );
        if self.alarms.len() <= alarm as usize {
            self.alarms.resize(alarm as usize + 1, UNSET);
        }
    }

    /// Sets an alarm: an event without a value, of which each number is pending once at most. An alarm
    /// needs no slot, and finding, filling and freeing a slot is most of the cost of an event apart from
    /// its order.
    #[inline(always)]
    pub(crate) fn set(&mut self, alarm: u32, at: Instant) {
        let low = self.take_order() << PLACE_BITS | ALARM | u64::from(alarm);
        debug_assert_eq!(self.alarms[alarm as usize], UNSET);
        self.alarms[alarm as usize] = low;
        self.add(at, low);
    }

    /// Has an alarm fetched into the host's caches.
    #[inline]
    pub(crate) fn expect(&self, alarm: u32) {
        if let Some(alarm) = self.alarms.get(alarm as usize) {
            crate::coroutine::prefetch(std::ptr::from_ref(alarm).addr());
        }
    }

    /// Cancels an alarm that is set.
    #[inline]
    pub(crate) fn unset(&mut self, alarm: u32) {
        debug_assert_ne!(self.alarms[alarm as usize], UNSET);
        self.alarms[alarm as usize] = UNSET;
        self.forget_one();
    }

    #[inline(always)]
    fn add(&mut self, at: Instant, low: u64) {
        self.live += 1;
        self.pending
            .add(u128::from(at.as_nanos()) << 64 | u128::from(low));
    }

    /// Cancels an event and returns its value; `None` if it has happened or was cancelled.
    #[inline]
    pub fn cancel(&mut self, id: EventId) -> Option<T> {
        let slot = self.slots.get_mut(id.slot as usize)?;
        if slot.serial != id.serial {
            return None;
        }
        let event = slot.event.take()?;
        self.free.push(id.slot);
        self.forget_one();
        Some(event)
    }

    /// A number has been left behind.
    #[inline]
    fn forget_one(&mut self) {
        self.live -= 1;
        self.stale += 1;
        if self.stale > self.live + STALE_ALLOWED {
            self.clear_away();
        }
    }

    /// Takes out the next event.
    #[inline]
    pub fn pop(&mut self) -> Option<(Instant, T)> {
        match self.take()? {
            (at, Due::Event(event)) => Some((at, event)),
            (_, Due::Alarm(_)) => unreachable!("who sets alarms takes them, too"),
        }
    }

    /// Takes out the next event or alarm.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Option<(Instant, Due<T>)> {
        loop {
            let number = self.pending.take()?;
            let place = slot_of(number);
            if is_alarm(number) {
                let alarm = &mut self.alarms[place as usize];
                if *alarm == low_of(number) {
                    *alarm = UNSET;
                    self.live -= 1;
                    return Some((time_of(number), Due::Alarm(place)));
                }
                self.stale -= 1;
                continue;
            }
            if let Some(event) = self.take_slot(number) {
                return Some((time_of(number), Due::Event(event)));
            }
        }
    }

    /// Takes an event out of its slot, unless it has been cancelled.
    fn take_slot(&mut self, number: u128) -> Option<T> {
        let place = slot_of(number);
        let slot = &mut self.slots[place as usize];
        if slot.low == low_of(number)
            && let Some(event) = slot.event.take()
        {
            self.live -= 1;
            self.free.push(place);
            return Some(event);
        }
        self.stale -= 1;
        None
    }

    #[inline]
    fn take_order(&mut self) -> u64 {
        if self.next_order >> ORDER_BITS != 0 {
            self.renumber();
        }
        let order = self.next_order;
        self.next_order += 1;
        match self.ties {
            Ties::Fifo => order,
            Ties::Scrambled(seed) => crate::random::mix(order ^ seed) >> PLACE_BITS,
        }
    }

    /// After 2^39 events the order has no more bits: pending events are numbered from zero again,
    /// in the same order.
    #[cold]
    fn renumber(&mut self) {
        self.clear_away();
        let mut order = 0;
        self.pending.change(|number| {
            let place = slot_of(number) as usize;
            let kept = low_of(number) & ((ALARM << 1) - 1);
            let low = order << PLACE_BITS | kept;
            order += 1;
            if is_alarm(number) {
                self.alarms[place] = low;
            } else {
                self.slots[place].low = low;
            }
            Some(number >> 64 << 64 | u128::from(low))
        });
        self.next_order = order;
    }

    #[cold]
    fn add_slot(&mut self) -> u32 {
        let slot = self.slots.len();
        assert!(
            slot < MAX_PENDING,
            "{MAX_PENDING} events are pending, and a machine can hold no more: \
             something schedules events faster than they can happen"
        );
        self.slots.push(Slot {
            low: 0,
            serial: 0,
            event: None,
        });
        u32::try_from(slot).expect("at most MAX_PENDING")
    }

    /// Clears away the numbers that cancelled events left behind.
    #[cold]
    fn clear_away(&mut self) {
        let (slots, alarms) = (&self.slots, &self.alarms);
        self.pending.change(|number| {
            let (place, low) = (slot_of(number) as usize, low_of(number));
            let pending = if is_alarm(number) {
                alarms[place] == low
            } else {
                slots[place].event.is_some() && slots[place].low == low
            };
            pending.then_some(number)
        });
        self.stale = 0;
    }
}

#[inline]
fn time_of(number: u128) -> Instant {
    Instant::from_nanos((number >> 64) as u64)
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the low half is wanted")]
fn low_of(number: u128) -> u64 {
    number as u64
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the slot's bits are wanted"
)]
fn slot_of(number: u128) -> u32 {
    number as u32 & MAX_PENDING as u32
}

#[inline]
fn is_alarm(number: u128) -> bool {
    low_of(number) & ALARM != 0
}

#[cfg(test)]
mod tests;
