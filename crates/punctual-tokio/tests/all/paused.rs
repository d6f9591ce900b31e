//! Where tokio's clock is paused, time is virtual: a day passes at once, and everything is as with
//! tokio's own timers.

use fastrand::Rng;
use punctual_tokio as ours;
use punctual_tokio::{Duration, Instant, MissedTickBehavior};
use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Wake, Waker};
use tokio::time as theirs;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[tokio::test(start_paused = true)]
async fn a_day_passes_at_once() {
    let begun = Instant::now();
    ours::sleep(DAY).await;
    ours::sleep_until(begun + 2 * DAY).await;
    assert!(ours::timeout(DAY, pending::<()>()).await.is_err());
    assert_eq!(begun.elapsed(), 3 * DAY);
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_goes_on_stays_virtual() {
    theirs::advance(DAY).await;
    theirs::resume();
    let begun = Instant::now();
    ours::sleep_until(begun + Duration::from_millis(1)).await;
    assert!(begun.elapsed() >= Duration::from_millis(1));
}

#[tokio::test]
async fn a_timer_changes_clocks_when_it_is_reset() {
    let mut nap = ours::sleep(DAY).tolerating(Duration::from_secs(1));
    let mut beats = ours::interval(DAY);
    beats.tick().await;
    theirs::pause();
    let begun = Instant::now();
    Pin::new(&mut nap).reset(begun + DAY);
    nap.await;
    beats.reset();
    beats.tick().await;
    // Its timers go by milliseconds here too, and the clock was paused between two.
    let rounded = begun.elapsed() - 2 * DAY;
    assert!(rounded < Duration::from_millis(10), "{rounded:?}");
}

#[tokio::test]
async fn a_timer_changes_clocks_when_it_is_polled() {
    let mut nap = ours::sleep(DAY);
    let begun = std::time::Instant::now();
    theirs::pause();
    (&mut nap).await;
    assert!(nap.is_elapsed() && begun.elapsed() < DAY);
}

/// Counts how often a task was woken.
#[derive(Default)]
struct Woken(AtomicU32);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test(start_paused = true)]
async fn after_a_tick_no_task_is_woken_before_it_polls_again() {
    let period = Duration::from_millis(300);
    let mut beats = ours::interval(period);
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(Arc::clone(&woken));
    let mut context = Context::from_waker(&waker);
    for wakes in 0..3 {
        theirs::advance(period).await;
        assert!(beats.poll_tick(&mut context).is_ready());
        theirs::advance(3 * period).await;
        // Those that were missed, and then the one to come.
        assert!(beats.poll_tick(&mut context).is_ready());
        assert!(beats.poll_tick(&mut context).is_ready());
        assert_eq!(woken.0.load(Ordering::Relaxed), wakes);
        beats.reset();
        assert!(beats.poll_tick(&mut context).is_pending());
    }
}

/// The ticks of one of the two, while its task works this long after each.
macro_rules! ticks {
    ($time:ident, $behavior:expr, $period:expr, $work:expr) => {{
        let begun = Instant::now();
        let mut beats = $time::interval_at(begun + $period, $period);
        beats.set_missed_tick_behavior($behavior);
        let mut ticks = Vec::new();
        for (number, &work) in $work.iter().enumerate() {
            ticks.push((beats.tick().await - begun, begun.elapsed()));
            theirs::sleep(work).await;
            if number % 7 == 6 {
                beats.reset();
            }
        }
        ticks
    }};
}

#[tokio::test(start_paused = true)]
async fn ticks_are_those_of_tokio() {
    let mut random = Rng::with_seed(1);
    for case in 0..500 {
        // From tokio's limit on: shorter periods are where the two differ.
        let period = Duration::from_millis(random.u64(5..60));
        let longest = random.u64(1..200);
        let work: Vec<_> = (0..20)
            .map(|_| Duration::from_millis(random.u64(0..longest)))
            .collect();
        for behavior in [
            MissedTickBehavior::Burst,
            MissedTickBehavior::Delay,
            MissedTickBehavior::Skip,
        ] {
            let expected = ticks!(theirs, behavior, period, work);
            let found = ticks!(ours, behavior, period, work);
            assert_eq!(
                found, expected,
                "{case}: {behavior:?}, {period:?}, {work:?}"
            );
        }
    }
}
