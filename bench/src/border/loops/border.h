// The loops of other languages, as the benchmark calls them.
#ifndef BORDER_H
#define BORDER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Reads the clock: the same code for every language, because what is compared is the way back to the caller
// and not each language's own way to the clock.
uint64_t border_now(void);

// The numbers of the ways, in the order of way.rs.
enum { BORDER_SLEEPER, BORDER_MARGIN, BORDER_TICKER };

// A sleeper or ticker that keeps what it learns from block to block. NULL: it could not be made.
typedef struct border_c border_c;
border_c *border_c_new(int way, uint64_t margin_ns);
void border_c_free(border_c *loop);

// Waits for so many deadlines, so far apart, and skips those that have passed. Writes how late the caller
// had the processor again, in nanoseconds, and returns for how many deadlines it waited.
uint32_t border_c_wait(border_c *loop, uint64_t period_ns, uint32_t waits, uint64_t *lateness_ns);

// The same in C++.
typedef struct border_cpp border_cpp;
border_cpp *border_cpp_new(int way, uint64_t margin_ns);
void border_cpp_free(border_cpp *loop);
uint32_t border_cpp_wait(border_cpp *loop, uint64_t period_ns, uint32_t waits, uint64_t *lateness_ns);

#ifdef __cplusplus
}
#endif

#endif
