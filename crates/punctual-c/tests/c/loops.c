/* Tickers and statistics. */
#include "check.h"

static punctual_ticker *ticker_of(punctual_schedule schedule) {
    punctual_ticker *ticker = NULL;
    OK(punctual_ticker_new(&schedule, NULL, &ticker));
    return ticker;
}

static void deadlines_do_not_drift(void) {
    punctual_schedule schedule = {.size = sizeof schedule};
    schedule.period_ns = 1001 * PUNCTUAL_SECOND;
    schedule.divisor = 1200000;
    schedule.start_ns = now() + PUNCTUAL_MILLISECOND;
    schedule.missed_ticks = PUNCTUAL_MISSED_BURST;
    punctual_ticker *ticker = ticker_of(schedule);
    punctual_tick tick = {.size = sizeof tick};
    for (uint64_t n = 0; n < 20; n++) {
        OK(punctual_ticker_next(ticker, &tick));
        CHECK(tick.index == n);
        CHECK(tick.missed == 0);
        CHECK(tick.deadline_ns == schedule.start_ns + n * schedule.period_ns / schedule.divisor);
        CHECK(tick.woke_ns >= tick.deadline_ns);
        CHECK((tick.interval_ns == 0) == (n == 0));
    }
    OK(punctual_ticker_next(ticker, NULL));
    OK(punctual_ticker_free(ticker));
}

static void a_ticker_changes_its_period_and_goes_on_after_a_pause(void) {
    punctual_schedule schedule = {.size = sizeof schedule, .period_ns = PUNCTUAL_MILLISECOND};
    punctual_ticker *ticker = ticker_of(schedule);
    punctual_tick tick = {.size = sizeof tick};
    OK(punctual_ticker_next(ticker, &tick));
    OK(punctual_ticker_set_period(ticker, PUNCTUAL_SECOND, 2000));
    OK(punctual_ticker_next(ticker, &tick));
    RETURNS(PUNCTUAL_ERROR_INVALID, punctual_ticker_set_period(ticker, 0, 1));
    int32_t phase = -1;
    OK(punctual_ticker_phase(ticker, &phase));
    CHECK(phase == PUNCTUAL_PHASE_AS_ASKED);
    RETURNS(PUNCTUAL_ERROR_NULL, punctual_ticker_phase(ticker, NULL));
    BLAMES("phase");
    OK(punctual_ticker_pause(ticker));
    uint64_t start = now() + PUNCTUAL_MILLISECOND;
    OK(punctual_ticker_restart(ticker, start));
    uint64_t index = tick.index;
    OK(punctual_ticker_next(ticker, &tick));
    // A machine that is busy misses some.
    CHECK(tick.deadline_ns == start + tick.missed * (PUNCTUAL_SECOND / 2000));
    CHECK(tick.index == index + 1 + tick.missed);
    index = tick.index;
    OK(punctual_ticker_restart(ticker, 0));
    OK(punctual_ticker_next(ticker, &tick));
    CHECK(tick.index == index + 1 + tick.missed);
    OK(punctual_ticker_free(ticker));
}

static void missed_ticks_are_skipped_or_come_at_once(void) {
    punctual_schedule schedule = {.size = sizeof schedule, .period_ns = PUNCTUAL_MILLISECOND};
    schedule.start_ns = now() - 10 * PUNCTUAL_MILLISECOND - PUNCTUAL_MILLISECOND / 2;
    punctual_tick tick = {.size = sizeof tick};

    punctual_ticker *ticker = ticker_of(schedule);
    OK(punctual_ticker_next(ticker, &tick));
    CHECK(tick.index >= 10 && tick.missed == tick.index);
    OK(punctual_ticker_free(ticker));

    schedule.missed_ticks = PUNCTUAL_MISSED_BURST_OF;
    schedule.burst = 3;
    ticker = ticker_of(schedule);
    OK(punctual_ticker_next(ticker, &tick));
    CHECK(tick.index >= 8 && tick.missed == tick.index);
    OK(punctual_ticker_free(ticker));

    schedule.missed_ticks = PUNCTUAL_MISSED_DELAY;
    ticker = ticker_of(schedule);
    OK(punctual_ticker_next(ticker, &tick));
    OK(punctual_ticker_free(ticker));
}

