//! Waits in two halves, in virtual time: a lock is taken back between them.

use proptest::prelude::*;
use punctual::os::VirtualOs;
use punctual::{Budget, Cancel, LateRate, Margin, Os, Rest, Sleeper};
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);
const MILLISECOND: Duration = Duration::from_millis(1);

fn late_by(latency: Duration) -> VirtualOs {
    VirtualOs::waking(move |until| until + latency)
}

/// The clock of a virtual machine moves by a nanosecond when it is read.
fn assert_about(actual: Duration, expected: Duration) {
    assert!(
        actual.abs_diff(expected) < MICROSECOND / 100,
        "{actual:?} instead of {expected:?}"
    );
}

/// A wait of a millisecond, whose lock comes this long after it was asked for.
fn wait_with_lock(
    sleeper: &mut Sleeper<VirtualOs>,
    lead: Duration,
    lock: Duration,
) -> punctual::Wake {
    let os = sleeper.os().clone();
    let deadline = os.now() + MILLISECOND;
    let mut wait = sleeper.begin(deadline);
    assert_eq!(wait.rest(lead, None), Rest::Ended);
    os.advance(lock);
    let wake = wait.finish();
    assert_eq!(wake.deadline, deadline);
    wake
}

#[test]
fn it_spins_when_the_lock_is_back() {
    let mut sleeper =
        Sleeper::on(late_by(20 * MICROSECOND)).with_margin(Margin::fixed(100 * MICROSECOND));
    let wake = wait_with_lock(&mut sleeper, Duration::ZERO, 30 * MICROSECOND);
    assert_about(wake.slept, 920 * MICROSECOND);
    assert_about(wake.regained, 30 * MICROSECOND);
    assert_about(wake.spun, 50 * MICROSECOND);
    assert_about(wake.lateness(), Duration::ZERO);
}

#[test]
fn a_lock_that_comes_late_makes_it_late_and_not_the_margin_longer() {
    let aim = || {
        LateRate::new(0.01)
            .and_then(|rate| Ok((rate, Budget::new(0.5)?)))
            .unwrap()
    };
    let margin_after = |lock: Duration| {
        let (late_rate, budget) = aim();
        let mut sleeper = Sleeper::on(late_by(20 * MICROSECOND)).aiming_at(late_rate, budget);
        for _ in 0..200 {
            let wake = wait_with_lock(&mut sleeper, Duration::ZERO, lock);
            assert!(wake.lateness() + MILLISECOND >= lock);
        }
        sleeper.margin().before(MILLISECOND)
    };
    assert_eq!(margin_after(Duration::ZERO), margin_after(5 * MILLISECOND));
}

#[test]
fn a_lead_asks_for_the_lock_earlier_by_as_much() {
    let mut sleeper =
        Sleeper::on(late_by(Duration::ZERO)).with_margin(Margin::fixed(100 * MICROSECOND));
    let wake = wait_with_lock(&mut sleeper, 400 * MICROSECOND, 400 * MICROSECOND);
    assert_about(wake.slept, 500 * MICROSECOND);
    assert_about(wake.spun, 100 * MICROSECOND);
}

#[test]
fn it_rests_again_if_the_lock_came_sooner_than_expected() {
    let mut sleeper =
        Sleeper::on(late_by(Duration::ZERO)).with_margin(Margin::fixed(100 * MICROSECOND));
    let deadline = sleeper.now() + MILLISECOND;
    let mut wait = sleeper.begin(deadline);
    assert_eq!(wait.rest(400 * MICROSECOND, None), Rest::Ended);
    assert_eq!(wait.rest(Duration::ZERO, None), Rest::Ended);
    let wake = wait.finish();
    assert_about(wake.slept, 900 * MICROSECOND);
    // No time is left for a third.
    let mut wait = sleeper.begin(wake.deadline);
    assert_eq!(wait.rest(Duration::ZERO, None), Rest::Ended);
    assert_eq!(wait.finish().slept, Duration::ZERO);
}

#[test]
fn an_interruption_is_said_and_the_rest_is_waited_for() {
    // Every wait ends halfway, as if a signal had come.
    let mut now = punctual::Instant::ZERO;
    let os = VirtualOs::waking(move |until| {
        let left = until.duration_since(now);
        now = if left > 100 * MICROSECOND {
            now + left / 2
        } else {
            until
        };
        now
    });
    let mut sleeper = Sleeper::on(os).coarse();
    let deadline = sleeper.now() + MILLISECOND;
    let mut wait = sleeper.begin(deadline);
    let mut interruptions = 0;
    while wait.rest(Duration::ZERO, None) == Rest::Interrupted {
        interruptions += 1;
    }
    assert_eq!(interruptions, 4);
    assert!(wait.finish().woke >= deadline);
}

#[test]
fn cancelled_before_it_rests_it_does_not_wait() {
    let os = VirtualOs::new();
    let cancel = Cancel::on(os.clone());
    cancel.cancel();
    for mut sleeper in [Sleeper::on(os.clone()), Sleeper::on(os.clone()).coarse()] {
        let deadline = os.now() + MILLISECOND;
        let mut wait = sleeper.begin(deadline);
        assert_eq!(wait.rest(Duration::ZERO, Some(&cancel)), Rest::Cancelled);
        assert!(os.now() < deadline);
    }
    // A deadline that has passed is not cancelled: there is nothing to wait for.
    let mut sleeper = Sleeper::on(os.clone());
    let mut wait = sleeper.begin(os.now());
    assert_eq!(wait.rest(Duration::ZERO, Some(&cancel)), Rest::Ended);
}

proptest! {
    #[test]
    fn it_is_never_early_and_its_parts_add_up(
        latency in 0_u64..200_000,
        lock in 0_u64..2_000_000,
        lead in 0_u64..2_000_000,
        length in 0_u64..3_000_000,
    ) {
        let mut sleeper = Sleeper::on(late_by(Duration::from_nanos(latency)));
        let os = sleeper.os().clone();
        for _ in 0..20 {
            let began = os.now();
            let deadline = began + Duration::from_nanos(length);
            let mut wait = sleeper.begin(deadline);
            prop_assert_eq!(wait.rest(Duration::from_nanos(lead), None), Rest::Ended);
            os.advance(Duration::from_nanos(lock));
            let wake = wait.finish();
            prop_assert!(wake.woke >= deadline);
            if length > 0 {
                prop_assert!(wake.slept + wake.regained + wake.spun <= wake.woke.duration_since(began));
            }
        }
    }
}
