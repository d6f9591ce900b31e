/* A loop that runs 60 times a second for two seconds, or until Ctrl-C, and says how late it was.
 *
 *     cc examples/loop.c $(pkg-config --cflags --libs punctual) && ./a.out
 */
#include <inttypes.h>
#include <punctual.h>
#include <signal.h>
#include <stdio.h>

static punctual_cancel *stop;

/* Linux permits this in a signal handler. On Windows, Ctrl-C is a thread of its own. */
static void on_interrupt(int signal) {
    (void)signal;
    punctual_cancel_set(stop);
}

static void show(const punctual_summary *summary) {
    printf("%.1f Hz, late %" PRIu64 " ns (p50), %" PRIu64 " ns (p99), %" PRIu64 " ns (worst), %" PRIu64
           " missed\n",
           summary->rate_hertz, summary->p50_ns, summary->p99_ns, summary->worst_ns, summary->missed);
}

/* Ticks until it is stopped or has had enough. Returns the status of the last tick. */
static punctual_status run(punctual_ticker *ticker, punctual_stats *stats) {
    punctual_tick tick = {.size = sizeof tick};
    punctual_summary summary = {.size = sizeof summary};
    punctual_status status = PUNCTUAL_OK;
    while (tick.index < 120 && (status = punctual_ticker_next(ticker, &tick)) == PUNCTUAL_OK) {
        /* Here a game would draw its frame. */
        if (punctual_stats_record(stats, tick.deadline_ns, tick.woke_ns, tick.missed) ==
            PUNCTUAL_SECOND_ENDED) {
            punctual_stats_last_second(stats, &summary);
            show(&summary);
        }
    }
    punctual_stats_summary(stats, &summary);
    printf("%s after %" PRIu64 " ticks: ", status == PUNCTUAL_CANCELLED ? "stopped" : "done",
           summary.count);
    show(&summary);
    return status;
}

int main(void) {
    /* 1/60 s, and not 16,666,666 ns. */
    punctual_schedule frames = {.size = sizeof frames, .period_ns = PUNCTUAL_SECOND, .divisor = 60};
    punctual_options options = {.size = sizeof options, .late_rate = 0.001, .budget = 0.1};
    punctual_ticker *ticker = NULL;
    punctual_stats *stats = NULL;
    punctual_guard *priority = NULL;

    if (punctual_guard_priority(PUNCTUAL_PRIORITY_HIGH, &priority) < 0) {
        printf("going on without a high priority: %s\n", punctual_last_error());
    }
    punctual_status status;
    if ((status = punctual_cancel_new(&stop)) < 0 || (status = punctual_stats_new(&stats)) < 0 ||
        (status = punctual_ticker_new(&frames, &options, &ticker)) < 0 ||
        (status = punctual_ticker_set_cancel(ticker, stop)) < 0) {
        fprintf(stderr, "%s\n", punctual_last_error());
    } else {
        signal(SIGINT, on_interrupt);
        status = run(ticker, stats);
        signal(SIGINT, SIG_DFL);
    }
    /* Null is nothing to free. */
    punctual_ticker_free(ticker);
    punctual_stats_free(stats);
    punctual_cancel_free(stop);
    punctual_guard_free(priority);
    return status < 0;
}
