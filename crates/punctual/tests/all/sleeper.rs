//! Sleeper in virtual time: what it asks of the system, and that nothing makes it early.

use proptest::prelude::*;
use punctual::Window;
use punctual::margin::Budget;
use punctual::os::VirtualOs;
use punctual::os::suspend::Suspension;
use punctual::{Cancel, Cancelled, Instant, LatenessStats, Margin, Os, Sleeper, Spin};
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);
const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);

/// A system that wakes everybody this late.
fn late_by(latency: Duration) -> VirtualOs {
    VirtualOs::waking(move |until| until + latency)
}

#[test]
fn a_deadline_in_the_past_returns_at_once_and_says_how_late_it_is() {
    let os = VirtualOs::new();
    os.advance(10 * MICROSECOND);
    let mut sleeper = Sleeper::on(os.clone());
    let wake = sleeper.sleep_until(Instant::ZERO + MICROSECOND);
    assert_eq!(wake.lateness(), 9 * MICROSECOND);
    assert_eq!((wake.slept, wake.spun), (Duration::ZERO, Duration::ZERO));
    assert_eq!(os.system_waits(), 0);
}

#[test]
fn a_sleeper_can_be_given_to_another_thread_and_looked_at_from_one() {
    fn ensure<T: Send + Sync + 'static>() {}
    ensure::<Sleeper>();
    ensure::<Sleeper<VirtualOs>>();
}

#[test]
fn zero_tiny_and_vast_sleeps_behave() {
    for duration in [Duration::ZERO, Duration::from_nanos(1), 500 * YEAR] {
        for sleeper in [
            Sleeper::on(late_by(MICROSECOND)),
            Sleeper::on(late_by(MICROSECOND)).coarse(),
            Sleeper::on(late_by(MICROSECOND)).exact(),
        ] {
            let mut sleeper = sleeper;
            let began = sleeper.os().now();
            let wake = sleeper.sleep(duration);
            assert!(wake.woke >= began + duration, "{duration:?}: {wake:?}");
            assert!(wake.lateness() <= 2 * MICROSECOND, "{duration:?}: {wake:?}");
        }
    }
}

#[test]
fn a_sleep_past_the_end_of_time_ends_there() {
    let mut sleeper = Sleeper::on(VirtualOs::new());
    assert_eq!(sleeper.sleep(Duration::MAX).woke, Instant::MAX);
}

#[test]
fn a_coarse_sleep_never_spins_and_ends_as_late_as_the_system_does() {
    let mut sleeper = Sleeper::on(late_by(70 * MICROSECOND)).coarse();
    for _ in 0..100 {
        let wake = sleeper.sleep(1_000 * MICROSECOND);
        assert_eq!(wake.lateness(), 70 * MICROSECOND);
        assert_eq!(wake.spun, Duration::ZERO);
    }
}

#[test]
fn a_learned_margin_covers_a_steady_latency() {
    let os = late_by(70 * MICROSECOND);
    let mut sleeper = Sleeper::on(os.clone());
    let lateness: Vec<_> = (0..1_000)
        .map(|_| sleeper.sleep(5_000 * MICROSECOND).lateness())
        .collect();
    let late = lateness.iter().filter(|late| **late > MICROSECOND).count();
    assert!(late <= 10, "{late} of 1000 late at a late rate of 1 %");
    assert_eq!(os.system_waits(), 1_000);
}

#[test]
fn what_was_slept_and_spun_is_the_time_it_took() {
    let mut sleeper = Sleeper::on(late_by(20 * MICROSECOND));
    for _ in 0..50 {
        let began = sleeper.os().now();
        let wake = sleeper.sleep(1_000 * MICROSECOND);
        let call = wake.woke.duration_since(began);
        assert!(call - (wake.slept + wake.spun) < MICROSECOND, "{wake:?}");
    }
}

#[test]
fn what_passes_while_a_spin_has_no_processor_is_not_spent() {
    let os = late_by(20 * MICROSECOND);
    let mut sleeper = Sleeper::on(os.clone());
    for _ in 0..1_000 {
        sleeper.sleep(1_000 * MICROSECOND);
    }
    // More than the whole burst of the budget, in the middle of the spin.
    let lost = 20 * Budget::default().burst();
    let deadline = os.now() + 1_000 * MICROSECOND;
    os.suspend_at(deadline - MICROSECOND / 10, lost, Suspension::Counted);
    let wake = sleeper.sleep_until(deadline);
    assert!(!wake.spun.is_zero() && wake.lateness() > lost / 2);
    let wake = sleeper.sleep(1_000 * MICROSECOND);
    assert!(!wake.spun.is_zero() && wake.lateness() < MICROSECOND);
}

