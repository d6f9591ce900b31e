/* Signals: which waits they end, and which go on. Windows has none. */
#define _GNU_SOURCE
#include "check.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>

/* Every wait is ended by one of many signals, so that none has to come in time. */
#define EVERY_MICROSECONDS 2000
#define LONG (60 * PUNCTUAL_SECOND)

static volatile sig_atomic_t signals;
static punctual_cancel *stop;

static void count_one(int signal) {
    (void)signal;
    signals++;
}

static void cancel_all(int signal) {
    (void)signal;
    punctual_cancel_set(stop);
}

static void alarm_every(long microseconds) {
    struct itimerval every = {{0, microseconds}, {0, microseconds}};
    CHECK(setitimer(ITIMER_REAL, &every, NULL) == 0);
}

/* Handles the alarms so, and lets them come. */
static void under_alarms(void (*handler)(int), int flags) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    alarm_every(EVERY_MICROSECONDS);
}

static void a_signal_ends_the_waits_that_ask_for_it(int flags) {
    punctual_sleeper *sleeper = NULL;
    punctual_ticker *ticker = NULL;
    punctual_schedule schedule = {.size = sizeof schedule, .period_ns = LONG};
    OK(punctual_sleeper_new(NULL, &sleeper));
    OK(punctual_ticker_new(&schedule, NULL, &ticker));
    under_alarms(count_one, flags);

    punctual_wake wake = {.size = sizeof wake, .woke_ns = 7};
    uint64_t left = 0;
    RETURNS(PUNCTUAL_INTERRUPTED, punctual_sleep_for_or_signal(sleeper, LONG, NULL, &wake, &left));
    CHECK(left > 0 && left < LONG);
    CHECK(signals > 0);
    CHECK(wake.woke_ns == 7);
    uint64_t deadline = now() + LONG;
    left = 0;
    RETURNS(PUNCTUAL_INTERRUPTED, punctual_sleep_until_or_signal(sleeper, deadline, NULL, NULL, &left));
    CHECK(left > 0 && left < LONG);
    RETURNS(PUNCTUAL_INTERRUPTED, punctual_sleep_until_or_signal(sleeper, deadline, NULL, NULL, NULL));
    /* A result that has no place changes nothing about that. */
    wake.size = 0;
    RETURNS(PUNCTUAL_INTERRUPTED, punctual_sleep_for_or_signal(sleeper, LONG, NULL, &wake, NULL));

    punctual_tick tick = {.size = sizeof tick, .index = 7};
    OK(punctual_ticker_restart(ticker, deadline));
    left = 0;
    RETURNS(PUNCTUAL_INTERRUPTED, punctual_ticker_next_or_signal(ticker, &tick, &left));
    CHECK(left > 0 && left < LONG);
    CHECK(tick.index == 7);
    /* It is still to come. */
    alarm_every(0);
    OK(punctual_ticker_restart(ticker, 0));
    OK(punctual_ticker_next_or_signal(ticker, &tick, &left));
    CHECK(tick.index == 0);

    OK(punctual_ticker_free(ticker));
    OK(punctual_sleeper_free(sleeper));
}

/* As a program goes on that has handled a signal. */
static void what_was_left_is_the_rest(int flags) {
    punctual_sleeper *sleeper = NULL;
    OK(punctual_sleeper_new(NULL, &sleeper));
    under_alarms(count_one, flags);
    uint64_t left = 20 * PUNCTUAL_MILLISECOND, end = now() + left;
    punctual_status status;
    while ((status = punctual_sleep_for_or_signal(sleeper, left, NULL, NULL, &left)) ==
           PUNCTUAL_INTERRUPTED) {
    }
    OK(status);
    CHECK(now() >= end);
    OK(punctual_sleeper_free(sleeper));
}

static void all_others_go_on(int flags) {
    punctual_sleeper *sleeper = NULL;
    punctual_ticker *ticker = NULL;
    punctual_schedule schedule = {.size = sizeof schedule, .period_ns = 10 * PUNCTUAL_MILLISECOND};
    OK(punctual_sleeper_new(NULL, &sleeper));
    OK(punctual_ticker_new(&schedule, NULL, &ticker));
    under_alarms(count_one, flags);
    uint64_t end = now() + 10 * PUNCTUAL_MILLISECOND;
    OK(punctual_sleep_until(sleeper, end, NULL, NULL));
    CHECK(now() >= end);
    end = now() + 10 * PUNCTUAL_MILLISECOND;
    OK(punctual_sleep_for(sleeper, 10 * PUNCTUAL_MILLISECOND, NULL, NULL));
    CHECK(now() >= end);
    end = now() + 10 * PUNCTUAL_MILLISECOND;
    OK(punctual_sleep_within(sleeper, end, end + PUNCTUAL_MILLISECOND, NULL, NULL));
    CHECK(now() >= end);
    end = now() + 10 * PUNCTUAL_MILLISECOND;
    OK(punctual_delay(10 * PUNCTUAL_MILLISECOND));
    CHECK(now() >= end);
    punctual_tick tick = {.size = sizeof tick};
    for (int n = 0; n < 3; n++) {
        OK(punctual_ticker_next(ticker, &tick));
        CHECK(tick.woke_ns >= tick.deadline_ns);
    }
    OK(punctual_ticker_free(ticker));
    OK(punctual_sleeper_free(sleeper));
}

/* The handler may end any wait, and is not missed. */
static void a_handler_that_cancels_ends_all_of_them(int flags) {
    punctual_sleeper *sleeper = NULL;
    OK(punctual_sleeper_new(NULL, &sleeper));
    OK(punctual_cancel_new(&stop));
    uint64_t left = 7;
    under_alarms(cancel_all, flags);
    RETURNS(PUNCTUAL_CANCELLED, punctual_sleep_for(sleeper, LONG, stop, NULL));
    RETURNS(PUNCTUAL_CANCELLED, punctual_sleep_for_or_signal(sleeper, LONG, stop, NULL, &left));
    CHECK(left == 7);
    alarm_every(0);
    OK(punctual_cancel_free(stop));
    OK(punctual_sleeper_free(sleeper));
}

int main(void) {
    /* `signal` installs its handlers with SA_RESTART. */
    int flags[] = {0, SA_RESTART};
    for (size_t n = 0; n < sizeof flags / sizeof flags[0]; n++) {
        a_signal_ends_the_waits_that_ask_for_it(flags[n]);
        what_was_left_is_the_rest(flags[n]);
        all_others_go_on(flags[n]);
        a_handler_that_cancels_ends_all_of_them(flags[n]);
    }
    return done("signals");
}
