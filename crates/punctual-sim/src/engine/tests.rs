//! The event queue against a sorted map, and its bounds.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

#[derive(Debug, Clone)]
enum Step {
    Insert(u64),
    Cancel(usize),
    Set(u32, u64),
    Unset(u32),
    Pop,
}

/// Few, so that they are set again and again.
const ALARMS: u32 = 5;

/// What a number in the model stands for, and how to name it to the queue.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Pending {
    Event(EventId),
    Alarm(u32),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0_u64..20).prop_map(Step::Insert),
        1 => (0_u64..u64::MAX).prop_map(Step::Insert),
        3 => any::<usize>().prop_map(Step::Cancel),
        4 => (0..ALARMS, 0_u64..20).prop_map(|(alarm, time)| Step::Set(alarm, time)),
        2 => (0..ALARMS).prop_map(Step::Unset),
        3 => Just(Step::Pop),
    ];
    prop::collection::vec(step, 1..400)
}

/// The order of the queue: by time, and by how many were scheduled before.
type Pendings = BTreeMap<(u64, u64), Pending>;

fn key_of(model: &Pendings, alarm: u32) -> Option<(u64, u64)> {
    let mut pending = model.iter();
    let found = pending.find(|(_, pending)| **pending == Pending::Alarm(alarm));
    found.map(|(key, _)| *key)
}

/// Takes what is next from both, and says whether it is the same.
fn take_from_both(queue: &mut EventQueue<u64>, model: &mut Pendings) -> bool {
    let taken = queue.take();
    match (taken, model.pop_first()) {
        (Some((at, Due::Event(event))), Some((key, Pending::Event(_)))) => {
            (at.as_nanos(), event) == key
        }
        (Some((at, Due::Alarm(alarm))), Some((key, Pending::Alarm(expected)))) => {
            at.as_nanos() == key.0 && alarm == expected
        }
        (taken, expected) => taken.is_none() && expected.is_none(),
    }
}

proptest! {
    /// Against a map ordered by (time, how many were scheduled before), with renumbering forced
    /// in the middle.
    #[test]
    fn events_happen_as_in_a_sorted_map(steps in steps(), renumber_at: prop::sample::Index) {
        let renumber_at = renumber_at.index(steps.len());
        let mut queue = EventQueue::new(Ties::Fifo);
        (0..ALARMS).for_each(|alarm| queue.make_alarm(alarm));
        let mut model = Pendings::new();
        let mut ids = Vec::new();
        for (number, step) in steps.into_iter().enumerate() {
            let count = number as u64;
            if number == renumber_at {
                queue.next_order = 1 << ORDER_BITS;
            }
            match step {
                Step::Insert(time) => {
                    let id = queue.insert(Instant::from_nanos(time), count);
                    model.insert((time, count), Pending::Event(id));
                    ids.push((time, count, id));
                }
                Step::Cancel(which) if !ids.is_empty() => {
                    let (time, inserted, id) = ids[which % ids.len()];
                    let expected = model.remove(&(time, inserted)).map(|_| inserted);
                    prop_assert_eq!(queue.cancel(id), expected);
                }
                Step::Cancel(_) => prop_assert_eq!(queue.cancel(EventId::NONE), None),
                Step::Set(alarm, time) if key_of(&model, alarm).is_none() => {
                    queue.set(alarm, Instant::from_nanos(time));
                    model.insert((time, count), Pending::Alarm(alarm));
                }
                Step::Set(alarm, _) | Step::Unset(alarm) => {
                    if let Some(key) = key_of(&model, alarm) {
                        model.remove(&key);
                        queue.unset(alarm);
                    }
                }
                Step::Pop => prop_assert!(take_from_both(&mut queue, &mut model)),
            }
            prop_assert_eq!(queue.len(), model.len());
            if let Some((next, _)) = model.first_key_value() {
                prop_assert!(queue.nothing_before().as_nanos() <= next.0);
            }
        }
        while !model.is_empty() {
            prop_assert!(take_from_both(&mut queue, &mut model));
        }
        prop_assert!(queue.is_empty() && queue.take().is_none());
    }
}

#[test]
fn a_timeout_set_and_cancelled_for_ever_takes_no_more_room() {
    let mut queue = EventQueue::new(Ties::Fifo);
    for time in 0..100_000 {
        let id = queue.insert(Instant::from_nanos(1_000_000_000 + time), ());
        assert_eq!(queue.cancel(id), Some(()));
    }
    assert!(
        queue.heap.len() <= 2 * STALE_ALLOWED,
        "{}",
        queue.heap.len()
    );
    assert!(queue.slots.len() <= 2, "{}", queue.slots.len());
}

#[test]
fn scrambled_ties_keep_the_times_and_change_the_order() {
    let order = |ties| {
        let mut queue = EventQueue::new(ties);
        for event in 0..100_u64 {
            queue.insert(Instant::from_nanos(event / 50), event);
        }
        std::iter::from_fn(move || queue.pop()).collect::<Vec<_>>()
    };
    let (fifo, scrambled) = (order(Ties::Fifo), order(Ties::Scrambled(1)));
    assert!(fifo.is_sorted());
    assert!(scrambled.is_sorted_by_key(|(time, _)| *time));
    assert_ne!(fifo, scrambled);
    assert_ne!(scrambled, order(Ties::Scrambled(2)));
    assert_eq!(scrambled, order(Ties::Scrambled(1)));
}
