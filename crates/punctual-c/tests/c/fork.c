/* A fork of a process: it lacks the driver's thread, and nothing there waits for that. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

static void count(void *context) { ++*(int *)context; }

static void never(void *context, const punctual_firing *firing) {
    (void)context;
    (void)firing;
    abort();
}

/* What a child may do with the handles that it has inherited. */
static void in_the_child(punctual_driver *driver, punctual_sleeper *sleeper, punctual_timer *timer) {
    int dropped = 0;
    RETURNS(PUNCTUAL_SHUT_DOWN, punctual_driver_after(driver, 1, 0, never, &dropped, count, NULL));
    CHECK(dropped == 1);
    punctual_counters counters = {.size = sizeof counters};
    OK(punctual_driver_counters(driver, &counters));
    OK(punctual_sleep_for(sleeper, 1000, NULL, NULL));
    CHECK(punctual_timer_cancel(timer) >= 0);
    OK(punctual_timer_free(timer));
    OK(punctual_driver_stop(driver));
    OK(punctual_driver_free(driver));
    OK(punctual_sleeper_free(sleeper));
    /* A driver of its own runs. */
    OK(punctual_driver_start(NULL, &driver));
    OK(punctual_driver_free(driver));
}

int main(void) {
    punctual_driver *driver = NULL;
    punctual_sleeper *sleeper = NULL;
    punctual_timer *timer = NULL;
    OK(punctual_driver_start(NULL, &driver));
    OK(punctual_sleeper_new(NULL, &sleeper));
    OK(punctual_sleep_for(sleeper, 1000, NULL, NULL));
    OK(punctual_driver_once(driver, UINT64_MAX, UINT64_MAX, never, NULL, NULL, &timer));

    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        in_the_child(driver, sleeper, timer);
        fflush(stdout);
        _exit(failures != 0);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);

    OK(punctual_timer_cancel(timer));
    OK(punctual_timer_free(timer));
    OK(punctual_driver_free(driver));
    OK(punctual_sleeper_free(sleeper));
    return done("fork");
}
