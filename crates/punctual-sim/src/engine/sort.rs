//! Sorting the few numbers that are due next.

use super::time_of;

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
pub(super) fn sort(numbers: &[u128], last: u64, shift: u32, sorted: &mut Vec<u128>) {
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
