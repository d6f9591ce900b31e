//! No rule can serve windows with fewer wake-ups than the queue does.

use proptest::prelude::*;
use punctual::Window;
use punctual::{Instant, Timers};

/// Instants of the small worlds in which every way of waking can be tried.
const INSTANTS: u64 = 12;

fn windows() -> impl Strategy<Value = Vec<Window>> {
    let window = (0..INSTANTS, 0..INSTANTS)
        .prop_map(|(a, b)| Instant::from_nanos(a.min(b))..=Instant::from_nanos(a.max(b)))
        .prop_map(Window::from);
    prop::collection::vec(window, 0..10)
}

/// Whether every window holds one of the instants whose bits are set.
fn serves_all(wakeups: u32, windows: &[Window]) -> bool {
    windows.iter().all(|window| {
        (window.earliest().as_nanos()..=window.latest().as_nanos())
            .any(|instant| wakeups & (1 << instant) != 0)
    })
}

/// The least number of instants such that every window holds one, by trying all sets.
fn least_wakeups(windows: &[Window]) -> u32 {
    let sets = 0_u32..1 << INSTANTS;
    let serving = sets.filter(|&wakeups| serves_all(wakeups, windows));
    serving
        .map(u32::count_ones)
        .min()
        .expect("all instants together serve every window")
}

/// Wakes whenever the queue asks for it, and checks that everything fires within its window.
fn wakeups(windows: &[Window]) -> u32 {
    let mut timers = Timers::new();
    for &window in windows {
        timers.insert(window, ());
    }
    let mut wakeups = 0;
    while let Some(now) = timers.next_wakeup() {
        wakeups += 1;
        for fired in timers.expire(now) {
            assert!(fired.window.has_begun(now) && now <= fired.window.latest());
        }
    }
    wakeups
}

/// As [`wakeups`], but each timer is inserted only at the instant its window begins, as programs
/// do that set a timer for some time from now. Wake-ups to insert are not the queue's.
fn wakeups_inserting_late(windows: &[Window]) -> u32 {
    let mut timers = Timers::new();
    let mut wakeups = 0;
    for now in (0..INSTANTS).map(Instant::from_nanos) {
        for &window in windows.iter().filter(|window| window.earliest() == now) {
            timers.insert(window, ());
        }
        if timers.next_wakeup() == Some(now) {
            wakeups += 1;
            timers.expire(now).for_each(drop);
        }
    }
    assert!(timers.is_empty());
    wakeups
}

/// How many fire at this instant.
fn fire_at(timers: &Timers<()>, now: Instant) -> usize {
    timers.clone().expire(now).count()
}

proptest! {
    /// Few and many timers, so that some of the windows are known only in part.
    #[test]
    fn at_any_instant_of_the_shared_window_all_fire_that_do_at_its_end(
        windows in prop::collection::vec((0_u64..1_000, 0_u64..300), 1..200),
    ) {
        let mut timers = Timers::new();
        for (start, width) in windows {
            let window = Instant::from_nanos(start)..=Instant::from_nanos(start + width);
            timers.insert(window, ());
        }
        while let Some(latest) = timers.next_wakeup() {
            let shared = timers.next_shared_window().unwrap();
            let head = timers.next_window().unwrap();
            prop_assert_eq!((shared.latest(), head.latest()), (latest, latest));
            prop_assert!(shared.earliest() >= head.earliest());
            let fired = fire_at(&timers, shared.earliest());
            prop_assert_eq!(fired, fire_at(&timers, latest));
            timers.expire(shared.earliest()).for_each(drop);
        }
        prop_assert_eq!(timers.next_shared_window(), None);
    }

    #[test]
    fn as_few_as_the_best_of_all_sets_of_instants(windows in windows()) {
        let least = least_wakeups(&windows);
        prop_assert_eq!(wakeups(&windows), least);
        prop_assert_eq!(wakeups_inserting_late(&windows), least);
    }
}
