//! The event queue against a sorted map, and its bounds.

use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

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

/// How much is tried: what finds the common mistakes, or with `PUNCTUAL_LONG=1` what finds rare ones, too.
fn effort(quick: u32, long: u32) -> u32 {
    match std::env::var_os("PUNCTUAL_LONG") {
        None => quick,
        Some(_) => long,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort(64, 256)))]

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

/// What is done to the numbers alone: these find what only crowds and long times bring about.
#[derive(Debug, Clone)]
enum Change {
    /// Adds so many, at most this long after the last that was taken out.
    Later(usize, u64),
    /// Adds one at an instant of any time, the past included.
    Anywhere(u64),
    /// Takes so many out.
    Take(usize),
    /// Drops every other one.
    Thin,
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let longest = (any::<u64>(), 0_u32..64).prop_map(|(bits, shift)| bits >> shift);
    let change = prop_oneof![
        6 => (1_usize..150, longest.clone()).prop_map(|(count, longest)| Change::Later(count, longest)),
        1 => longest.prop_map(Change::Anywhere),
        6 => (1_usize..150).prop_map(Change::Take),
        1 => Just(Change::Thin),
    ];
    prop::collection::vec(change, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort(64, 256)))]

    /// Against a sorted set.
    #[test]
    fn numbers_come_in_order(changes in changes(), seed: u64) {
        let mut random = crate::random::Random::new(seed);
        let (mut ladder, mut model) = (Ladder::new(), BTreeSet::new());
        let (mut now, mut added) = (0, 0_u64);
        for change in changes {
            let mut add = |ladder: &mut Ladder, time: u64| {
                added += 1;
                // Ties are broken in any order: under `Scrambled` they are.
                let low = crate::random::mix(added) >> 1;
                let number = u128::from(time) << 64 | u128::from(low);
                ladder.add(number);
                model.insert(number);
            };
            match change {
                Change::Later(count, longest) => for _ in 0..count {
                    add(&mut ladder, u64::saturating_add(now, random.between(0, longest)));
                },
                Change::Anywhere(time) => add(&mut ladder, time),
                Change::Take(count) => for _ in 0..count {
                    prop_assert_eq!(ladder.least(), model.first().copied().unwrap_or(u128::MAX));
                    if let Some(ahead) = ladder.ahead(3) {
                        prop_assert_eq!(Some(&ahead), model.iter().nth(3));
                    }
                    let taken = ladder.take();
                    prop_assert_eq!(taken, model.pop_first());
                    now = taken.map_or(now, |number| time_of(number).as_nanos());
                },
                Change::Thin => {
                    let mut kept = model.iter().copied().step_by(2).peekable();
                    ladder.change(|number| kept.next_if_eq(&number));
                    model = model.iter().copied().step_by(2).collect();
                }
            }
        }
        while !model.is_empty() {
            prop_assert_eq!(ladder.take(), model.pop_first());
        }
        prop_assert_eq!(ladder.take(), None);
    }
}

#[test]
fn a_timeout_set_and_cancelled_for_ever_takes_no_more_room() {
    let mut queue = EventQueue::new(Ties::Fifo);
    for time in 0..100_000 {
        let id = queue.insert(Instant::from_nanos(1_000_000_000 + time), ());
        assert_eq!(queue.cancel(id), Some(()));
    }
    assert!(queue.stale <= 2 * STALE_ALLOWED, "{}", queue.stale);
    assert!(queue.room() <= 16 * STALE_ALLOWED, "{}", queue.room());
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
