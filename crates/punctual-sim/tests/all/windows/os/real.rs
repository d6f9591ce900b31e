//! What the simulated versions are held to, held against Windows itself, or against Wine, which
//! differs where it is named below.

use super::super::conformance::{
    callbacks, events, periods, pool, refusals, sleeps, tasks, threads, timers,
};
use punctual::os::windows::Real;
use punctual_windows::os::windows::wine_version;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

/// What Wine 8 does otherwise, each as a test that fails there. Its interval is 1 ms always; the
/// high-resolution flag is ignored, and so is the period of a manual-reset timer: no test can tell
/// without looking at the time.
const DIFFERS_ON_WINE: [(&str, &str); 7] = [
    (
        "setting_a_timer_resets_its_signal",
        "not that of an auto-reset timer",
    ),
    ("a_negative_period_is_refused", "it is taken"),
    (
        "an_unknown_flag_is_refused",
        "all flags but one are ignored",
    ),
    (
        "a_period_never_begun_cannot_be_ended",
        "timeEndPeriod is a stub",
    ),
    (
        "a_request_is_ended_as_often_as_it_was_begun",
        "timeEndPeriod is a stub",
    ),
    (
        "a_message_timer_has_one_message_pending",
        "killing a timer removes its message",
    ),
    (
        "a_thread_does_one_multimedia_task",
        "the multimedia class scheduler is a stub",
    ),
];

macro_rules! real {
    ($($topic:ident::$body:ident => $name:ident,)+) => { $(
        #[test]
        fn $name() {
            hold(stringify!($name), $topic::$body);
        }
    )+ };
}

bodies!(real);

/// Requests and such belong to the process, which all tests share.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn hold(name: &str, body: fn(Real)) {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let real = Real::new();
    let known = DIFFERS_ON_WINE.iter().find(|(test, _)| *test == name);
    let (Some(wine), Some((_, how))) = (wine_version(), known) else {
        return body(real);
    };
    let held = panic::catch_unwind(AssertUnwindSafe(|| body(real)));
    println!("skipped: Wine {wine} differs: {how}");
    // A later one may have learnt it.
    assert!(
        held.is_err() || !wine.starts_with("8."),
        "Wine {wine} does this as Windows does: it is no longer to be listed"
    );
}

#[test]
fn what_differs_on_wine_is_a_test_there_is() {
    macro_rules! names {
        ($($topic:ident::$body:ident => $name:ident,)+) => { [$(stringify!($name)),+] };
    }
    let names = bodies!(names);
    for (test, _) in DIFFERS_ON_WINE {
        assert!(names.contains(&test), "{test}");
    }
}
