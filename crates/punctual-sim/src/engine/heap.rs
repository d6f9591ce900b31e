//! The heap of an event queue: numbers, the least first.

use std::hint::select_unpredictable;

/// Numbers, of which the least is taken out.
#[derive(Debug)]
pub(super) struct Heap {
    numbers: Vec<u128>,
    /// The least number, or [`EMPTY`].
    next: u128,
    /// Where that is, while the root is a hole.
    next_place: usize,
    /// Whether the root has been taken out and leaves a hole. Most events schedule another, which
    /// then sinks from the root, and nothing needs to rise.
    hole: bool,
}

/// Greater than every event's number.
const EMPTY: u128 = u128::MAX;

/// Four children share a cache line, and make the heap half as deep as two would.
const CHILDREN: usize = 4;

impl Heap {
    pub(super) fn new() -> Self {
        Self {
            numbers: Vec::new(),
            next: EMPTY,
            next_place: 0,
            hole: false,
        }
    }

    /// The least number, or one greater than every event's if there is none.
    #[inline]
    pub(super) fn next(&self) -> u128 {
        self.next
    }

    /// How many numbers there are; a hole counts.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Numbers that it has made room for.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.numbers.capacity()
    }

    /// Lets `change` look at all numbers, in ascending order, and replace or drop each. It must keep
    /// the order.
    pub(super) fn change(&mut self, mut change: impl FnMut(u128) -> Option<u128>) {
        self.fill_hole();
        self.numbers.sort_unstable();
        self.numbers.retain_mut(|number| {
            let changed = change(*number);
            *number = changed.unwrap_or(*number);
            changed.is_some()
        });
        // An array in ascending order is a heap.
        self.next = self.numbers.first().copied().unwrap_or(EMPTY);
    }

    #[inline(always)]
    pub(super) fn add(&mut self, number: u128) {
        if self.hole {
            self.sink(number);
        } else {
            self.rise(number);
        }
    }

    /// Adds a number at the bottom of the heap.
    #[inline]
    fn rise(&mut self, number: u128) {
        self.next = self.next.min(number);
        let mut place = self.numbers.len();
        self.numbers.push(number);
        let heap = self.numbers.as_mut_slice();
        while place > 0 {
            let parent = (place - 1) / CHILDREN;
            if heap[parent] <= number {
                break;
            }
            heap[place] = heap[parent];
            place = parent;
        }
        heap[place] = number;
    }

    /// Puts a number into the hole at the root.
    #[inline(always)]
    fn sink(&mut self, number: u128) {
        self.hole = false;
        let heap = self.numbers.as_mut_slice();
        if number <= self.next {
            self.next = number;
            heap[0] = number;
            return;
        }
        // The least child of the root has been found already.
        heap[0] = self.next;
        let mut place = self.next_place;
        while let Some((child, least)) = least_child(heap, place) {
            if number <= least {
                break;
            }
            heap[place] = least;
            place = child;
        }
        heap[place] = number;
    }

    /// Puts the last number into the hole at the root, if there is one.
    #[inline]
    fn fill_hole(&mut self) {
        if self.hole {
            self.fill_hole_with_last();
        }
    }

    fn fill_hole_with_last(&mut self) {
        match self.numbers.pop() {
            Some(last) if !self.numbers.is_empty() => self.sink(last),
            _ => self.hole = false,
        }
    }

    /// Takes out the least number and leaves a hole.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<u128> {
        self.fill_hole();
        let least = *self.numbers.first()?;
        self.hole = true;
        (self.next_place, self.next) = least_child(&self.numbers, 0).unwrap_or((0, EMPTY));
        Some(least)
    }
}

/// The least child of a place in the heap, and where it is.
#[inline]
fn least_child(heap: &[u128], place: usize) -> Option<(usize, u128)> {
    let first = place * CHILDREN + 1;
    let children = heap.get(first..)?;
    let (child, least) = match children.first_chunk::<CHILDREN>() {
        Some(four) => least_of_four(four),
        None => least_of(children)?,
    };
    Some((first + child, least))
}

/// Where the least is, and what: without a branch that a processor could mispredict, and without
/// waiting for an index to load a number by.
#[inline]
fn least_of_four(numbers: &[u128; CHILDREN]) -> (usize, u128) {
    let &[a, b, c, d] = numbers;
    let (b_is_less, d_is_less) = (b < a, d < c);
    let left = select_unpredictable(b_is_less, b, a);
    let right = select_unpredictable(d_is_less, d, c);
    let right_is_less = right < left;
    let (left_place, right_place) = (usize::from(b_is_less), 2 + usize::from(d_is_less));
    (
        select_unpredictable(right_is_less, right_place, left_place),
        select_unpredictable(right_is_less, right, left),
    )
}

#[inline]
fn least_of(numbers: &[u128]) -> Option<(usize, u128)> {
    let numbers = numbers.iter().copied().enumerate();
    numbers.min_by_key(|(_, number)| *number)
}