#[test]
fn a_spin_is_as_it_was_asked_for() {
    let os = late_by(MICROSECOND);
    let mut sleeper = Sleeper::on(os.clone()).coarse();
    sleeper.sleep(1_000 * MICROSECOND);
    assert_eq!(os.last_spin(), None);
    let mut sleeper = sleeper.exact();
    sleeper.sleep(1_000 * MICROSECOND);
    assert_eq!(os.last_spin(), Some(Spin::Pause));
    let mut sleeper = sleeper.with_spin(Spin::Yield);
    sleeper.sleep(1_000 * MICROSECOND);
    assert_eq!(os.last_spin(), Some(Spin::Yield));
}

#[test]
fn a_wake_can_be_counted() {
    let mut sleeper = Sleeper::on(late_by(70 * MICROSECOND)).coarse();
    let mut stats = LatenessStats::new();
    for _ in 0..10 {
        stats.record(sleeper.sleep(1_000 * MICROSECOND));
    }
    let summary = stats.summary();
    assert_eq!((summary.count, summary.missed), (10, 0));
    assert_eq!(summary.worst, 70 * MICROSECOND);
}

#[test]
fn an_interrupted_wait_is_taken_up_again() {
    let mut interruptions = 3;
    let os = VirtualOs::waking(move |until| {
        if interruptions > 0 {
            interruptions -= 1;
            return Instant::ZERO;
        }
        until
    });
    let mut sleeper = Sleeper::on(os.clone()).coarse();
    let wake = sleeper.sleep(MICROSECOND * 100);
    assert!(wake.woke >= wake.deadline);
    assert_eq!(os.system_waits(), 4);
}

#[test]
fn cancelling_ends_a_wait_that_would_last_for_centuries() {
    let os = VirtualOs::new();
    let cancel = Cancel::on(os.clone());
    let mut sleeper = Sleeper::on(os.clone());
    let bell_rings = Instant::ZERO + 3 * YEAR;
    os.advance(YEAR);
    std::thread::scope(|scope| {
        // Virtual time has one thread, so the cancelling one acts before the wait begins.
        scope.spawn(|| cancel.cancel());
    });
    assert!(cancel.is_cancelled());
    assert_eq!(sleeper.sleep_unless(500 * YEAR, &cancel), Err(Cancelled));
    assert_eq!(
        sleeper.sleep_unless(500 * YEAR, &cancel.clone()),
        Err(Cancelled)
    );
    assert!(os.now() < bell_rings, "no time has passed");
}

#[test]
fn a_cancelled_sleeper_still_completes_what_is_already_due() {
    let os = VirtualOs::new();
    let cancel = Cancel::on(os.clone());
    cancel.cancel();
    os.advance(MICROSECOND);
    let wake = Sleeper::on(os).sleep_until_unless(Instant::ZERO, &cancel);
    assert!(wake.is_ok_and(|wake| wake.lateness() >= MICROSECOND));
}

#[test]
fn other_waits_of_a_sleeper_go_on_after_one_was_cancelled() {
    let os = VirtualOs::new();
    let cancel = Cancel::on(os.clone());
    cancel.cancel();
    let mut sleeper = Sleeper::on(os);
    assert_eq!(
        sleeper.sleep_unless(MICROSECOND * 500, &cancel),
        Err(Cancelled)
    );
    let wake = sleeper.sleep(MICROSECOND * 500);
    assert!(wake.woke >= wake.deadline);
}

/// How long a loop of 1 ms spins in ten turns of 50 waits, with pauses of a second between them, on a
/// system whose latencies are so unlike each other that the budget is always short.
fn spun_between_pauses(resume: bool) -> Duration {
    let mut latencies_us = (0..).map(|wait| 20 + wait * 37 % 480);
    let os = VirtualOs::waking(move |until| until + MICROSECOND * latencies_us.next().unwrap());
    let mut sleeper = Sleeper::on(os.clone());
    let mut spun = Duration::ZERO;
    for _ in 0..10 {
        os.advance(Duration::from_secs(1));
        if resume {
            sleeper.resume();
        }
        for _ in 0..50 {
            spun += sleeper.sleep(1_000 * MICROSECOND).spun;
        }
    }
    spun
}

