//! Waits that another thread ends: what is used up, what is left, and that nothing is lost.

use proptest::prelude::*;
use punctual::os::VirtualOs;
use punctual::{Cancel, Cancelled, Ended, Instant, Notified, Notify, Os, Period, Sleeper, Ticker};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);
const MILLISECOND: Duration = Duration::from_millis(1);
const HOUR: Duration = Duration::from_secs(3600);

/// A sleeper and what notifies it, and a system that wakes everybody 50 µs late.
fn notified() -> (VirtualOs, Sleeper<VirtualOs>, Notify<VirtualOs>) {
    let os = VirtualOs::waking(|until| until + 50 * MICROSECOND);
    (os.clone(), Sleeper::on(os.clone()), Notify::on(os))
}

#[test]
fn a_reset_cancel_ends_no_wait_until_it_is_cancelled_again() {
    let os = VirtualOs::new();
    let mut sleeper = Sleeper::on(os.clone());
    let cancel = Cancel::on(os);
    for _ in 0..3 {
        cancel.cancel();
        assert_eq!(sleeper.sleep_unless(HOUR, &cancel), Err(Cancelled));
        cancel.reset();
        assert!(!cancel.is_cancelled());
        assert!(sleeper.sleep_unless(HOUR, &cancel).is_ok());
    }
}

#[test]
fn a_ticker_ticks_again_after_a_reset() {
    let os = VirtualOs::new();
    let cancel = Cancel::on(os.clone());
    let sleeper = Sleeper::on(os);
    let mut ticker =
        Ticker::with_sleeper(sleeper, Period::from_hertz(1_000)).cancelled_by(cancel.clone());
    ticker.tick().unwrap();
    cancel.cancel();
    assert_eq!(ticker.tick(), Err(Ended::Cancelled));
    cancel.reset();
    assert_eq!(ticker.tick().map(|tick| tick.index), Ok(1));
}

#[test]
fn a_notification_ends_the_wait_under_way_and_no_other() {
    let (os, mut sleeper, notify) = notified();
    let rings = os.now() + MILLISECOND;
    notify.notify_at(rings);
    assert_eq!(sleeper.sleep_or_notified(HOUR, &notify), Err(Notified));
    assert!(os.now() >= rings && os.now() < rings + MICROSECOND);
    assert!(sleeper.sleep_or_notified(HOUR, &notify).is_ok());
}

#[test]
fn several_before_a_wait_count_as_one() {
    let (_, mut sleeper, notify) = notified();
    for _ in 0..3 {
        notify.clone().notify();
    }
    assert_eq!(sleeper.sleep_or_notified(HOUR, &notify), Err(Notified));
    assert!(sleeper.sleep_or_notified(HOUR, &notify).is_ok());
}

#[test]
fn what_finds_the_deadline_passed_is_left_for_the_next_wait() {
    let (os, mut sleeper, notify) = notified();
    os.advance(MILLISECOND);
    notify.notify();
    let overdue = sleeper.sleep_until_or_notified(Instant::ZERO, &notify);
    assert!(overdue.is_ok_and(|wake| wake.lateness() >= MILLISECOND));
    assert_eq!(sleeper.sleep_or_notified(HOUR, &notify), Err(Notified));
}

#[test]
fn one_that_is_taken_ends_no_wait() {
    let (_, mut sleeper, notify) = notified();
    assert!(!notify.take());
    notify.notify();
    assert!(notify.take());
    assert!(!notify.take());
    assert!(sleeper.sleep_or_notified(HOUR, &notify).is_ok());
}

#[test]
fn a_wait_that_was_notified_teaches_nothing_and_spins_nothing() {
    let (os, mut sleeper, notify) = notified();
    for _ in 0..100 {
        sleeper.sleep(MILLISECOND);
    }
    let learned = sleeper.margin().before(MILLISECOND);
    for _ in 0..100 {
        let until = os.now() + 100 * MICROSECOND;
        notify.notify_at(until);
        assert_eq!(
            sleeper.sleep_or_notified(MILLISECOND, &notify),
            Err(Notified)
        );
        assert!(os.now() < until + MICROSECOND);
    }
    sleeper.sleep(MILLISECOND);
    let now = sleeper.margin().before(MILLISECOND);
    assert!(
        now.abs_diff(learned) < MICROSECOND,
        "{now:?}, not {learned:?}"
    );
}

/// Work is given twice in a row, so that the second notification meets a wait that is just ending.
/// If it were lost, or the work not seen, an hour would pass.
#[test]
fn no_notification_is_lost_between_threads() {
    const ROUNDS: u64 = 5_000;
    let (given, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let (work, answer) = (Notify::new(), Notify::new());
    let wait_for = |count: &AtomicU64, least: u64, notify: &Notify| {
        let mut sleeper = Sleeper::new().coarse();
        while count.load(Ordering::Relaxed) < least {
            let ended = sleeper.sleep_or_notified(HOUR, notify);
            assert_eq!(ended, Err(Notified), "{least} was lost");
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 1..=ROUNDS {
                wait_for(&given, 2 * round, &work);
                done.store(round, Ordering::Relaxed);
                answer.notify();
            }
        });
        for round in 1..=ROUNDS {
            for _ in 0..2 {
                given.fetch_add(1, Ordering::Relaxed);
                work.notify();
            }
            wait_for(&done, round, &answer);
        }
    });
}

proptest! {
    /// Notifications at every instant of a wait: each ends that wait or the next, and never two.
    #[test]
    fn each_notification_ends_one_wait(
        waits in prop::collection::vec((0_u64..2_000_000, 0_u64..3_000_000), 1..50),
    ) {
        let (os, mut sleeper, notify) = notified();
        for (wait, rings) in waits {
            let began = os.now();
            notify.notify_at(began + Duration::from_nanos(rings));
            let first = sleeper.sleep_or_notified(Duration::from_nanos(wait), &notify);
            match first {
                Ok(wake) => {
                    prop_assert!(wake.woke >= wake.deadline);
                    let second = sleeper.sleep_or_notified(HOUR, &notify);
                    prop_assert_eq!(second, Err(Notified), "left for this one");
                }
                Err(Notified) => prop_assert!(os.now() <= began + Duration::from_nanos(wait) + MILLISECOND),
            }
            prop_assert!(!notify.take(), "used up");
        }
    }
}
