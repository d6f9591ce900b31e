//! Sorting the few entries that are due next.

use super::lists::Entry;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// Entries are sorted into about as many buckets as there are entries, but not more than these.
const BUCKETS: usize = 256;

/// With more than so many entries in one bucket, their deadlines are far from evenly spread.
const CROWD: u16 = 8;

/// Puts what is to fire first last. Of equals, the first comes last, too.
///
/// Deadlines that are spread evenly take a time that grows with their number; all others, that of
/// the standard library's sort.
pub(super) fn sort(entries: &[Entry], sorted: &mut Vec<Entry>) {
    sorted.clear();
    sorted.extend(entries.iter().rev());
    let bounds = |(least, greatest): (u64, u64), entry: &Entry| {
        (least.min(entry.latest), greatest.max(entry.latest))
    };
    let (least, greatest) = entries.iter().fold((u64::MAX, 0), bounds);
    if least >= greatest {
        return;
    }
    let mut buckets = [0_u16; BUCKETS];
    let used = entries.len().next_power_of_two().min(BUCKETS);
    let buckets = &mut buckets[..used];
    // The greatest shift by which the greatest difference still has a bucket.
    let shift = (greatest - least).ilog2().saturating_sub(used.ilog2() - 1);
    let bucket = |entry: &Entry| to_index((greatest - entry.latest) >> shift) & (used - 1);

    for entry in entries {
        buckets[bucket(entry)] += 1;
    }
    if buckets.iter().any(|&count| count > CROWD) {
        sorted.sort_by_key(|entry| Reverse(entry.latest));
        return;
    }
    let mut start = 0;
    for place in buckets.iter_mut() {
        let count = *place;
        *place = start;
        start += count;
    }
    for entry in entries.iter().rev() {
        let place = &mut buckets[bucket(entry)];
        sorted[usize::from(*place)] = *entry;
        *place += 1;
    }
    put_in_place(sorted);
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "less than the number of buckets"
)]
fn to_index(bucket: u64) -> usize {
    bucket as usize
}

/// Insertion sort: fast if hardly anything is out of place.
fn put_in_place(entries: &mut [Entry]) {
    for end in 1..entries.len() {
        let entry = entries[end];
        let mut place = end;
        while place > 0 && entries[place - 1].latest < entry.latest {
            entries[place] = entries[place - 1];
            place -= 1;
        }
        entries[place] = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(deadlines: impl IntoIterator<Item = u64>) {
        let entry = |(slot, latest)| Entry::new(latest, slot, 0);
        let entries: Vec<_> = (0..).zip(deadlines).map(entry).collect();
        let mut expected = entries.clone();
        expected.sort_by_key(|entry| (entry.latest, entry.slot()));
        expected.reverse();
        let mut sorted = Vec::new();
        sort(&entries, &mut sorted);
        assert_eq!(sorted, expected);
    }

    #[test]
    fn few_and_extreme() {
        check([]);
        check([7]);
        check([7, 7]);
        check([0, u64::MAX]);
        check([u64::MAX, 0, u64::MAX, 0]);
        check((0..5_000).map(|step| step % 2));
        check((0..300).map(|step| 1 << (step % 64)));
    }

    proptest! {
        #[test]
        fn agrees_with_the_standard_library(
            deadlines in prop::collection::vec(any::<u64>(), 0..600),
            shift in 0_u32..64,
        ) {
            check(deadlines.into_iter().map(|deadline| deadline >> shift));
        }
    }
}