static void a_cancelled_ticker_has_no_tick(void) {
    punctual_schedule schedule = {.size = sizeof schedule, .period_ns = UINT64_MAX};
    punctual_ticker *ticker = ticker_of(schedule);
    punctual_cancel *cancel = NULL;
    OK(punctual_cancel_new(&cancel));
    OK(punctual_ticker_set_cancel(ticker, cancel));
    OK(punctual_cancel_set(cancel));
    punctual_tick tick = {.size = sizeof tick, .index = 7};
    RETURNS(PUNCTUAL_CANCELLED, punctual_ticker_next(ticker, &tick));
    CHECK(tick.index == 7);
    OK(punctual_cancel_reset(cancel));
    /* The ticker keeps what it needs. */
    OK(punctual_cancel_free(cancel));
    OK(punctual_ticker_next(ticker, &tick));
    CHECK(tick.index == 0);
    RETURNS(PUNCTUAL_END_OF_TIME, punctual_ticker_next(ticker, &tick));
    OK(punctual_ticker_free(ticker));
}

static void a_tick_comes_in_time_whatever_it_is_written_to(void) {
    punctual_schedule schedule = {.size = sizeof schedule, .period_ns = PUNCTUAL_MILLISECOND};
    punctual_ticker *ticker = ticker_of(schedule);
    punctual_tick tick = {.size = sizeof tick}, forgotten = {.size = 0};
    OK(punctual_ticker_next(ticker, &tick));
    uint64_t first = tick.deadline_ns, left = 7;
    for (int n = 1; n < 4; n++) {
        RETURNS(PUNCTUAL_ERROR_INVALID, punctual_ticker_next(ticker, &forgotten));
        BLAMES("tick");
        RETURNS(PUNCTUAL_ERROR_INVALID, punctual_ticker_next_or_signal(ticker, &forgotten, &left));
        CHECK(now() >= first + 2 * (uint64_t)n * PUNCTUAL_MILLISECOND);
    }
    CHECK(left == 7);
    OK(punctual_ticker_next_or_signal(ticker, &tick, &left));
    CHECK(tick.index >= 7 && tick.woke_ns >= tick.deadline_ns);
    OK(punctual_ticker_free(ticker));
}

static void refused(punctual_schedule schedule, const char *reason) {
    punctual_ticker *ticker = (punctual_ticker *)&schedule;
    RETURNS(PUNCTUAL_ERROR_INVALID, punctual_ticker_new(&schedule, NULL, &ticker));
    CHECK(ticker == NULL);
    CHECK(strstr(punctual_last_error(), reason) != NULL);
}

static void a_schedule_that_cannot_be_is_refused(void) {
    size_t size = sizeof(punctual_schedule);
    refused((punctual_schedule){.size = size}, "period_ns: ");
    refused((punctual_schedule){.size = size, .period_ns = 1, .tolerance_ns = 1},
            "schedule.tolerance_ns: ");
    refused((punctual_schedule){.size = size, .period_ns = 1, .missed_ticks = 9},
            "schedule.missed_ticks is 9");
    refused((punctual_schedule){.size = 8, .period_ns = 1}, "sizeof(punctual_schedule)");
}

static void statistics_count_what_they_are_given(void) {
    punctual_stats *stats = NULL;
    punctual_summary summary = {.size = sizeof summary, .count = 7};
    OK(punctual_stats_new(&stats));
    RETURNS(PUNCTUAL_NOTHING_YET, punctual_stats_last_second(stats, &summary));
    CHECK(summary.count == 7);
    for (uint64_t n = 0; n <= 1000; n++) {
        uint64_t deadline = PUNCTUAL_SECOND + n * PUNCTUAL_MILLISECOND;
        RETURNS(n == 1000 ? PUNCTUAL_SECOND_ENDED : PUNCTUAL_OK,
                punctual_stats_record(stats, deadline, deadline + 1000, n % 2));
    }
    OK(punctual_stats_last_second(stats, &summary));
    CHECK(summary.count == 1000 && summary.missed == 500);
    OK(punctual_stats_summary(stats, &summary));
    CHECK(summary.count == 1001 && summary.worst_ns == 1000);
    CHECK(summary.p50_ns > 900 && summary.p99_ns < 1100);
    CHECK(summary.mean_interval_ns == PUNCTUAL_MILLISECOND);
    CHECK(summary.rate_hertz > 999.9 && summary.rate_hertz < 1000.1);
    OK(punctual_stats_resume(stats));
    OK(punctual_stats_reset(stats));
    OK(punctual_stats_summary(stats, &summary));
    CHECK(summary.count == 0);
    OK(punctual_stats_free(stats));
}

int main(void) {
    deadlines_do_not_drift();
    a_ticker_changes_its_period_and_goes_on_after_a_pause();
    missed_ticks_are_skipped_or_come_at_once();
    a_cancelled_ticker_has_no_tick();
    a_tick_comes_in_time_whatever_it_is_written_to();
    a_schedule_that_cannot_be_is_refused();
    statistics_count_what_they_are_given();
    return done("loops");
}
