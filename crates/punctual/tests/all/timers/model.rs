//! Any interleaving of operations does what a sorted map does.

use proptest::prelude::*;
use punctual::{Instant, Timers};
use punctual::{Key, Window};
use std::collections::BTreeMap;
use std::time::Duration;

/// An instant, near or far, said without knowing what the time is when it is used.
#[derive(Debug, Clone, Copy)]
enum When {
    /// So far from now, before it or after.
    FromNow(i64),
    /// So long before the end of time.
    BeforeTheEnd(u64),
    /// So long after the beginning of time: mostly the past.
    AfterTheBeginning(u64),
    /// Where an earlier timer's window ended.
    AsBefore(prop::sample::Index),
}

fn half(nanos: u64) -> i64 {
    i64::try_from(nanos / 2).expect("it fits")
}

#[derive(Debug, Clone)]
enum Operation {
    Insert(When, u64),
    /// So many timers, each so long after the one before or before the one after.
    Flood(u16, When, i32),
    Cancel(prop::sample::Index),
    Reschedule(prop::sample::Index, When, u64),
    /// Time goes on, and all that is due fires. What is given is done after each timer that fires.
    Expire(u64, Vec<Operation>),
    /// Most of the timers are cancelled, all but each so many.
    Thin(usize),
    /// Time goes on until the next wake-up, and all that is due fires.
    Wake,
    Clear,
}

fn nanos() -> impl Strategy<Value = u64> {
    // Every scale from a nanosecond to centuries is as likely as any other.
    (0_u32..64, any::<u64>()).prop_map(|(bits, nanos)| nanos >> bits)
}

fn whens() -> impl Strategy<Value = When> {
    prop_oneof![
        8 => nanos().prop_map(|nanos| When::FromNow(half(nanos))),
        2 => nanos().prop_map(|nanos| When::FromNow(-half(nanos))),
        4 => (-3_i64..70).prop_map(When::FromNow),
        1 => (0_u64..3).prop_map(When::BeforeTheEnd),
        1 => (0_u64..3).prop_map(When::AfterTheBeginning),
        4 => any::<prop::sample::Index>().prop_map(When::AsBefore),
    ]
}

fn tolerances() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), Just(0), 0_u64..100, nanos(), Just(u64::MAX)]
}

fn changes() -> impl Strategy<Value = Operation> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        5 => (whens(), tolerances()).prop_map(|(when, tolerance)| Operation::Insert(when, tolerance)),
        1 => (1_u16..300, whens(), prop_oneof![Just(0), -3..3, any::<i32>()])
            .prop_map(|(count, when, step)| Operation::Flood(count, when, step)),
        2 => index().prop_map(Operation::Cancel),
        2 => (index(), whens(), tolerances())
            .prop_map(|(key, when, tolerance)| Operation::Reschedule(key, when, tolerance)),
    ]
}

fn operations() -> impl Strategy<Value = Operation> {
    let meanwhile = prop::collection::vec(changes(), 0..3);
    prop_oneof![
        16 => changes(),
        2 => (nanos(), meanwhile).prop_map(|(jump, meanwhile)| Operation::Expire(jump, meanwhile)),
        3 => (0_u64..70).prop_map(|step| Operation::Expire(step, Vec::new())),
        3 => Just(Operation::Wake),
        1 => (2_usize..30).prop_map(Operation::Thin),
        1 => Just(Operation::Clear),
    ]
}

/// The queue and what it should do, side by side.
#[derive(Default)]
struct Pair {
    timers: Timers<usize>,
    /// By latest and by order of insertion: the number of the timer.
    model: BTreeMap<(Instant, usize), usize>,
    /// Every timer that ever was: its key, its window, and its order if it lives.
    all: Vec<(Key, Window, Option<usize>)>,
    order: usize,
    now: Instant,
}

impl Pair {
    fn window(&self, when: When, tolerance: u64) -> Window {
        let earliest = match when {
            When::FromNow(nanos) => {
                Instant::from_nanos(self.now.as_nanos().saturating_add_signed(nanos))
            }
            When::BeforeTheEnd(nanos) => Instant::from_nanos(u64::MAX - nanos),
            When::AfterTheBeginning(nanos) => Instant::from_nanos(nanos),
            When::AsBefore(_) if self.all.is_empty() => self.now,
            When::AsBefore(index) => {
                // A window that ends with another timer's, and begins before.
                let latest = index.get(&self.all).1.latest();
                return Window::from(latest - Duration::from_nanos(tolerance)..=latest);
            }
        };
        Window::tolerating(earliest, Duration::from_nanos(tolerance))
    }

