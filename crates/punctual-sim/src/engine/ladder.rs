//! The numbers of an event queue, the least first: a short run of them in order, and all others in
//! lists that are the finer the sooner they are due.
//!
//! It is a radix heap (Ahuja, Mehlhorn, Orlin and Tarjan, "Faster algorithms for the shortest path
//! problem", 1990) with the sorted front of a ladder queue (Tang, Goh and Thng, "Ladder queue", 2005).
//! The standard library's `BinaryHeap` does the same in ten lines, and `punctual::Timers` nearly: of
//! equals it takes the first that came, which [`Ties::Scrambled`](super::Ties::Scrambled) does not
//! want. Both are slower. Million events per second of processor time, medians of interleaved turns of
//! `bench -- simulation --quick` on an AMD EPYC with Linux 6.18 and Rust 1.95:
//!
//! | threads | here | `BinaryHeap` | `Timers` |
//! |---|---|---|---|
//! | 2 | 30 | 33 | 25 |
//! | 100 | 25 | 19 | 14 |
//! | 1000 | 17 | 14 | 14 |
//! | 10000 | 5.0 | 2.3 | 3.7 |
//!
//! A heap moves a number as often as their count has binary digits. `Timers` also keeps what a driver
//! needs: a window, a value, and a key to cancel by. With few threads, such as the four
//! in `Sleep(1)` on simulated Windows, a heap is as fast, and `Timers` about 8 % slower.

use super::time_of;

/// Numbers, of which the least is taken out. A number's upper half is a time.
///
/// The lists are a radix tree over times, seen from an instant that no number in a list is before,
/// the base: a number is in the list of the first digit in which its time differs from the base. So
/// the numbers of a level are all before those of the levels above. The first list of all is either
/// short, and is sorted to become the front, or cut up into those of the levels below. A number is
/// moved once or twice, and never more often than a time has digits.
///
/// The base never runs ahead of what has been taken out, so whatever is added is added where it
/// belongs.
#[derive(Debug)]
pub(super) struct Ladder {
    /// The numbers before `end`, the least last, where it is taken from cheaply.
    front: Vec<u128>,
    end: u128,
    /// The least number, or [`EMPTY`].
    least: u128,
    base: u64,
    /// A bit for each list that has numbers, by level.
    occupied: [u64; LEVELS],
    /// By level and digit.
    lists: Vec<Vec<u128>>,
}

/// Greater than every event's number.
const EMPTY: u128 = u128::MAX;

/// Bits of a digit: a level has as many lists as a word has bits.
const BITS: u32 = 6;
const DIGITS: usize = 1 << BITS;
const LEVELS: usize = u64::BITS.div_ceil(BITS) as usize;

/// A list of more numbers is cut up. With half of it a queue of a hundred events, an even two
/// milliseconds long, takes a quarter longer; with three times as much, nearly all of them are in
/// front, and it takes thrice as long.
const LONG: usize = 48;

/// When so many numbers are in front and one more belongs there, the later half goes back to the
/// lists: each is put in its place by moving those before it.
const CROWD: usize = 64;

/// Which list.
#[derive(Debug, Clone, Copy)]
struct Place {
    level: u32,
    digit: usize,
}

impl Place {
    fn index(self) -> usize {
        self.level as usize * DIGITS + self.digit
    }

    fn shift(self) -> u32 {
        self.level * BITS
    }
}

impl Ladder {
    pub(super) fn new() -> Self {
        Self {
            front: Vec::new(),
            end: 0,
            least: EMPTY,
            base: 0,
            occupied: [0; LEVELS],
            lists: vec![Vec::new(); LEVELS * DIGITS],
        }
    }

    /// The least number, or one greater than every event's if there is none.
    #[inline]
    pub(super) fn least(&self) -> u128 {
        self.least
    }

    /// The number that will be taken out after so many others, as far as they have been put in
    /// order yet.
    #[inline]
    pub(super) fn ahead(&self, others: usize) -> Option<u128> {
        let place = self.front.len().checked_sub(others + 1)?;
        self.front.get(place).copied()
    }

    #[inline(always)]
    pub(super) fn add(&mut self, number: u128) {
        if number < self.end {
            self.add_to_front(number);
        } else {
            self.add_to_list(number);
            if self.front.is_empty() {
                self.least = self.least.min(number);
            }
        }
    }

