/* Waits: never early, ended by a cancel, refused with a reason. */
#include "check.h"

static void never_early(const punctual_options *options) {
    punctual_sleeper *sleeper = NULL;
    OK(punctual_sleeper_new(options, &sleeper));
    for (uint64_t n = 0; n < 20; n++) {
        uint64_t begin = now();
        uint64_t deadline = begin + n * 100 * PUNCTUAL_MICROSECOND;
        punctual_wake wake = {.size = sizeof wake};
        OK(punctual_sleep_until(sleeper, deadline, NULL, &wake));
        CHECK(wake.size == sizeof wake);
        CHECK(wake.deadline_ns == deadline);
        CHECK(wake.woke_ns >= deadline);
        CHECK(wake.woke_ns >= begin + wake.slept_ns + wake.spun_ns);
        CHECK(now() >= deadline);
    }
    uint64_t begin = now();
    OK(punctual_sleep_for(sleeper, PUNCTUAL_MILLISECOND, NULL, NULL));
    CHECK(now() >= begin + PUNCTUAL_MILLISECOND);
    punctual_wake wake = {.size = sizeof wake};
    OK(punctual_sleep_within(sleeper, now(), now() + PUNCTUAL_MILLISECOND, NULL, &wake));
    CHECK(wake.woke_ns >= wake.deadline_ns);
    OK(punctual_sleeper_pause(sleeper));
    OK(punctual_sleeper_free(sleeper));
}

static void every_mode_is_never_early(void) {
    never_early(NULL);
    for (int32_t mode = PUNCTUAL_AIMING; mode <= PUNCTUAL_FIXED_MARGIN; mode++) {
        for (int32_t spin = PUNCTUAL_SPIN_PAUSE; spin <= PUNCTUAL_SPIN_YIELD; spin++) {
            punctual_options options = {.size = sizeof options, .mode = mode, .spin = spin};
            options.margin_ns = 50 * PUNCTUAL_MICROSECOND;
            options.slice = PUNCTUAL_SLICE_UNCHANGED;
            never_early(&options);
        }
    }
}

static void a_coarse_sleeper_never_spins(void) {
    punctual_options options = {.size = sizeof options, .mode = PUNCTUAL_COARSE};
    punctual_sleeper *sleeper = NULL;
    OK(punctual_sleeper_new(&options, &sleeper));
    punctual_wake wake = {.size = sizeof wake};
    OK(punctual_sleep_for(sleeper, PUNCTUAL_MILLISECOND, NULL, &wake));
    CHECK(wake.spun_ns == 0);
    OK(punctual_sleeper_free(sleeper));
}

static void cancel_it(void *cancel, const punctual_firing *firing) {
    (void)firing;
    OK(punctual_cancel_set(cancel));
}

static void a_cancel_ends_every_wait_until_it_is_reset(void) {
    punctual_sleeper *sleeper = NULL;
    punctual_cancel *cancel = NULL;
    punctual_driver *driver = NULL;
    OK(punctual_sleeper_new(NULL, &sleeper));
    OK(punctual_cancel_new(&cancel));
    OK(punctual_driver_start(NULL, &driver));
    punctual_wake wake = {.size = sizeof wake, .woke_ns = 7};

    RETURNS(PUNCTUAL_OK, punctual_cancel_check(cancel));
    OK(punctual_driver_after(driver, PUNCTUAL_MILLISECOND, 0, cancel_it, cancel, NULL, NULL));
    RETURNS(PUNCTUAL_CANCELLED, punctual_sleep_until(sleeper, UINT64_MAX, cancel, &wake));
    CHECK(wake.woke_ns == 7);
    RETURNS(PUNCTUAL_CANCELLED, punctual_cancel_check(cancel));
    RETURNS(PUNCTUAL_CANCELLED, punctual_sleep_for(sleeper, UINT64_MAX, cancel, &wake));
    RETURNS(PUNCTUAL_CANCELLED,
            punctual_sleep_within(sleeper, UINT64_MAX - 1, UINT64_MAX, cancel, &wake));
    /* What has come is not cancelled. */
    OK(punctual_sleep_until(sleeper, 0, cancel, &wake));

    OK(punctual_cancel_reset(cancel));
    RETURNS(PUNCTUAL_OK, punctual_cancel_check(cancel));
    OK(punctual_sleep_for(sleeper, PUNCTUAL_MILLISECOND, cancel, &wake));
    OK(punctual_sleep_within(sleeper, now() + 1000, now() + 1000000, cancel, &wake));
    CHECK(wake.woke_ns >= wake.deadline_ns);

    OK(punctual_driver_free(driver));
    OK(punctual_cancel_free(cancel));
    OK(punctual_sleeper_free(sleeper));
}

static void refused(punctual_options options, const char *reason) {
    punctual_sleeper *sleeper = (punctual_sleeper *)&options;
    RETURNS(PUNCTUAL_ERROR_INVALID, punctual_sleeper_new(&options, &sleeper));
    CHECK(sleeper == NULL);
    CHECK(strstr(punctual_last_error(), reason) != NULL);
}

