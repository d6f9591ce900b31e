/* What the tests say and count. Each file beside this one is a program. */
#ifndef CHECK_H
#define CHECK_H

#include "punctual.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

/* That something is true. */
#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            failures++;                                                         \
        }                                                                       \
    } while (0)

/* That a call returns a status. */
#define RETURNS(wanted, call)                                                   \
    do {                                                                        \
        punctual_status found_ = (call);                                        \
        if (found_ != (wanted)) {                                               \
            fprintf(stderr, "%s:%d: %s returns %d (%s; %s), not %s\n", __FILE__, __LINE__, #call, \
                    (int)found_, punctual_status_message(found_), punctual_last_error(), #wanted); \
            failures++;                                                         \
        }                                                                       \
    } while (0)

#define OK(call) RETURNS(PUNCTUAL_OK, call)

/* That the last error names a parameter. */
#define BLAMES(parameter)                                                       \
    CHECK(strncmp(punctual_last_error(), parameter ": ", sizeof parameter ": " - 1) == 0)

/* The exit status of a test. */
static inline int done(const char *name) {
    printf("%s: %s\n", name, failures == 0 ? "ok" : "failed");
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static inline uint64_t now(void) {
    uint64_t now_ns = 0;
    OK(punctual_now(&now_ns));
    return now_ns;
}

#endif
