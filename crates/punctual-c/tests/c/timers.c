/* Drivers, their timers, and who frees a context. */
#include "check.h"

/* Touched by one callback at a time, and read after the driver has stopped. */
struct seen {
    punctual_driver *driver;
    punctual_cancel *stopped;
    int calls;
    int drops;
    int enough;
    uint64_t woke_ns;
    uint64_t earliest_ns;
};

static void once(void *context, const punctual_firing *firing) {
    struct seen *seen = context;
    CHECK(firing->size == sizeof *firing);
    CHECK(firing->woke_ns >= firing->earliest_ns && firing->latest_ns >= firing->earliest_ns);
    seen->calls++;
    seen->woke_ns = firing->woke_ns;
    seen->earliest_ns = firing->earliest_ns;
}

static int every(void *context, const punctual_tick *tick) {
    struct seen *seen = context;
    CHECK(tick->size == sizeof *tick);
    CHECK(tick->woke_ns >= tick->deadline_ns);
    seen->calls++;
    return seen->calls == seen->enough;
}

static void drop(void *context) {
    struct seen *seen = context;
    seen->drops++;
}

static punctual_driver *started(void) {
    punctual_driver *driver = NULL;
    OK(punctual_driver_start(NULL, &driver));
    return driver;
}

/* Waits until no callback waits. */
static void until_idle(const punctual_driver *driver) {
    punctual_sleeper *sleeper = NULL;
    punctual_counters counters = {.size = sizeof counters};
    OK(punctual_sleeper_new(NULL, &sleeper));
    do {
        OK(punctual_sleep_for(sleeper, PUNCTUAL_MILLISECOND, NULL, NULL));
        OK(punctual_driver_counters(driver, &counters));
    } while (counters.waiting > 0);
    OK(punctual_sleeper_free(sleeper));
}

static void callbacks_come_in_their_window_and_free_their_context(void) {
    punctual_driver *driver = started();
    struct seen first = {0}, second = {0}, soon = {0};
    uint64_t deadline = now() + 2 * PUNCTUAL_MILLISECOND;
    OK(punctual_driver_once(driver, deadline, deadline + 1000, once, &first, drop, NULL));
    OK(punctual_driver_after(driver, PUNCTUAL_MILLISECOND, 1000, once, &second, drop, NULL));
    OK(punctual_driver_after(driver, 0, 0, once, &soon, NULL, NULL));
    until_idle(driver);
    OK(punctual_driver_stop(driver));
    OK(punctual_driver_stop(driver));
    CHECK(first.calls == 1 && first.drops == 1 && first.earliest_ns == deadline);
    CHECK(second.calls == 1 && second.drops == 1);
    CHECK(soon.calls == 1);
    punctual_counters counters = {.size = sizeof counters};
    OK(punctual_driver_counters(driver, &counters));
    CHECK(counters.fired == 3 && counters.waiting == 0);

    struct seen late = {0};
    RETURNS(PUNCTUAL_SHUT_DOWN, punctual_driver_after(driver, 1, 0, once, &late, drop, NULL));
    punctual_timer *timer = (punctual_timer *)&late;
    RETURNS(PUNCTUAL_SHUT_DOWN, punctual_driver_once(driver, 1, 2, once, &late, drop, &timer));
    CHECK(timer == NULL && late.calls == 0 && late.drops == 2);
    OK(punctual_driver_free(driver));
}

static void a_repeating_callback_ends_itself(void) {
    punctual_driver *driver = started();
    struct seen seen = {.enough = 5};
    punctual_timer *timer = NULL;
    punctual_schedule schedule = {.size = sizeof schedule, .period_ns = PUNCTUAL_SECOND};
    schedule.divisor = 2000;
    schedule.tolerance_ns = 100 * PUNCTUAL_MICROSECOND;
    OK(punctual_driver_every(driver, &schedule, every, &seen, drop, &timer));
    until_idle(driver);
    RETURNS(PUNCTUAL_TOO_LATE, punctual_timer_cancel(timer));
    RETURNS(PUNCTUAL_TOO_LATE, punctual_timer_set_period(timer, PUNCTUAL_SECOND, 1));
    OK(punctual_driver_free(driver));
    CHECK(seen.calls == 5 && seen.drops == 1);
    /* It may outlive its driver. */
    RETURNS(PUNCTUAL_TOO_LATE, punctual_timer_move(timer, 1, 2));
    OK(punctual_timer_free(timer));
}

static void what_begins_now_is_not_late(void) {
    punctual_driver *driver = started();
    struct seen seen = {.enough = 1};
    punctual_schedule schedule = {.size = sizeof schedule, .period_ns = PUNCTUAL_SECOND};
    OK(punctual_driver_every(driver, &schedule, every, &seen, NULL, NULL));
    until_idle(driver);
    punctual_counters counters = {.size = sizeof counters};
    OK(punctual_driver_counters(driver, &counters));
    CHECK(counters.fired == 1 && counters.late == 0);
    OK(punctual_driver_free(driver));
    CHECK(seen.calls == 1);
}