static void the_process_has_a_budget(void) {
    punctual_wake wake = {.size = sizeof wake};
    punctual_sleeper *sleeper;
    OK(punctual_set_process_budget(0.0));
    OK(punctual_sleeper_new(NULL, &sleeper));
    OK(punctual_sleep_for(sleeper, 2000000, NULL, &wake));
    CHECK(wake.spun_ns == 0);
    OK(punctual_sleeper_free(sleeper));
    OK(punctual_set_process_budget(0.05));
    RETURNS(PUNCTUAL_ERROR_INVALID, punctual_set_process_budget(-0.05));
    RETURNS(PUNCTUAL_ERROR_INVALID, punctual_set_process_budget(1.5));
    BLAMES("share");
}

static void what_cannot_be_is_refused_with_a_reason(void) {
    size_t size = sizeof(punctual_options);
    refused((punctual_options){.size = 0}, "sizeof(punctual_options)");
    refused((punctual_options){.size = size - 1}, "sizeof(punctual_options)");
    refused((punctual_options){.size = size, .late_rate = 2.0}, "options.late_rate: ");
    refused((punctual_options){.size = size, .budget = -1.0}, "options.budget: ");
    refused((punctual_options){.size = size, .mode = 99}, "options.mode is 99");
    refused((punctual_options){.size = size, .spin = -1}, "options.spin is -1");
    refused((punctual_options){.size = size, .slice = 2}, "options.slice is 2");
    refused((punctual_options){.size = size, .reserved = 1}, "options.reserved: ");
    punctual_sleeper *sleeper = NULL;
    OK(punctual_sleeper_new(NULL, &sleeper));
    RETURNS(PUNCTUAL_ERROR_INVALID, punctual_sleep_within(sleeper, 2, 1, NULL, NULL));
    BLAMES("latest_ns");
    OK(punctual_sleeper_free(sleeper));
}

/* Else a loop would be a busy one. */
static void a_wait_takes_place_whatever_its_result_is_written_to(void) {
    punctual_sleeper *sleeper = NULL;
    punctual_cancel *cancel = NULL;
    OK(punctual_sleeper_new(NULL, &sleeper));
    OK(punctual_cancel_new(&cancel));
    punctual_wake wake = {.size = 1, .woke_ns = 7};
    uint64_t left = 7;
    for (int n = 0; n < 6; n++) {
        uint64_t end = now() + PUNCTUAL_MILLISECOND;
        switch (n) {
        case 0:
            RETURNS(PUNCTUAL_ERROR_INVALID, punctual_sleep_for(sleeper, PUNCTUAL_MILLISECOND, NULL, &wake));
            break;
        case 1:
            RETURNS(PUNCTUAL_ERROR_INVALID, punctual_sleep_until(sleeper, end, NULL, &wake));
            break;
        case 2:
            RETURNS(PUNCTUAL_ERROR_INVALID, punctual_sleep_within(sleeper, end, end, NULL, &wake));
            break;
        case 3:
            RETURNS(PUNCTUAL_ERROR_INVALID,
                    punctual_sleep_for_or_signal(sleeper, PUNCTUAL_MILLISECOND, NULL, &wake, &left));
            break;
        case 4:
            RETURNS(PUNCTUAL_ERROR_INVALID,
                    punctual_sleep_until_or_signal(sleeper, end, NULL, &wake, &left));
            break;
        default:
            RETURNS(PUNCTUAL_ERROR_NULL,
                    punctual_sleep_until(sleeper, end, cancel, (void *)((char *)&wake + 1)));
        }
        CHECK(now() >= end);
        BLAMES("wake");
    }
    CHECK(wake.woke_ns == 7 && left == 7);
    /* What came first is said first. */
    OK(punctual_cancel_set(cancel));
    RETURNS(PUNCTUAL_CANCELLED, punctual_sleep_for(sleeper, PUNCTUAL_SECOND, cancel, &wake));
    OK(punctual_cancel_free(cancel));
    OK(punctual_sleeper_free(sleeper));
}

static void one_call_waits_without_a_handle(void) {
    for (uint64_t n = 0; n < 3; n++) {
        uint64_t end = now() + n * 200 * PUNCTUAL_MICROSECOND;
        OK(punctual_delay(n * 200 * PUNCTUAL_MICROSECOND));
        CHECK(now() >= end);
    }
}

static void a_program_of_a_later_version_may_have_longer_structs(void) {
    struct {
        punctual_wake wake;
        uint64_t later;
    } longer = {.wake = {.size = sizeof longer}, .later = 7};
    punctual_sleeper *sleeper = NULL;
    OK(punctual_sleeper_new(NULL, &sleeper));
    OK(punctual_sleep_until(sleeper, 1, NULL, &longer.wake));
    CHECK(longer.wake.size == sizeof longer && longer.wake.deadline_ns == 1 && longer.later == 7);
    OK(punctual_sleeper_free(sleeper));
}

int main(void) {
    every_mode_is_never_early();
    a_coarse_sleeper_never_spins();
    a_cancel_ends_every_wait_until_it_is_reset();
    the_process_has_a_budget();
    what_cannot_be_is_refused_with_a_reason();
    a_wait_takes_place_whatever_its_result_is_written_to();
    one_call_waits_without_a_handle();
    a_program_of_a_later_version_may_have_longer_structs();
    return done("waits");
}