    /// Takes out the least number.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<u128> {
        let number = match self.front.pop() {
            Some(number) => number,
            None => self.take_from_lists()?,
        };
        if self.front.is_empty() {
            self.refill();
        }
        self.least = match self.front.last() {
            Some(next) => *next,
            None => self.least_in_lists(),
        };
        Some(number)
    }

    fn add_to_front(&mut self, number: u128) {
        if self.front.len() >= CROWD {
            self.make_room();
            if number >= self.end {
                self.add_to_list(number);
                return;
            }
        }
        let place = self.front.partition_point(|other| *other > number);
        self.front.insert(place, number);
        self.least = self.least.min(number);
    }

    /// Gives the later half of the front back to the lists, unless that is of the same instant as
    /// the other.
    #[cold]
    fn make_room(&mut self) {
        let half = self.front.len() / 2;
        if time_of(self.front[half - 1]) == time_of(self.least) {
            return;
        }
        self.end = self.front[half - 1];
        for place in 0..half {
            self.add_to_list(self.front[place]);
        }
        self.front.drain(..half);
    }

    #[inline(always)]
    fn add_to_list(&mut self, number: u128) {
        // Who keeps to the order of time adds nothing before the base. What is, is due at once.
        let time = time_of(number).as_nanos().max(self.base);
        let level = ((time ^ self.base) | 1).ilog2() / BITS;
        let digit = (time >> (level * BITS)) % DIGITS as u64;
        self.occupied[level as usize] |= 1 << digit;
        #[expect(clippy::cast_possible_truncation, reason = "six bits")]
        let digit = digit as usize;
        self.lists[Place { level, digit }.index()].push(number);
    }

    /// Takes out the least number when it is not in front: the first list is long, or there has
    /// been no front yet.
    #[cold]
    fn take_from_lists(&mut self) -> Option<u128> {
        while let Some(first) = self.first_list()
            && self.is_long(first)
        {
            self.cut(first);
        }
        self.refill();
        self.front.pop()
    }

    /// Cuts the first list up, whose least number is about to be taken out.
    fn cut(&mut self, first: Place) {
        self.base = self.start_of(first);
        // Its memory is given back: one list after the other would come to keep as much.
        for number in self.detach(first) {
            self.add_to_list(number);
        }
    }

    /// Makes the first list the front, unless it is long.
    #[inline(never)]
    fn refill(&mut self) {
        let Some(first) = self.first_list() else {
            return;
        };
        if self.is_long(first) {
            return;
        }
        let last_instant = self.start_of(first) | ((1 << first.shift()) - 1);
        let mut numbers = self.detach(first);
        let finer = first.shift().saturating_sub(BITS);
        sort(&numbers, last_instant, finer, &mut self.front);
        numbers.clear();
        self.lists[first.index()] = numbers;
        self.end = match first.level {
            // However many there are at one instant, those to come are appended to its list.
            0 => self.front[0] + 1,
            _ => u128::from(last_instant) << 64 | u128::from(u64::MAX),
        };
    }

    #[cold]
    fn least_in_lists(&self) -> u128 {
        let first = self.first_list().map(|first| &self.lists[first.index()]);
        let least = first.and_then(|numbers| numbers.iter().min());
        least.copied().unwrap_or(EMPTY)
    }

    #[inline]
    fn first_list(&self) -> Option<Place> {
        let mut levels = (0..).zip(&self.occupied);
        let (level, occupied) = levels.find(|(_, occupied)| **occupied != 0)?;
        let digit = occupied.trailing_zeros() as usize;
        Some(Place { level, digit })
    }

    /// Whether a list has more numbers than are sorted at once. One of a single instant is not cut
    /// up any further.
    #[inline]
    fn is_long(&self, place: Place) -> bool {
        self.lists[place.index()].len() > LONG && place.level > 0
    }

    /// The first instant of a list.
    fn start_of(&self, place: Place) -> u64 {
        // Two shifts, because together they may be the whole of a word.
        let above = self.base >> place.shift() >> BITS << BITS;
        (above | place.digit as u64) << place.shift()
    }

    /// Takes a list's numbers away, and the memory they are in.
    #[inline]
    fn detach(&mut self, place: Place) -> Vec<u128> {
        self.occupied[place.level as usize] &= !(1 << place.digit);
        std::mem::take(&mut self.lists[place.index()])
    }

    /// Lets `change` look at all numbers, in ascending order, and replace or drop each. It must keep
    /// the order.
    pub(super) fn change(&mut self, change: impl FnMut(u128) -> Option<u128>) {
        let lists = self.lists.iter().flatten();
        let mut numbers: Vec<u128> = lists.chain(&self.front).copied().collect();
        numbers.sort_unstable();
        let base = self.base;
        *self = Self {
            base,
            ..Self::new()
        };
        let changed = numbers.into_iter().filter_map(change);
        changed.for_each(|number| self.add(number));
    }

    /// Numbers that it has made room for.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        let lists = self.lists.iter().map(Vec::capacity);
        self.front.capacity() + lists.sum::<usize>()
    }
}

/// Into so many buckets.
const BUCKETS: usize = 64;

/// So few are put in their places one by one.
const FEW: usize = 8;

/// More than so many are for the standard library's sort: a crowd at one instant, which no bucket
/// tells apart.
const MANY: usize = 64;

/// Puts the least number last. It is fast if no time is after `last`, and times differ in the six
/// bits from `shift` on; and correct in any case.
#[inline]
fn sort(numbers: &[u128], last: u64, shift: u32, sorted: &mut Vec<u128>) {
    sorted.clear();
    sorted.extend_from_slice(numbers);
    if numbers.len() > MANY {
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        return;
    }
    if numbers.len() > FEW {
        distribute(numbers, |number| bucket(number, last, shift), sorted);
    }
    put_in_place(sorted);
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "less than BUCKETS")]
fn bucket(number: u128, last: u64, shift: u32) -> usize {
    let before_last = last.wrapping_sub(time_of(number).as_nanos());
    (before_last >> shift) as usize % BUCKETS
}

/// Puts those of the first bucket first, and so on.
#[inline]
fn distribute(numbers: &[u128], bucket: impl Fn(u128) -> usize, distributed: &mut [u128]) {
    let mut places = [0_u8; BUCKETS];
    for &number in numbers {
        places[bucket(number)] += 1;
    }
    let mut start = 0;
    for place in &mut places {
        let count = *place;
        *place = start;
        start += count;
    }
    for &number in numbers {
        let place = &mut places[bucket(number)];
        distributed[usize::from(*place)] = number;
        *place += 1;
    }
}

/// Insertion sort: fast if hardly anything is out of place.
#[inline]
fn put_in_place(numbers: &mut [u128]) {
    for end in 1..numbers.len() {
        let number = numbers[end];
        let mut place = end;
        while place > 0 && numbers[place - 1] < number {
            numbers[place] = numbers[place - 1];
            place -= 1;
        }
        numbers[place] = number;
    }
}