static void a_timer_is_moved_and_cancelled(void) {
    punctual_driver *driver = started();
    struct seen moved = {0}, prevented = {0}, beat = {0};
    punctual_timer *timer = NULL, *beats = NULL, *never = NULL;
    OK(punctual_driver_once(driver, UINT64_MAX, UINT64_MAX, once, &moved, drop, &timer));
    OK(punctual_driver_once(driver, UINT64_MAX, UINT64_MAX, once, &prevented, drop, &never));
    punctual_schedule schedule = {.size = sizeof schedule, .period_ns = PUNCTUAL_SECOND};
    schedule.start_ns = now() + 3600 * PUNCTUAL_SECOND;
    OK(punctual_driver_every(driver, &schedule, every, &beat, drop, &beats));

    uint64_t when = now() + PUNCTUAL_MILLISECOND;
    OK(punctual_timer_move(timer, when, when));
    RETURNS(PUNCTUAL_ERROR_INVALID, punctual_timer_move(timer, 2, 1));
    RETURNS(PUNCTUAL_TOO_LATE, punctual_timer_set_period(timer, PUNCTUAL_SECOND, 1));
    OK(punctual_timer_set_period(beats, PUNCTUAL_SECOND, 60));
    RETURNS(PUNCTUAL_ERROR_INVALID, punctual_timer_set_period(beats, 0, 60));
    OK(punctual_timer_cancel(never));
    CHECK(prevented.drops == 1);
    OK(punctual_timer_cancel(beats));
    RETURNS(PUNCTUAL_TOO_LATE, punctual_timer_cancel(never));
    until_idle(driver);
    OK(punctual_driver_free(driver));
    CHECK(moved.calls == 1 && moved.woke_ns >= when && moved.drops == 1);
    CHECK(prevented.calls == 0 && prevented.drops == 1);
    CHECK(beat.calls == 0 && beat.drops == 1);
    OK(punctual_timer_free(timer));
    OK(punctual_timer_free(beats));
    OK(punctual_timer_free(never));
}

static void what_waits_when_the_driver_stops_is_dropped(void) {
    punctual_driver *driver = started();
    struct seen seen = {0};
    OK(punctual_driver_once(driver, UINT64_MAX, UINT64_MAX, once, &seen, drop, NULL));
    OK(punctual_driver_free(driver));
    CHECK(seen.calls == 0 && seen.drops == 1);
}

static void use_the_driver(void *context, const punctual_firing *firing) {
    struct seen *seen = context;
    once(context, firing);
    OK(punctual_driver_after(seen->driver, 1000, 0, once, context, NULL, NULL));
    /* It does not wait for itself. */
    if (seen->enough == 1) {
        OK(punctual_driver_stop(seen->driver));
    }
}

static void a_callback_uses_its_driver_and_stops_it(void) {
    struct seen seen = {.driver = started()};
    OK(punctual_driver_after(seen.driver, 1000, 0, use_the_driver, &seen, NULL, NULL));
    until_idle(seen.driver);
    OK(punctual_driver_free(seen.driver));
    CHECK(seen.calls == 2);

    struct seen stopped = {.driver = started(), .enough = 1};
    OK(punctual_driver_after(stopped.driver, 1000, 0, use_the_driver, &stopped, drop, NULL));
    until_idle(stopped.driver);
    OK(punctual_driver_free(stopped.driver));
    CHECK(stopped.calls == 1 && stopped.drops == 1);
}

static void stop_and_linger(void *context, const punctual_firing *firing) {
    struct seen *seen = context;
    (void)firing;
    punctual_sleeper *sleeper = NULL;
    OK(punctual_driver_stop(seen->driver));
    OK(punctual_cancel_set(seen->stopped));
    OK(punctual_sleeper_new(NULL, &sleeper));
    OK(punctual_sleep_for(sleeper, 20 * PUNCTUAL_MILLISECOND, NULL, NULL));
    OK(punctual_sleeper_free(sleeper));
    seen->calls++;
}

static void a_driver_that_a_callback_stopped_is_still_waited_for(void) {
    struct seen seen = {.driver = started()};
    punctual_sleeper *sleeper = NULL;
    OK(punctual_cancel_new(&seen.stopped));
    OK(punctual_sleeper_new(NULL, &sleeper));
    OK(punctual_driver_after(seen.driver, 1000, 0, stop_and_linger, &seen, drop, NULL));
    RETURNS(PUNCTUAL_CANCELLED, punctual_sleep_until(sleeper, UINT64_MAX, seen.stopped, NULL));
    OK(punctual_driver_stop(seen.driver));
    CHECK(seen.calls == 1 && seen.drops == 1);
    OK(punctual_driver_free(seen.driver));
    OK(punctual_cancel_free(seen.stopped));
    OK(punctual_sleeper_free(sleeper));
}

static void a_context_is_freed_even_if_the_call_is_wrong(void) {
    struct seen seen = {0};
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_driver_once(NULL, 0, 0, once, &seen, drop, NULL));
    CHECK(seen.drops == 1);
    punctual_driver *driver = started();
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_driver_after(driver, 0, 0, NULL, &seen, drop, NULL));
    CHECK(seen.drops == 2);
    RETURNS(PUNCTUAL_ERROR_INVALID, punctual_driver_once(driver, 2, 1, once, &seen, drop, NULL));
    CHECK(seen.drops == 3);
    punctual_schedule schedule = {.size = sizeof schedule};
    RETURNS(PUNCTUAL_ERROR_INVALID, punctual_driver_every(driver, &schedule, every, &seen, drop, NULL));
    CHECK(seen.drops == 4 && seen.calls == 0);
    OK(punctual_driver_free(driver));
}

int main(void) {
    callbacks_come_in_their_window_and_free_their_context();
    a_repeating_callback_ends_itself();
    what_begins_now_is_not_late();
    a_timer_is_moved_and_cancelled();
    what_waits_when_the_driver_stops_is_dropped();
    a_callback_uses_its_driver_and_stops_it();
    a_driver_that_a_callback_stopped_is_still_waited_for();
    a_context_is_freed_even_if_the_call_is_wrong();
    return done("timers");
}
