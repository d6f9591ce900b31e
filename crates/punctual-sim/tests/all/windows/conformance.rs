//! What the calls mean, whatever Windows they are made to: no test here measures a time. Each body
//! is written once over [`Win32Lab`] and run on every simulated version here, and in
//! [`os`](super::os) on the Windows that the tests run on, where there is one.

pub mod callbacks;
pub mod events;
pub mod periods;
pub mod pool;
pub mod refusals;
pub mod sleeps;
pub mod tasks;
pub mod threads;
pub mod timers;

use super::on_every_version;
use punctual::os::windows::{INFINITE, Waited};
use punctual_windows::os::windows::Win32Lab;
use std::sync::Arc;

/// Hands every body, with the name of its test, to a macro that makes the tests.
macro_rules! bodies {
    ($tests:ident) => {
        $tests! {
            events::auto_reset_serves_one_wait => an_auto_reset_event_serves_one_wait,
            events::manual_reset_serves_until_reset => a_manual_reset_event_serves_until_it_is_reset,
            events::setting_twice_serves_once => an_event_set_twice_serves_one_wait,
            events::ends_a_wait_under_way => an_event_ends_a_wait_under_way,
            events::one_waiter_at_a_time => an_auto_reset_event_wakes_one_waiter_at_a_time,
            events::lowest_index_wins => of_several_signalled_objects_the_first_ends_the_wait,
            events::looking_does_not_wait => a_timeout_of_zero_only_looks,
            events::timeout => a_wait_that_nothing_ends_times_out,
            timers::ends_a_wait => a_timer_ends_a_wait,
            timers::due_in_the_past => a_timer_due_in_the_past_is_signalled_at_once,
            timers::setting_again => setting_a_timer_again_forgets_the_first_setting,
            timers::setting_resets => setting_a_timer_resets_its_signal,
            timers::cancelled => a_cancelled_timer_stays_silent,
            timers::cancelling_keeps_the_signal => cancelling_leaves_the_signal_alone,
            timers::synchronisation_timer_serves_one_wait => a_synchronisation_timer_serves_one_wait,
            timers::manual_reset_serves_until_set => a_manual_reset_timer_serves_until_set_again,
            timers::periodic => a_periodic_timer_fires_again_and_again,
            timers::missed_periods_are_one_signal => missed_periods_are_one_signal,
            timers::absolute => a_due_time_can_be_a_point_of_the_system_clock,
            timers::negative_period => a_negative_period_is_refused,
            sleeps::nothing_is_something => a_sleep_of_zero_returns,
            sleeps::never_shorter_on_the_clock_of_ticks => sleeps_last_on_the_clock_of_ticks,
            sleeps::delays => a_delay_takes_negative_units_and_points_of_the_clock,
            sleeps::addresses => a_wait_on_an_address_ends_with_its_time_or_at_another_value,
            sleeps::others_run_meanwhile => others_run_during_a_sleep,
            periods::nested => requests_nest,
            periods::ended_too_often => a_request_is_ended_as_often_as_it_was_begun,
            periods::out_of_range => a_period_out_of_range_cannot_be_done,
            periods::never_begun => a_period_never_begun_cannot_be_ended,
            periods::capabilities => whatever_the_capabilities_name_can_be_requested,
            periods::increment => the_system_clocks_increment_is_no_matter_of_requests,
            periods::resolutions => resolutions_are_in_order,
            periods::kernel_request => the_kernels_request_is_one_and_can_be_ended_once,
            callbacks::once => a_timer_queue_timer_calls_once,
            callbacks::again => a_periodic_timer_queue_timer_calls_until_deleted,
            callbacks::deleting_waits => deleting_a_timer_queue_timer_waits_for_its_call,
            callbacks::in_parallel_or_not => the_pool_calls_in_parallel_and_the_timer_thread_does_not,
            callbacks::multimedia => multimedia_timers_call_once_or_until_killed,
            callbacks::delay_of_zero => a_multimedia_timer_has_a_delay,
            callbacks::messages => message_timers_send_messages_until_killed,
            callbacks::one_message => a_message_timer_has_one_message_pending,
            pool::once_and_again => a_pool_timer_calls_as_often_as_it_is_set_to,
            pool::waiting => waiting_for_a_pool_timer_waits_for_its_call,
            pool::cancelling => a_pool_timer_that_is_stopped_calls_no_more,
            pool::dropped => a_pool_timer_that_is_dropped_calls_no_more,
            tasks::once => a_thread_does_one_multimedia_task,
            tasks::priority => a_multimedia_task_leaves_the_threads_own_priority_alone,
            threads::numbers => threads_have_numbers_that_are_multiples_of_four,
            threads::others_run_meanwhile => others_run_when_a_thread_gives_up_its_processor,
            refusals::wrong_kind => an_event_is_no_timer,
            refusals::number_of_objects => a_wait_takes_one_to_64_objects,
            refusals::most_objects => a_wait_on_64_objects_ends_with_the_last,
            refusals::unknown_flag => an_unknown_flag_is_refused,
            refusals::priorities => priorities_are_those_of_the_class,
            refusals::affinities => affinities_are_processors_that_exist,
        }
    };
}

/// One test for each body: what it says holds on every simulated version.
macro_rules! simulated {
    ($($topic:ident::$body:ident => $name:ident,)+) => { $(
        #[test]
        fn $name() {
            on_every_version($topic::$body);
        }
    )+ };
}

bodies!(simulated);

/// Milliseconds within which whatever is to happen has happened, on any machine that works.
const EVENTUALLY: u32 = 60_000;

/// Makes an event that is not signalled, for several threads.
fn event<W: Win32Lab>(win32: &W) -> Arc<W::Object> {
    Arc::new(win32.create_event_w(false).unwrap())
}

/// The objects themselves, for a wait.
fn each<T, const N: usize>(objects: &[Arc<T>; N]) -> [&T; N] {
    objects.each_ref().map(|object| &**object)
}

/// Whether a wait on the object would end now. Consumes the signal of an auto-reset object.
fn is_signalled<W: Win32Lab>(win32: &W, object: &W::Object) -> bool {
    win32.wait_for_single_object(object, 0).unwrap() == Waited::Object(0)
}

/// Waits for the object for ever.
fn wait<W: Win32Lab>(win32: &W, object: &W::Object) {
    let waited = win32.wait_for_single_object(object, INFINITE);
    assert_eq!(waited, Ok(Waited::Object(0)));
}

/// Starts a thread that does this and then signals the event it returns.
fn thread<W: Win32Lab>(win32: &W, body: impl FnOnce(&W) + Send + 'static) -> Arc<W::Object> {
    let (ended, theirs) = (event(win32), win32.clone());
    let ends = Arc::clone(&ended);
    let run = move || {
        body(&theirs);
        theirs.set_event(&ends).unwrap();
    };
    win32.create_thread("of a test", Box::new(run)).unwrap();
    ended
}

/// Milliseconds as a due time from now on.
fn from_now(milliseconds: i64) -> i64 {
    const UNITS_PER_MILLISECOND: i64 = 10_000;
    -milliseconds * UNITS_PER_MILLISECOND
}