#[test]
fn the_budget_is_a_share_of_the_turns_and_not_of_the_pauses() {
    // The turns last 0.5 s, or a little more where a wait ends late. 5 % of that, and the burst.
    let budget = Duration::from_millis(26 + 5);
    let (without, with) = (spun_between_pauses(true), spun_between_pauses(false));
    assert!(without <= budget, "{without:?}");
    assert!(with > budget, "{with:?}");
}

/// Has learned that the system wakes 40 µs late.
fn experienced() -> Sleeper<VirtualOs> {
    let mut sleeper = Sleeper::on(late_by(40 * MICROSECOND)).exact();
    for _ in 0..200 {
        sleeper.sleep(1_000 * MICROSECOND);
    }
    sleeper
}

#[test]
fn a_window_wider_than_the_margin_is_the_systems_to_choose_from_and_costs_no_spin() {
    let mut sleeper = experienced();
    let width = 500 * MICROSECOND;
    let window = Window::tolerating(sleeper.os().now() + 1_000 * MICROSECOND, width);
    let wake = sleeper.sleep_within(window);
    assert_eq!(
        (wake.lateness(), wake.spun),
        (40 * MICROSECOND, Duration::ZERO)
    );
    let tolerance = sleeper.os().last_tolerance();
    // All of it but the margin, so that the system is not late either.
    assert!(tolerance <= width - 40 * MICROSECOND, "{tolerance:?}");
    assert!(tolerance >= width - 60 * MICROSECOND, "{tolerance:?}");
}

#[test]
fn a_window_narrower_than_the_margin_is_kept_too() {
    let mut sleeper = experienced();
    let deadline = sleeper.os().now() + 1_000 * MICROSECOND;
    let wake = sleeper.sleep_within(Window::tolerating(deadline, 10 * MICROSECOND));
    assert!(wake.lateness() <= 10 * MICROSECOND, "{wake:?}");
    assert_eq!(sleeper.os().last_tolerance(), Duration::ZERO);
}

#[test]
fn a_coarse_sleeper_leaves_all_of_the_window_to_the_system() {
    let mut sleeper = Sleeper::on(late_by(40 * MICROSECOND)).coarse();
    let deadline = sleeper.os().now() + 1_000 * MICROSECOND;
    sleeper.sleep_within(Window::tolerating(deadline, 10 * MICROSECOND));
    assert_eq!(sleeper.os().last_tolerance(), 10 * MICROSECOND);
}

fn modes() -> impl Strategy<Value = Margin> {
    prop_oneof![
        Just(Margin::coarse()),
        Just(Margin::default()),
        Just(Margin::exact()),
        Just(Margin::fixed(100 * MICROSECOND)),
    ]
}

/// Half of them none: exact deadlines.
fn tolerances() -> impl Strategy<Value = Duration> {
    let some = (0_u64..1 << 40).prop_map(Duration::from_nanos);
    prop_oneof![Just(Duration::ZERO), some]
}

proptest! {
    /// Latencies and interruptions of every size, waits of every length, work in between.
    #[test]
    fn no_wait_is_ever_early(
        margin in modes(),
        steps in prop::collection::vec(
            (0_u64..1 << 40, -1_000_000_i64..10_000_000, 0_u64..1 << 22, tolerances()),
            1..200,
        ),
    ) {
        let mut script = steps.clone().into_iter().map(|(_, latency, _, _)| latency).cycle();
        let os = VirtualOs::waking(move |until| {
            let nanos = until.as_nanos().saturating_add_signed(script.next().unwrap());
            Instant::from_nanos(nanos)
        });
        let mut sleeper = Sleeper::on(os.clone()).with_margin(margin);
        for (wait, _, work, tolerance) in steps {
            let deadline = os.now() + Duration::from_nanos(wait);
            let wake = sleeper.sleep_within(Window::tolerating(deadline, tolerance));
            prop_assert!(wake.woke >= wake.deadline);
            prop_assert_eq!(wake.deadline, deadline);
            prop_assert!(os.now() >= wake.woke);
            os.advance(Duration::from_nanos(work));
        }
    }
}
