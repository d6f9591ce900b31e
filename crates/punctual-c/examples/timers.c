/* Many timers on one thread: a beat that ends itself, a deadline that is cancelled, and one that moves.
 *
 *     cc examples/timers.c $(pkg-config --cflags --libs punctual) && ./a.out
 */
#include <inttypes.h>
#include <punctual.h>
#include <stdio.h>

static int beat(void *context, const punctual_tick *tick) {
    int *beats = context;
    printf("beat %" PRIu64 ", %" PRIu64 " ns late\n", tick->index, tick->woke_ns - tick->deadline_ns);
    return ++*beats == 5;
}

static void say(void *context, const punctual_firing *firing) {
    printf("%s, %" PRIu64 " ns after its window began\n", (const char *)context,
           firing->woke_ns - firing->earliest_ns);
}

static void cancel(void *context, const punctual_firing *firing) {
    (void)firing;
    punctual_cancel_set(context);
}

static punctual_status run(punctual_driver *driver, punctual_cancel *finished) {
    static int beats;
    punctual_timer *never = NULL, *moved = NULL;
    punctual_status status;

    /* 100 times a second, until the callback has had enough. */
    punctual_schedule hundred = {.size = sizeof hundred, .period_ns = PUNCTUAL_SECOND, .divisor = 100};
    if ((status = punctual_driver_every(driver, &hundred, beat, &beats, NULL, NULL)) < 0) {
        return status;
    }
    /* Once, up to 5 ms later if that saves a wake-up. */
    if ((status = punctual_driver_after(driver, 20 * PUNCTUAL_MILLISECOND, 5 * PUNCTUAL_MILLISECOND, say,
                                        "housekeeping", NULL, NULL)) < 0) {
        return status;
    }
    if ((status = punctual_driver_after(driver, 30 * PUNCTUAL_MILLISECOND, 0, say, "never", NULL,
                                        &never)) < 0) {
        return status;
    }
    printf("the second timer is cancelled: %s\n", punctual_status_message(punctual_timer_cancel(never)));
    punctual_timer_free(never);

    /* Far away, and then nearer. */
    if ((status = punctual_driver_once(driver, UINT64_MAX, UINT64_MAX, say, "moved", NULL, &moved)) < 0) {
        return status;
    }
    uint64_t now_ns = 0;
    punctual_now(&now_ns);
    now_ns += 40 * PUNCTUAL_MILLISECOND;
    punctual_timer_move(moved, now_ns, now_ns);
    punctual_timer_free(moved);

    /* The driver's thread ends this thread's wait. */
    return punctual_driver_after(driver, 60 * PUNCTUAL_MILLISECOND, 0, cancel, finished, NULL, NULL);
}

int main(void) {
    punctual_driver *driver = NULL;
    punctual_cancel *finished = NULL;
    punctual_sleeper *sleeper = NULL;
    punctual_counters counters = {.size = sizeof counters};
    punctual_status status;
    if ((status = punctual_driver_start(NULL, &driver)) < 0 ||
        (status = punctual_cancel_new(&finished)) < 0 ||
        (status = punctual_sleeper_new(NULL, &sleeper)) < 0 || (status = run(driver, finished)) < 0) {
        fprintf(stderr, "%s\n", punctual_last_error());
    } else {
        punctual_sleep_until(sleeper, UINT64_MAX, finished, NULL);
        punctual_driver_counters(driver, &counters);
        printf("%" PRIu64 " calls, %" PRIu64 " of them late, with %" PRIu64 " wake-ups\n", counters.fired,
               counters.late, counters.wakeups);
    }
    punctual_driver_free(driver);
    punctual_cancel_free(finished);
    punctual_sleeper_free(sleeper);
    return status < 0;
}
