/* Guards: the system may refuse them, and then says why. */
#include "check.h"

struct attempt {
    punctual_guard *guard;
    punctual_status status;
};

/* What was made is freed; what was refused has a reason. */
static void made_or_refused(const char *name, punctual_status status, punctual_guard *guard) {
    if (status == PUNCTUAL_OK) {
        CHECK(guard != NULL);
        OK(punctual_guard_free(guard));
        return;
    }
    CHECK(guard == NULL);
    CHECK(status == PUNCTUAL_ERROR_NOT_PERMITTED || status == PUNCTUAL_ERROR_UNSUPPORTED ||
          status == PUNCTUAL_ERROR_SYSTEM);
    CHECK(strlen(punctual_last_error()) > 0);
    printf("skipped: %s: %s\n", name, punctual_last_error());
}

static void free_it(void *context, const punctual_firing *firing) {
    struct attempt *attempt = context;
    (void)firing;
    attempt->status = punctual_guard_free(attempt->guard);
}

static void only_its_thread_frees_a_guard(void) {
    struct attempt attempt = {NULL, PUNCTUAL_OK};
    uint32_t first = 0;
    punctual_status status = punctual_guard_pin(&first, 1, &attempt.guard);
    if (status != PUNCTUAL_OK) {
        made_or_refused("pin", status, attempt.guard);
        return;
    }
    punctual_driver *driver = NULL;
    OK(punctual_driver_start(NULL, &driver));
    OK(punctual_driver_once(driver, 0, 0, free_it, &attempt, NULL, NULL));
    punctual_counters counters = {.size = sizeof counters};
    do {
        OK(punctual_driver_counters(driver, &counters));
    } while (counters.waiting > 0);
    OK(punctual_driver_free(driver));
    CHECK(attempt.status == PUNCTUAL_ERROR_THREAD);
    OK(punctual_guard_free(attempt.guard));
}

static void what_cannot_be_is_refused(void) {
    punctual_guard *guard = NULL;
    uint32_t none = 4000000000u;
    RETURNS(PUNCTUAL_ERROR_INVALID, punctual_guard_priority(-2, &guard));
    RETURNS(PUNCTUAL_ERROR_INVALID, punctual_guard_priority(1000, &guard));
    CHECK(punctual_guard_pin(&none, 1, &guard) < 0 && guard == NULL);
    RETURNS(PUNCTUAL_ERROR_INVALID, punctual_guard_pin(NULL, 0, &guard));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_guard_pin(NULL, 1, &guard));
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_guard_multimedia(NULL, &guard));
    RETURNS(PUNCTUAL_ERROR_INVALID, punctual_guard_multimedia("\xff", &guard));
    CHECK(punctual_guard_slice(0, &guard) < 0 && guard == NULL);
}

int main(void) {
    punctual_guard *guard = NULL;
    punctual_status status = punctual_guard_priority(PUNCTUAL_PRIORITY_HIGH, &guard);
    made_or_refused("high priority", status, guard);
    status = punctual_guard_priority(PUNCTUAL_PRIORITY_REALTIME, &guard);
    made_or_refused("real-time priority", status, guard);
    status = punctual_guard_slice(PUNCTUAL_MILLISECOND, &guard);
    made_or_refused("slice", status, guard);
    status = punctual_guard_memory(&guard);
    made_or_refused("memory", status, guard);
    status = punctual_guard_multimedia("Games", &guard);
    made_or_refused("multimedia", status, guard);
    only_its_thread_frees_a_guard();
    what_cannot_be_is_refused();
    return done("guards");
}
