//! Forgetting what is long past, at a cost that does not grow with what is remembered.

use punctual::Instant;

/// Removes from a list in the order of time what was over before an instant: all but the last that began
/// by then, which may last. It removes at least half of the list or nothing, because moving the rest
/// costs its length.
pub(super) fn forget<T>(list: &mut Vec<T>, before: Instant, at: impl Fn(&T) -> Instant) {
    let began = list.partition_point(|entry| at(entry) <= before);
    let over = began.saturating_sub(1);
    if over > list.len() / 2 {
        list.drain(..over);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lasts_is_kept_and_each_entry_is_moved_a_few_times_at_most() {
        let at = |entry: &u64| Instant::from_nanos(*entry);
        let mut list = Vec::new();
        let (mut longest, mut moved) = (0, 0);
        for entry in 0..10_000_u64 {
            list.push(entry);
            let before = entry.saturating_sub(100);
            let length = list.len();
            forget(&mut list, Instant::from_nanos(before), at);
            assert!(list[0] <= before);
            if list.len() < length {
                moved += list.len();
            }
            longest = longest.max(list.len());
        }
        assert!(longest <= 204, "{longest}");
        assert!(moved <= 10_000, "{moved}");
    }
}
