//! Waits that another thread ends, on simulated machines of several processors.

use super::{MICROSECOND, MILLISECOND, run};
use proptest::prelude::*;
use punctual::{Cancel, Cancelled, Margin, Notified, Notify, Os, Sleeper, Spin};
use punctual_sim::Setup;
use punctual_sim::random::Spread;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3600);

fn two_processors() -> Setup {
    Setup {
        processors: 2,
        ..Setup::default()
    }
}

#[test]
fn a_wait_that_a_cancel_has_woken_ends_though_a_reset_overtakes_it() {
    let slow = Spread::new(100 * MICROSECOND, Duration::ZERO, Duration::ZERO);
    let (ended, lasted) = run(two_processors(), slow, |os| {
        let cancel = Cancel::on(os);
        let stop = cancel.clone();
        let body = move || {
            Sleeper::on(os).sleep(5 * MILLISECOND);
            stop.cancel();
            stop.reset();
        };
        let stopper = os.spawn("stopper", Box::new(body)).unwrap();
        let began = os.now();
        let ended = Sleeper::on(os).sleep_unless(HOUR, &cancel);
        let lasted = os.elapsed(began);
        stopper.join(&os).unwrap();
        (ended, lasted)
    });
    assert_eq!(ended, Err(Cancelled));
    assert!(lasted < 6 * MILLISECOND, "{lasted:?}");
}

#[test]
fn a_notification_ends_a_wait_at_once() {
    let (ended, lasted) = run(two_processors(), Spread::default(), |os| {
        let notify = Notify::on(os);
        let notifier = notify.clone();
        let body = move || {
            Sleeper::on(os).sleep(5 * MILLISECOND);
            notifier.notify();
        };
        let thread = os.spawn("notifier", Box::new(body)).unwrap();
        let began = os.now();
        let ended = Sleeper::on(os).sleep_or_notified(HOUR, &notify);
        let lasted = os.elapsed(began);
        thread.join(&os).unwrap();
        (ended, lasted)
    });
    assert_eq!(ended, Err(Notified));
    assert!(lasted < 6 * MILLISECOND, "{lasted:?}");
}

#[test]
fn a_spin_that_yields_leaves_the_processor_to_another() {
    let worked = |spin| {
        let setup = Setup {
            processors: 1,
            ..Setup::default()
        };
        run(setup, Spread::default(), move |os| {
            let body = move || os.compute(3 * MILLISECOND);
            let worker = os.spawn("worker", Box::new(body)).unwrap();
            // Spun from beginning to end.
            let margin = Margin::fixed(MILLISECOND);
            let mut sleeper = Sleeper::on(os).with_margin(margin).with_spin(spin);
            let wake = sleeper.sleep(MILLISECOND);
            assert!(wake.woke >= wake.deadline);
            worker.join(&os).unwrap();
            wake.lateness()
        })
    };
    let one = worked(Spin::Pause);
    let other = worked(Spin::Yield);
    assert!(
        one < MILLISECOND && other > MILLISECOND,
        "{one:?}, {other:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Several threads hand work to one, whenever it suits them: while it waits, wakes, is about to
    /// wait, or works. If a single notification were lost, an hour would pass.
    #[test]
    fn no_notification_is_lost(
        seed: u64,
        processors in 1_usize..4,
        latency in 0_u64..20_000,
        pauses in prop::collection::vec(prop::collection::vec(0_u64..30_000, 1..30), 1..4),
        work in 0_u64..20_000,
    ) {
        let nanos = Duration::from_nanos;
        let all: usize = pauses.iter().map(Vec::len).sum();
        let setup = Setup { seed, processors, ..Setup::default() };
        let spread = Spread::new(nanos(latency), nanos(latency), nanos(10 * latency));
        run(setup, spread, move |os| {
            let notify = Notify::on(os);
            let given = Arc::new(AtomicU64::new(0));
            let givers: Vec<_> = pauses.into_iter().map(|pauses| {
                let (given, notify) = (Arc::clone(&given), notify.clone());
                let body = move || for pause in pauses {
                    os.compute(nanos(pause));
                    given.fetch_add(1, Ordering::Relaxed);
                    notify.notify();
                };
                os.spawn("giver", Box::new(body)).unwrap()
            }).collect();
            let mut sleeper = Sleeper::on(os).coarse();
            let mut done = 0;
            while done < all as u64 {
                let ended = sleeper.sleep_or_notified(HOUR, &notify);
                assert_eq!(ended, Err(Notified), "after {done} of {all}");
                done = given.load(Ordering::Relaxed);
                os.compute(nanos(work));
            }
            givers.into_iter().for_each(|giver| giver.join(&os).unwrap());
        });
    }
}
