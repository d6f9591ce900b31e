// The loop in C.
#include "border.h"

#include <punctual.h>
#include <stdlib.h>

struct border_c {
    // One of them.
    punctual_sleeper *sleeper;
    punctual_ticker *ticker;
};

border_c *border_c_new(int way, uint64_t margin_ns)
{
    border_c *loop = calloc(1, sizeof *loop);
    if (loop == NULL) {
        return NULL;
    }
    punctual_options options = {.size = sizeof options};
    punctual_schedule schedule = {.size = sizeof schedule, .period_ns = PUNCTUAL_SECOND};
    punctual_status made;
    if (way == BORDER_TICKER) {
        made = punctual_ticker_new(&schedule, &options, &loop->ticker);
    } else {
        if (way == BORDER_MARGIN) {
            options.mode = PUNCTUAL_FIXED_MARGIN;
            options.margin_ns = margin_ns;
        }
        made = punctual_sleeper_new(&options, &loop->sleeper);
    }
    if (made != PUNCTUAL_OK) {
        border_c_free(loop);
        return NULL;
    }
    return loop;
}

void border_c_free(border_c *loop)
{
    punctual_sleeper_free(loop->sleeper);
    punctual_ticker_free(loop->ticker);
    free(loop);
}

static uint32_t tick(punctual_ticker *ticker, uint64_t period_ns, uint32_t waits, uint64_t *lateness_ns)
{
    uint32_t done = 0;
    punctual_tick tick = {.size = sizeof tick};
    punctual_ticker_set_period(ticker, period_ns, 1);
    punctual_ticker_restart(ticker, border_now() + period_ns);
    for (uint32_t i = 0; i < waits; i += 1 + (uint32_t)tick.missed) {
        if (punctual_ticker_next(ticker, &tick) != PUNCTUAL_OK) {
            break;
        }
        lateness_ns[done++] = border_now() - tick.deadline_ns;
    }
    punctual_ticker_pause(ticker);
    return done;
}

static uint32_t sleep(punctual_sleeper *sleeper, uint64_t period_ns, uint32_t waits, uint64_t *lateness_ns)
{
    uint32_t done = 0;
    const uint64_t start = border_now();
    for (uint32_t i = 1; i <= waits; ++i) {
        const uint64_t deadline = start + i * period_ns;
        if (border_now() >= deadline) {
            continue;
        }
        punctual_sleep_until(sleeper, deadline, NULL, NULL);
        lateness_ns[done++] = border_now() - deadline;
    }
    punctual_sleeper_pause(sleeper);
    return done;
}

uint32_t border_c_wait(border_c *loop, uint64_t period_ns, uint32_t waits, uint64_t *lateness_ns)
{
    return loop->ticker != NULL ? tick(loop->ticker, period_ns, waits, lateness_ns)
                                : sleep(loop->sleeper, period_ns, waits, lateness_ns);
}
