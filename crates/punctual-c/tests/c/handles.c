/* Null, handles of another kind, handles in use, and handles that were freed: errors, never a crash. */
#include "check.h"

static void null_is_an_error(void) {
    punctual_driver *driver = NULL;
    OK(punctual_driver_start(NULL, &driver));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_now(NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_sleeper_new(NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_sleeper_pause(NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_sleep_until(NULL, 0, NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_sleep_for(NULL, 0, NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_sleep_within(NULL, 0, 0, NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_sleep_until_or_signal(NULL, 0, NULL, NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_sleep_for_or_signal(NULL, 0, NULL, NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_cancel_new(NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_cancel_set(NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_cancel_reset(NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_cancel_check(NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_ticker_next(NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_ticker_next_or_signal(NULL, NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_ticker_set_cancel(NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_ticker_set_period(NULL, 1, 1));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_ticker_restart(NULL, 0));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_ticker_pause(NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_ticker_phase(NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_driver_start(NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_driver_stop(NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_driver_counters(NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_driver_counters(driver, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_driver_once(driver, 0, 0, NULL, NULL, NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_driver_after(driver, 0, 0, NULL, NULL, NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_driver_every(driver, NULL, NULL, NULL, NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_timer_cancel(NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_timer_move(NULL, 0, 0));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_timer_set_period(NULL, 1, 1));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_guard_priority(0, NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_stats_new(NULL));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_stats_record(NULL, 0, 0, 0));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_stats_summary(NULL, NULL));
    OK(punctual_driver_free(driver));
    punctual_ticker *ticker = (punctual_ticker *)&driver;
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_ticker_new(NULL, NULL, &ticker));
    CHECK(ticker == NULL);
}

static void an_error_names_the_parameter(void) {
    punctual_ticker *ticker = NULL;
    punctual_schedule schedule = {.size = sizeof schedule, .period_ns = PUNCTUAL_SECOND};
    punctual_guard *guard = NULL;
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_now(NULL));
    BLAMES("now_ns");
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_ticker_new(NULL, NULL, &ticker));
    BLAMES("schedule");
    OK(punctual_ticker_new(&schedule, NULL, &ticker));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_ticker_set_cancel(ticker, NULL));
    BLAMES("cancel");
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_ticker_set_cancel(ticker, (void *)ticker));
    BLAMES("cancel");
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_sleep_for((void *)ticker, 0, NULL, NULL));
    BLAMES("sleeper");
    RETURNS(PUNCTUAL_ERROR_INVALID, punctual_ticker_set_period(ticker, 0, 1));
    BLAMES("period_ns");
    RETURNS(PUNCTUAL_ERROR_INVALID, punctual_guard_priority(100, &guard));
    BLAMES("priority");
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_guard_pin(NULL, 1, &guard));
    BLAMES("processors");
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_guard_multimedia(NULL, &guard));
    BLAMES("task");
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_driver_once(NULL, 0, 0, NULL, NULL, NULL, NULL));
    BLAMES("driver");
    OK(punctual_ticker_free(ticker));
}

static void null_is_nothing_to_free(void) {
    OK(punctual_sleeper_free(NULL));
    OK(punctual_cancel_free(NULL));
    OK(punctual_ticker_free(NULL));
    OK(punctual_driver_free(NULL));
    OK(punctual_timer_free(NULL));
    OK(punctual_guard_free(NULL));
    OK(punctual_stats_free(NULL));
}

static void a_handle_of_another_kind_is_an_error(void) {
    punctual_sleeper *sleeper = NULL;
    OK(punctual_sleeper_new(NULL, &sleeper));
    void *other = sleeper;
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_cancel_set(other));
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_ticker_next(other, NULL));
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_driver_stop(other));
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_timer_cancel(other));
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_stats_reset(other));
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_cancel_free(other));
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_ticker_free(other));
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_driver_free(other));
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_timer_free(other));
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_guard_free(other));
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_stats_free(other));
    /* The address of the variable that holds it, and the middle of something. */
    uint64_t zeros[8] = {0};
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_sleep_for((punctual_sleeper *)zeros, 0, NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_sleep_for((void *)((char *)zeros + 1), 0, NULL, NULL));
    OK(punctual_sleep_for(sleeper, 0, NULL, NULL));
    OK(punctual_sleeper_free(sleeper));
}

struct busy {
    punctual_sleeper *sleeper;
    punctual_cancel *cancel;
};

static void use_what_is_in_use(void *context, const punctual_firing *firing) {
    struct busy *busy = context;
    (void)firing;
    RETURNS(PUNCTUAL_ERROR_BUSY, punctual_sleep_for(busy->sleeper, 1, NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_BUSY, punctual_sleeper_free(busy->sleeper));
    OK(punctual_cancel_set(busy->cancel));
}

static void a_handle_that_another_thread_uses_is_busy(void) {
    struct busy busy = {NULL, NULL};
    punctual_driver *driver = NULL;
    OK(punctual_driver_start(NULL, &driver));
    OK(punctual_cancel_new(&busy.cancel));
    OK(punctual_sleeper_new(NULL, &busy.sleeper));
    /* Long enough for this thread to be in its wait. If it is not, there is nothing to see. */
    OK(punctual_driver_after(driver, 200 * PUNCTUAL_MILLISECOND, 0, use_what_is_in_use, &busy, NULL,
                             NULL));
    RETURNS(PUNCTUAL_CANCELLED, punctual_sleep_until(busy.sleeper, UINT64_MAX, busy.cancel, NULL));
    OK(punctual_driver_free(driver));
    OK(punctual_sleeper_free(busy.sleeper));
    OK(punctual_cancel_free(busy.cancel));
}

/* Only builds with debug assertions can know. */
static void a_freed_handle_is_an_error(void) {
    punctual_sleeper *sleeper = NULL;
    punctual_stats *stats = NULL;
    punctual_cancel *cancel = NULL;
    OK(punctual_sleeper_new(NULL, &sleeper));
    OK(punctual_stats_new(&stats));
    OK(punctual_cancel_new(&cancel));
    OK(punctual_sleeper_free(sleeper));
    OK(punctual_stats_free(stats));
    OK(punctual_cancel_free(cancel));
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_sleeper_free(sleeper));
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_sleep_for(sleeper, 1, NULL, NULL));
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_stats_reset(stats));
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_cancel_set(cancel));
    RETURNS(PUNCTUAL_ERROR_HANDLE, punctual_cancel_free(cancel));
}

static void every_number_has_a_message(void) {
    const char *unknown = punctual_status_message(12345);
    CHECK(strlen(unknown) > 0);
    CHECK(punctual_status_message(INT32_MIN) == unknown);
    for (punctual_status status = PUNCTUAL_ERROR_PANIC; status <= PUNCTUAL_INTERRUPTED; status++) {
        CHECK(strcmp(punctual_status_message(status), unknown) != 0);
    }
    CHECK(strcmp(punctual_status_message(PUNCTUAL_ERROR_PANIC - 1), unknown) == 0);
    CHECK(strcmp(punctual_status_message(PUNCTUAL_INTERRUPTED + 1), unknown) == 0);
}

int main(int count, char **arguments) {
    CHECK(strcmp(punctual_last_error(), "") == 0);
    null_is_an_error();
    an_error_names_the_parameter();
    null_is_nothing_to_free();
    a_handle_of_another_kind_is_an_error();
    a_handle_that_another_thread_uses_is_busy();
    every_number_has_a_message();
    if (count > 1 && strcmp(arguments[1], "freed") == 0) {
        a_freed_handle_is_an_error();
    }
    return done("handles");
}