    fn apply(&mut self, operation: &Operation) {
        match operation {
            Operation::Insert(when, tolerance) => self.insert(self.window(*when, *tolerance)),
            Operation::Flood(count, when, step) => self.flood(*count, *when, *step),
            Operation::Cancel(index) if !self.all.is_empty() => {
                self.cancel(index.index(self.all.len()));
            }
            Operation::Reschedule(index, when, tolerance) if !self.all.is_empty() => {
                self.reschedule(index.index(self.all.len()), *when, *tolerance);
            }
            Operation::Cancel(_) | Operation::Reschedule(..) => {}
            Operation::Expire(jump, meanwhile) => {
                self.now += Duration::from_nanos(*jump);
                self.expire(meanwhile);
            }
            Operation::Wake => {
                self.now = self.now.max(self.timers.next_wakeup().unwrap_or(self.now));
                self.expire(&[]);
            }
            Operation::Thin(keep) => {
                for number in (0..self.all.len()).filter(|number| number % keep != 0) {
                    self.cancel(number);
                }
            }
            Operation::Clear => {
                self.timers.clear();
                self.model.clear();
                self.all.iter_mut().for_each(|timer| timer.2 = None);
            }
        }
        self.check();
    }

    fn flood(&mut self, count: u16, when: When, step: i32) {
        let mut nanos = self.window(when, 0).latest().as_nanos();
        for _ in 0..count {
            self.insert(Window::from(Instant::from_nanos(nanos)));
            nanos = nanos.saturating_add_signed(step.into());
        }
    }

    fn insert(&mut self, window: Window) {
        let number = self.all.len();
        let key = self.timers.insert(window, number);
        self.order += 1;
        self.model.insert((window.latest(), self.order), number);
        self.all.push((key, window, Some(self.order)));
    }

    fn cancel(&mut self, number: usize) {
        let (key, window, order) = &mut self.all[number];
        let expected = order.take().map(|order| {
            self.model.remove(&(window.latest(), order));
            number
        });
        assert_eq!(self.timers.cancel(*key), expected);
    }

    fn reschedule(&mut self, number: usize, when: When, tolerance: u64) {
        let to = self.window(when, tolerance);
        let (key, window, order) = &mut self.all[number];
        assert_eq!(self.timers.reschedule(*key, to), order.is_some());
        let Some(order) = order else { return };
        self.model.remove(&(window.latest(), *order));
        self.order += 1;
        (*window, *order) = (to, self.order);
        self.model.insert((to.latest(), self.order), number);
    }

    fn expire(&mut self, meanwhile: &[Operation]) {
        // What is inserted meanwhile may be due at once; a few times are enough.
        let mut meanwhile = meanwhile.iter().cycle().take(4 * meanwhile.len());
        while let Some(fired) = self.timers.pop_due(self.now) {
            let (&place, &number) = self.model.first_key_value().expect("a timer fired");
            self.model.remove(&place);
            let (key, window, order) = &mut self.all[number];
            assert_eq!(
                (fired.key, fired.window, fired.value),
                (*key, *window, number)
            );
            assert!(window.has_begun(self.now), "early");
            *order = None;
            if let Some(operation) = meanwhile.next() {
                self.apply(operation);
            }
        }
        let head = self.model.values().next().map(|&number| self.all[number].1);
        assert!(
            head.is_none_or(|window| !window.has_begun(self.now)),
            "left behind"
        );
    }

    fn check(&self) {
        assert_eq!(self.timers.len(), self.model.len());
        assert_eq!(self.timers.is_empty(), self.model.is_empty());
        let least = self.model.keys().next().map(|&(latest, _)| latest);
        assert_eq!(self.timers.next_wakeup(), least);
    }

    fn check_keys(&self) {
        for (number, &(key, window, order)) in self.all.iter().enumerate() {
            assert_eq!(self.timers.window(key), order.map(|_| window));
            assert_eq!(self.timers.get(key), order.map(|_| &number));
        }
    }
}

proptest! {
    #![proptest_config(crate::tried())]

    #[test]
    fn any_interleaving_agrees_with_a_sorted_map(
        start in nanos(),
        operations in prop::collection::vec(operations(), 0..120),
    ) {
        let mut pair = Pair { now: Instant::from_nanos(start), ..Pair::default() };
        for operation in &operations {
            pair.apply(operation);
        }
        pair.check_keys();
        pair.now = Instant::MAX;
        pair.expire(&[]);
        pair.check_keys();
    }

    /// So many that what was cancelled has to be swept from time to time.
    #[test]
    fn crowds_agree_with_a_sorted_map(
        start in nanos(),
        crowds in prop::collection::vec((whens(), 0_i32..1_000_000, 2_usize..10), 4..6),
        operations in prop::collection::vec(operations(), 0..20),
    ) {
        let mut pair = Pair { now: Instant::from_nanos(start), ..Pair::default() };
        for (when, step, keep) in crowds {
            for _ in 0..4 {
                pair.apply(&Operation::Flood(1_000, when, step));
            }
            pair.apply(&Operation::Thin(keep));
        }
        for operation in &operations {
            pair.apply(operation);
        }
        pair.now = Instant::MAX;
        pair.expire(&[]);
        pair.check_keys();
    }
}
