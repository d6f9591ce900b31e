// Punctual: timed waiting that can be trusted.
//
// Made by cbindgen from the Rust code beside it. Change that, and run `.ci/c-header --bless`.
//
// A loop that does not drift, to copy. `share/doc/punctual/examples` has longer ones.
//
//     #include <punctual.h>
//     #include <stdio.h>
//
//     int main(void) {
//         punctual_schedule frames = {.size = sizeof frames, .period_ns = PUNCTUAL_SECOND, .divisor = 60};
//         punctual_ticker *ticker = NULL;
//         if (punctual_ticker_new(&frames, NULL, &ticker) < 0) {
//             fprintf(stderr, "%s\n", punctual_last_error());
//             return 1;
//         }
//         punctual_tick tick = {.size = sizeof tick};
//         while (punctual_ticker_next(ticker, &tick) == PUNCTUAL_OK && tick.index < 60) {
//             printf("frame %d, %d ns late\n", (int)tick.index, (int)(tick.woke_ns - tick.deadline_ns));
//         }
//         punctual_ticker_free(ticker);
//     }
//
// One wait without a handle: `punctual_delay(500 * PUNCTUAL_MICROSECOND)`.
//
// Status. Every function returns a `punctual_status`, except the two that return text. Zero is
// success. A positive number is an outcome that a program expects, such as `PUNCTUAL_CANCELLED`. A
// negative number is an error: `punctual_status_message` says what the number means, and
// `punctual_last_error` what was wrong this time, with the name of the parameter. The call had no
// effect, except that a wait takes place whatever is wrong with the struct for its result, so that no
// loop becomes a busy one. Compilers warn if a program ignores a status that `PUNCTUAL_MUST_USE` stands before: that of
// what makes a handle or adds a callback, and of waits that can end without what was waited for.
//
// Signals. A wait goes on after a signal, as `SDL_DelayPrecise` and the sleeps of C++ do, and is never
// early. That is the rule because most programs look at no result of a sleep, and a profiler's signal
// is not to shorten it. The functions that end in `_or_signal` end then, as `nanosleep` does: they
// return `PUNCTUAL_INTERRUPTED`, and what was left. The handler has run first, on the waiting thread,
// and it does not matter whether it was installed with `SA_RESTART`, as `signal` does.
//
//     while (!stop && punctual_sleep_for_or_signal(sleeper, left_ns, NULL, NULL, &left_ns) ==
//                         PUNCTUAL_INTERRUPTED) {
//     }
//
// As with `nanosleep`, a signal between the look at `stop` and the beginning of the system's wait ends
// nothing. Nor does one that comes in the last margin before the deadline: it is seen at most that
// margin later. To miss none, let the handler call `punctual_cancel_set`, which Linux permits. That ends every kind of wait.
//
// Signals end waits on Linux and, by its documentation, on macOS. Windows has none: Ctrl-C is a thread
// of its own there, which can call `punctual_cancel_set`, and waits are not alertable, so that no APC
// ends one. Where Punctual waits with Rust's standard library, they go on.
//
// Time. Instants and durations are nanoseconds in a `uint64_t`. Instants are on the clock of
// `punctual_now`. `UINT64_MAX` is the end of time.
//
// Structs begin with their size, which the caller sets, so that later versions can add fields at the
// end. Set all other fields of those that you pass to zero, or to what you want:
//
//     punctual_wake wake = {.size = sizeof wake};
//
// Handles are pointers to things that only Punctual can look into. A function that makes one writes it
// to its last argument, or null if it returns an error. Its `_free` function frees it, and takes null.
// Handles are checked at every use: null, a handle of another kind, and a handle that another thread
// is using are errors. Like any pointer, a handle must not be used after it was freed. Builds with
// debug assertions check that too: they never reuse the memory of a handle.
//
// Threads. The comment of each type says which threads may use it. Nothing here waits for another
// thread, except the waits themselves and the end of a driver. In a fork of the process, only make new
// handles, and free the old ones.
//
// Nothing unwinds out of these functions, and nothing may unwind into them: callbacks that are written
// in C++ must not throw.

#ifndef PUNCTUAL_H
#define PUNCTUAL_H

#include <stddef.h>
#include <stdint.h>

// Durations, in nanoseconds: `20 * PUNCTUAL_MILLISECOND`.
#define PUNCTUAL_MICROSECOND UINT64_C(1000)
#define PUNCTUAL_MILLISECOND UINT64_C(1000000)
#define PUNCTUAL_SECOND UINT64_C(1000000000)

// Before functions whose status says whether there is what the program goes on with.
#if defined(__cplusplus) && __cplusplus >= 201703L
#define PUNCTUAL_MUST_USE [[nodiscard]]
#elif defined(__GNUC__)
#define PUNCTUAL_MUST_USE __attribute__((warn_unused_result))
#elif defined(_MSC_VER)
#include <sal.h>
#define PUNCTUAL_MUST_USE _Check_return_
#else
#define PUNCTUAL_MUST_USE
#endif

// `punctual_options.mode`: at most `late_rate` of the waits end late, as far as `budget` allows.
#define PUNCTUAL_AIMING 0

// `punctual_options.mode`: never spins, so that waits end as late as the system ends them.
#define PUNCTUAL_COARSE 1

// `punctual_options.mode`: spins for as long as precision needs, without a budget.
#define PUNCTUAL_EXACT 2

// `punctual_options.mode`: is woken `margin_ns` before each deadline, and spins for the rest.
#define PUNCTUAL_FIXED_MARGIN 3

// `punctual_options.spin`: pauses for some cycles between two readings of the clock.
#define PUNCTUAL_SPIN_PAUSE 0

// `punctual_options.spin`: lets other threads run between two readings of the clock.
#define PUNCTUAL_SPIN_YIELD 1

// `punctual_options.slice`: a waiting thread gets a short slice, where threads have one (Linux
// 6.12 and later), so that its turn comes sooner on a busy machine.
#define PUNCTUAL_SLICE_SHORT 0

// `punctual_options.slice`: leaves the thread's slice alone.
#define PUNCTUAL_SLICE_UNCHANGED 1

// `punctual_schedule.missed_ticks`: a late loop gets the last tick that passed.
#define PUNCTUAL_MISSED_SKIP 0

// `punctual_schedule.missed_ticks`: a late loop gets every tick that passed, at once.
#define PUNCTUAL_MISSED_BURST 1

// `punctual_schedule.missed_ticks`: a late loop gets the last `burst` ticks that passed, at once.
#define PUNCTUAL_MISSED_BURST_OF 2

// `punctual_schedule.missed_ticks`: a late loop gets one tick, from which the schedule starts
// again.
#define PUNCTUAL_MISSED_DELAY 3

// `punctual_ticker_phase`: the deadlines lie where the ticker was told to start, or asked for its first tick.
#define PUNCTUAL_PHASE_AS_ASKED 0

// `punctual_ticker_phase`: they lie just after the interrupts that end waits, on a Windows without high-resolution
// timers.
#define PUNCTUAL_PHASE_WITH_INTERRUPTS 1

// `punctual_ticker_phase`: they keep away from the ticks of the Linux kernel, which would make them late on a busy
// machine.
#define PUNCTUAL_PHASE_OFF_TICKS 2

// `punctual_guard_priority`: before the other threads of the system that have no special priority.
#define PUNCTUAL_PRIORITY_HIGH -1

// `punctual_guard_priority`: the real-time class at its usual priority.
#define PUNCTUAL_PRIORITY_REALTIME 0

// Ends every wait that uses it, and every later one, until it is reset.
//
// Threads: any number of threads may use it at once. Free it when no call that was given it is
// under way. A ticker that it was set in keeps what it needs.
typedef struct punctual_cancel punctual_cancel;

// Serves many timers on one thread of its own, which wakes close to the fewest possible times for
// their windows.
//
// Threads: any number of threads may use it at once, and so may its callbacks. Free it when no
// call that was given it is under way; its timers may outlive it. In a fork of the process the
// driver does not run.
typedef struct punctual_driver punctual_driver;

// Changes something for a thread, and changes it back when it is freed.
//
// Threads: the thread that made it frees it, in the reverse order of making. Another thread gets
// `PUNCTUAL_ERROR_THREAD`. A guard of memory belongs to the process, and any thread may free it.
typedef struct punctual_guard punctual_guard;

// Sleeps until a deadline: never shorter, and only as much longer as its options allow.
//
// It asks the system to be woken a margin before the deadline and spins for the rest. It learns
// the margin from the wake-ups of its own thread. So give each thread a sleeper of its own, and
// keep it for as long as the thread waits.
//
// Threads: one at a time. It may move to another thread between two waits. A second thread that
// uses it meanwhile gets `PUNCTUAL_ERROR_BUSY`.
typedef struct punctual_sleeper punctual_sleeper;

// Counts how late the ticks of a loop come, and at which rate: over all time, and second by
// second.
//
// Threads: one at a time, as for a sleeper.
typedef struct punctual_stats punctual_stats;

// Wakes a thread once per period, on a schedule that does not drift. The first tick is the start
// itself.
//
// Threads: one at a time, as for a sleeper.
typedef struct punctual_ticker punctual_ticker;

// One callback of a driver, to cancel or to move it.
//
// Threads: any number of threads may use it at once, and so may callbacks. It may outlive its
// driver. Freeing it changes nothing about the callback.
typedef struct punctual_timer punctual_timer;

// What a function returns. Zero is success, positive numbers are outcomes that a program expects,
// and negative numbers are errors. Later versions may return others, so test for errors with `<
// 0`.
typedef int32_t punctual_status;

// How to wait. A null pointer to it means the defaults, and so does zero in any field but `size`:
//
//     punctual_options options = {.size = sizeof options, .budget = 0.2};
typedef struct {
    // `sizeof(punctual_options)`.
    size_t size;
    // The share of waits that may end late, from 0.0001 to 0.25. Default: 0.01.
    double late_rate;
    // The share of a processor that this sleeper may spin, up to 1. Default: it shares the budget of the
    // process with the others, 0.05 in all. To spin never, use `PUNCTUAL_COARSE`.
    double budget;
    // The margin of `PUNCTUAL_FIXED_MARGIN`, in nanoseconds.
    uint64_t margin_ns;
    // `PUNCTUAL_AIMING`, `PUNCTUAL_COARSE`, `PUNCTUAL_EXACT` or `PUNCTUAL_FIXED_MARGIN`.
    int32_t mode;
    // `PUNCTUAL_SPIN_PAUSE` or `PUNCTUAL_SPIN_YIELD`.
    int32_t spin;
    // `PUNCTUAL_SLICE_SHORT` or `PUNCTUAL_SLICE_UNCHANGED`.
    int32_t slice;
    // Zero.
    int32_t reserved;
} punctual_options;

// How a wait went.
typedef struct {
    // `sizeof(punctual_wake)`, set by the caller.
    size_t size;
    // The instant at which the wait should have ended; for a window, its beginning.
    uint64_t deadline_ns;
    // The reading of the clock that ended the wait. It is never before the deadline.
    uint64_t woke_ns;
    // The time in the system's wait.
    uint64_t slept_ns;
    // The time spent spinning.
    uint64_t spun_ns;
} punctual_wake;

// When to tick. The period is a fraction, so that it is exact: `period_ns / divisor` nanoseconds.
//
//     punctual_schedule frames = {.size = sizeof frames, .period_ns = PUNCTUAL_SECOND, .divisor = 60};
//     punctual_schedule video = {.size = sizeof video, .period_ns = 1001 * PUNCTUAL_SECOND, .divisor = 30000};
typedef struct {
    // `sizeof(punctual_schedule)`.
    size_t size;
    // The period's numerator, in nanoseconds. Not zero.
    uint64_t period_ns;
    // The period's denominator. Zero means 1.
    uint64_t divisor;
    // The instant of the first tick. Zero means now: for a ticker, when its first tick is asked
    // for.
    uint64_t start_ns;
    // How much later than its deadline a tick may come, so that it shares a wake-up with others.
    // Only for `punctual_driver_every`; zero for a ticker.
    uint64_t tolerance_ns;
    // `PUNCTUAL_MISSED_SKIP`, `PUNCTUAL_MISSED_BURST`, `PUNCTUAL_MISSED_BURST_OF` or
    // `PUNCTUAL_MISSED_DELAY`.
    int32_t missed_ticks;
    // The number of ticks of `PUNCTUAL_MISSED_BURST_OF`.
    uint32_t burst;
} punctual_schedule;

// One tick of a schedule.
typedef struct {
    // `sizeof(punctual_tick)`, set by the caller; in a callback, by Punctual.
    size_t size;
    // The number of the tick. Missed ticks have numbers too.
    uint64_t index;
    // The instant at which it should have come.
    uint64_t deadline_ns;
    // The reading of the clock at which it came. It is never before the deadline.
    uint64_t woke_ns;
    // The time since the tick before, zero for the first.
    uint64_t interval_ns;
    // How many periods before this one passed without a tick.
    uint64_t missed;
} punctual_tick;

// When a callback was called.
typedef struct {
    // `sizeof(punctual_firing)`, set by Punctual.
    size_t size;
    // The beginning of its window.
    uint64_t earliest_ns;
    // The end of its window.
    uint64_t latest_ns;
    // The reading of the clock at which it came. It is never before the beginning.
    uint64_t woke_ns;
} punctual_firing;

// A callback that is called once, on the driver's thread, with the context it was given. The
// struct is valid during the call. It must not unwind: no C++ exception may leave it.
typedef void (*punctual_once_fn)(void *context, const punctual_firing *firing);

// Frees the context of a callback: called exactly once, when the callback will not be called
// again, or with a function that returns an error. It is called on the driver's thread or on the
// one that cancels. May be null. It must not unwind.
typedef void (*punctual_drop_fn)(void *context);

// A callback that is called for every tick, on the driver's thread, until it returns something
// other than zero or is cancelled. The struct is valid during the call. It must not unwind: no C++
// exception may leave it.
typedef int (*punctual_tick_fn)(void *context, const punctual_tick *tick);

// What a driver has done since it was started.
typedef struct {
    // `sizeof(punctual_counters)`, set by the caller.
    size_t size;
    // The callbacks that wait, including repeating ones that are running.
    uint64_t waiting;
    // The calls of callbacks that were due.
    uint64_t fired;
    // The number of those that came more than a microsecond after the end of their windows.
    uint64_t late;
    // The longest time from the end of a window until its callback was called.
    uint64_t worst_excess_ns;
    // The periods of repeating callbacks that passed without a tick.
    uint64_t missed;
    // The calls of repeating callbacks that were still running at their next deadline.
    uint64_t overruns;
    // How many times the system put the driver's thread to sleep and woke it.
    uint64_t wakeups;
    // The number of those wake-ups that came because of an earlier timer or of the stop.
    uint64_t rings;
} punctual_counters;

// A summary of events.
typedef struct {
    // `sizeof(punctual_summary)`, set by the caller.
    size_t size;
    // The number of events.
    uint64_t count;
    // The periods that passed without one.
    uint64_t missed;
    // The median of the lateness.
    uint64_t p50_ns;
    // The 99th percentile of the lateness.
    uint64_t p99_ns;
    // The worst lateness.
    uint64_t worst_ns;
    // The mean time between events.
    uint64_t mean_interval_ns;
    // Events per second.
    double rate_hertz;
} punctual_summary;

// Done.
#define PUNCTUAL_OK 0

// The wait was cancelled before its deadline, or the `punctual_cancel` is cancelled.
#define PUNCTUAL_CANCELLED 1

// The next tick is past the end of 64-bit time.
#define PUNCTUAL_END_OF_TIME 2

// The driver was stopped and takes no timers.
#define PUNCTUAL_SHUT_DOWN 3

// The callback is running, and is not called again.
#define PUNCTUAL_UNDER_WAY 4

// The callback has been called for the last time, was cancelled, or was dropped.
#define PUNCTUAL_TOO_LATE 5

// The event was recorded, and it is the first after the end of a second.
#define PUNCTUAL_SECOND_ENDED 6

// There is no answer yet.
#define PUNCTUAL_NOTHING_YET 7

// A signal ended the wait before its deadline. Only the functions that end in `_or_signal` return it.
#define PUNCTUAL_INTERRUPTED 8

// A pointer that must not be null is null, or it is not aligned. `punctual_last_error` names the parameter.
#define PUNCTUAL_ERROR_NULL -1

// A pointer is no handle of this kind. In debug builds this is also said of handles that were
// freed.
#define PUNCTUAL_ERROR_HANDLE -2

// Another thread, or the caller of this callback, is using the handle now.
#define PUNCTUAL_ERROR_BUSY -3

// An argument is invalid. `punctual_last_error` says which, and what would be right.
#define PUNCTUAL_ERROR_INVALID -4

// A privilege is missing. `punctual_last_error` names it.
#define PUNCTUAL_ERROR_NOT_PERMITTED -5

// The system, or this version of it, lacks the feature.
#define PUNCTUAL_ERROR_UNSUPPORTED -6

// The system failed at something that it supports and permits.
#define PUNCTUAL_ERROR_SYSTEM -7

// The call must come from the thread that made the guard.
#define PUNCTUAL_ERROR_THREAD -8

// There is a bug in Punctual. The call had no effect, or only a part of it.
#define PUNCTUAL_ERROR_PANIC -9

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// What a status means, in general, as a string that is never freed. Never null, for any number.
const char *punctual_status_message(punctual_status status);

// What the last error of the calling thread was: the parameter that was wrong, if one was, and a sentence
// that says what to do. Empty if there was none. The string is valid until the thread's next error or its end. Never null.
const char *punctual_last_error(void);

// Reads the clock that all deadlines are on, in nanoseconds. It never goes back and nothing can set
// it.
//
// On Linux it is `CLOCK_MONOTONIC`, on Windows the performance counter, and on macOS
// `mach_absolute_time`, both converted to nanoseconds.
//
// Any thread may call it.
punctual_status punctual_now(uint64_t *now_ns);

// Makes a `punctual_cancel`.
PUNCTUAL_MUST_USE punctual_status punctual_cancel_new(punctual_cancel **cancel);

// Frees it. Null is nothing to free.
punctual_status punctual_cancel_free(punctual_cancel *cancel);

// Ends the waits. A second time changes nothing. On Linux, a signal handler may call it.
punctual_status punctual_cancel_set(const punctual_cancel *cancel);

// Makes it usable again. Call it after the cancelled waits have returned: one that has not may
// miss the cancel.
punctual_status punctual_cancel_reset(const punctual_cancel *cancel);

// Whether it is cancelled: `PUNCTUAL_CANCELLED`, or `PUNCTUAL_OK` if not.
PUNCTUAL_MUST_USE punctual_status punctual_cancel_check(const punctual_cancel *cancel);

// Sets the share of a processor that all sleepers of this process together may spin, from 0 (never) to 1, from their next
// waits on. It is 0.05 until then. A sleeper with a budget of its own has that besides.
//
// Any thread may call it.
punctual_status punctual_set_process_budget(double share);

// Sleeps for a duration: one call, without a handle. It goes on after signals.
//
// It waits with a sleeper of the calling thread, which the thread's first call makes and which learns from each.
// Between two calls that holds nothing of the system. A sleeper that you keep does, and so wakes sooner on a busy
// machine; a loop has a `punctual_ticker`, which does not drift either.
//
// Any thread may call it.
punctual_status punctual_delay(uint64_t duration_ns);

// Makes a sleeper. Null for the options means the defaults: at most 1 % of waits end late, and the
// sleepers of this process together spin at most 5 % of the time.
PUNCTUAL_MUST_USE
punctual_status punctual_sleeper_new(const punctual_options *options,
                                     punctual_sleeper **sleeper);

// Frees it, and gives back what it holds of the system. Null is nothing to free.
punctual_status punctual_sleeper_free(punctual_sleeper *sleeper);

// Gives back what it holds of the system, such as a short slice of the thread, until its next
// wait. It keeps what it has learned.
punctual_status punctual_sleeper_pause(punctual_sleeper *sleeper);

// Sleeps until a deadline, and goes on after signals. If the deadline has passed, the call only reads the
// clock.
//
// `cancel` may be null; so may `wake`. Returns `PUNCTUAL_CANCELLED` if the wait was cancelled
// before its deadline; `wake` is then left alone. The wait takes place whatever `wake` is: that it is wrong is
// said afterwards.
punctual_status punctual_sleep_until(punctual_sleeper *sleeper,
                                     uint64_t deadline_ns,
                                     const punctual_cancel *cancel,
                                     punctual_wake *wake);

// Sleeps for a duration, measured from this call. Otherwise as `punctual_sleep_until`.
punctual_status punctual_sleep_for(punctual_sleeper *sleeper,
                                   uint64_t duration_ns,
                                   const punctual_cancel *cancel,
                                   punctual_wake *wake);

// Sleeps until an instant within a window of time. The system chooses the instant, so that it can
// end several waits with one wake-up. Otherwise as `punctual_sleep_until`.
punctual_status punctual_sleep_within(punctual_sleeper *sleeper,
                                      uint64_t earliest_ns,
                                      uint64_t latest_ns,
                                      const punctual_cancel *cancel,
                                      punctual_wake *wake);

// Sleeps until a deadline, or until the calling thread has handled a signal, as `nanosleep` does. Otherwise as
// `punctual_sleep_until`.
//
// If a signal came first, it returns `PUNCTUAL_INTERRUPTED` and writes to `remaining_ns` what was left of the wait, which is
// more than zero. Otherwise it leaves `remaining_ns` alone, which may be null. To go on, call it again with the same
// deadline.
PUNCTUAL_MUST_USE
punctual_status punctual_sleep_until_or_signal(punctual_sleeper *sleeper,
                                               uint64_t deadline_ns,
                                               const punctual_cancel *cancel,
                                               punctual_wake *wake,
                                               uint64_t *remaining_ns);

// Sleeps for a duration, or until the calling thread has handled a signal. Otherwise as
// `punctual_sleep_until_or_signal`. To go on, call it with what was left.
PUNCTUAL_MUST_USE
punctual_status punctual_sleep_for_or_signal(punctual_sleeper *sleeper,
                                             uint64_t duration_ns,
                                             const punctual_cancel *cancel,
                                             punctual_wake *wake,
                                             uint64_t *remaining_ns);

// Makes a ticker. The options may be null.
PUNCTUAL_MUST_USE
punctual_status punctual_ticker_new(const punctual_schedule *schedule,
                                    const punctual_options *options,
                                    punctual_ticker **ticker);

// Frees it, and gives back what it holds of the system. Null is nothing to free.
punctual_status punctual_ticker_free(punctual_ticker *ticker);

// Waits for the next tick, and goes on after signals. `tick` may be null.
//
//     punctual_tick tick = {.size = sizeof tick};
//     while (punctual_ticker_next(ticker, &tick) == PUNCTUAL_OK) { ... }
//
// If its deadline has passed, the tick comes at once. Returns `PUNCTUAL_CANCELLED` if the ticker
// was cancelled, and `PUNCTUAL_END_OF_TIME` after the last tick of 64-bit time; `tick` is then
// left alone. The wait takes place whatever `tick` is: that it is wrong is said afterwards, and the tick has passed.
PUNCTUAL_MUST_USE
punctual_status punctual_ticker_next(punctual_ticker *ticker,
                                     punctual_tick *tick);

// Waits for the next tick, or until the calling thread has handled a signal. Otherwise as `punctual_ticker_next`.
//
// If a signal came first, it returns `PUNCTUAL_INTERRUPTED` and writes to `remaining_ns` how long before the tick that was,
// which is more than zero. Otherwise it leaves `remaining_ns` alone, which may be null. The next call waits for the same tick.
PUNCTUAL_MUST_USE
punctual_status punctual_ticker_next_or_signal(punctual_ticker *ticker,
                                               punctual_tick *tick,
                                               uint64_t *remaining_ns);

// Lets another thread end the ticker's waits through `cancel`, from the next wait on.
punctual_status punctual_ticker_set_cancel(punctual_ticker *ticker, const punctual_cancel *cancel);

// Changes the period to `period_ns / divisor` from now on, without a jump of the phase: the rest
// of the present period passes at the new rate. A divisor of zero means 1.
punctual_status punctual_ticker_set_period(punctual_ticker *ticker,
                                           uint64_t period_ns,
                                           uint64_t divisor);

// Puts the next tick at `start_ns`, or makes it come at once if that is zero, and the ticks after
// it follow at whole periods. Use it after a pause. The numbering continues, and nothing counts as
// missed.
punctual_status punctual_ticker_restart(punctual_ticker *ticker, uint64_t start_ns);

// Writes where the deadlines lie: a `PUNCTUAL_PHASE_…`. A ticker without a start chooses it, from its first tick on, if
// its period allows that.
punctual_status punctual_ticker_phase(punctual_ticker *ticker,
                                      int32_t *phase);

// Gives back what it holds of the system until the next tick. Use it when a loop pauses, and
// `punctual_ticker_restart` to go on.
punctual_status punctual_ticker_pause(punctual_ticker *ticker);

// Starts a driver. The options may be null.
PUNCTUAL_MUST_USE
punctual_status punctual_driver_start(const punctual_options *options,
                                      punctual_driver **driver);

// Stops the driver: callbacks that wait are dropped, and a running one is finished. It waits for
// the driver's thread to end, except in a callback, or in a fork of the process. Afterwards the
// counters can still be read.
punctual_status punctual_driver_stop(const punctual_driver *driver);

// Stops the driver and frees it. Null is nothing to free.
punctual_status punctual_driver_free(punctual_driver *driver);

// Calls a callback once, within a window of time. If that has passed, it is called at once, and is
// late.
//
// `drop` frees the context, in every case and exactly once. `timer` may be null, and otherwise
// gets a handle, to be freed with `punctual_timer_free`. Returns `PUNCTUAL_SHUT_DOWN` if the
// driver was stopped.
PUNCTUAL_MUST_USE
punctual_status punctual_driver_once(const punctual_driver *driver,
                                     uint64_t earliest_ns,
                                     uint64_t latest_ns,
                                     punctual_once_fn callback,
                                     void *context,
                                     punctual_drop_fn drop,
                                     punctual_timer **timer);

// Calls a callback once, after a duration, and at most a tolerance later. A duration of zero means
// as soon as possible. Otherwise as `punctual_driver_once`.
PUNCTUAL_MUST_USE
punctual_status punctual_driver_after(const punctual_driver *driver,
                                      uint64_t duration_ns,
                                      uint64_t tolerance_ns,
                                      punctual_once_fn callback,
                                      void *context,
                                      punctual_drop_fn drop,
                                      punctual_timer **timer);

// Calls a callback for every tick of a schedule. Otherwise as `punctual_driver_once`.
//
// The first call may come before this function returns, so the callback cannot rely on its own
// timer.
PUNCTUAL_MUST_USE
punctual_status punctual_driver_every(const punctual_driver *driver,
                                      const punctual_schedule *schedule,
                                      punctual_tick_fn callback,
                                      void *context,
                                      punctual_drop_fn drop,
                                      punctual_timer **timer);

// Reads the counters.
punctual_status punctual_driver_counters(const punctual_driver *driver,
                                         punctual_counters *counters);

// Cancels the callback, so that it is not called again. Does not wait for a running one.
//
// Returns `PUNCTUAL_OK` if a call was prevented, `PUNCTUAL_UNDER_WAY` if the callback is running,
// and `PUNCTUAL_TOO_LATE` if there was none to come.
punctual_status punctual_timer_cancel(const punctual_timer *timer);

// Moves the callback to another window. A repeating one starts again at its beginning, with the
// width of the window as its tolerance, and its numbering continues.
//
// Returns `PUNCTUAL_TOO_LATE` if there was no call to come.
punctual_status punctual_timer_move(const punctual_timer *timer,
                                    uint64_t earliest_ns,
                                    uint64_t latest_ns);

// Changes the period of a repeating callback to `period_ns / divisor` from now on, without a jump
// of the phase. A divisor of zero means 1.
//
// Returns `PUNCTUAL_TOO_LATE` if there was no call to come, or if it does not repeat.
punctual_status punctual_timer_set_period(const punctual_timer *timer,
                                          uint64_t period_ns,
                                          uint64_t divisor);

// Frees the handle. The callback is called as before. Null is nothing to free.
punctual_status punctual_timer_free(punctual_timer *timer);

// Raises the calling thread's priority: to `PUNCTUAL_PRIORITY_HIGH`, `PUNCTUAL_PRIORITY_REALTIME`,
// or a number from 1 to 99, which is the priority in Linux' class `SCHED_FIFO`.
//
// A program should go on without it if the system refuses: `punctual_last_error` says what it
// takes.
punctual_status punctual_guard_priority(int32_t priority, punctual_guard **guard);

// Sets how long the calling thread may compute at a time while others wait for the processor, from
// 0.1 ms to 100 ms. It needs Linux 6.12, and no privilege.
punctual_status punctual_guard_slice(uint64_t slice_ns, punctual_guard **guard);

// Keeps the calling thread on processors, by their numbers.
punctual_status punctual_guard_pin(const uint32_t *processors,
                                   size_t count,
                                   punctual_guard **guard);

// Keeps all memory of the process in RAM. Linux only.
punctual_status punctual_guard_memory(punctual_guard **guard);

// Registers the calling thread with Windows' multimedia class scheduler for a task, such as `"Pro
// Audio"` or `"Games"`: a priority above ordinary ones, without any privilege, for threads that
// mostly wait. Windows only.
punctual_status punctual_guard_multimedia(const char *task, punctual_guard **guard);

// Frees the guard, and restores what it changed. Null is nothing to free.
punctual_status punctual_guard_free(punctual_guard *guard);

// Makes statistics without any event. They read no clock, and take nine kilobytes.
PUNCTUAL_MUST_USE punctual_status punctual_stats_new(punctual_stats **stats);

// Frees them. Null is nothing to free.
punctual_status punctual_stats_free(punctual_stats *stats);

// Records an event: when it should have come, when it came, and how many periods were missed
// before it.
//
// Returns `PUNCTUAL_SECOND_ENDED` for the first event after the end of a second:
// `punctual_stats_last_second` then has the summary of that second, without this event.
punctual_status punctual_stats_record(punctual_stats *stats,
                                      uint64_t deadline_ns,
                                      uint64_t woke_ns,
                                      uint64_t missed);

// The summary of all events.
punctual_status punctual_stats_summary(punctual_stats *stats, punctual_summary *summary);

// The summary of the last second that ended. Returns `PUNCTUAL_NOTHING_YET` before the end of the
// first, and leaves `summary` alone.
punctual_status punctual_stats_last_second(punctual_stats *stats, punctual_summary *summary);

// Leaves the time since the last event out of the rate and the mean interval. Use it after a
// pause.
punctual_status punctual_stats_resume(punctual_stats *stats);

// Forgets everything.
punctual_status punctual_stats_reset(punctual_stats *stats);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PUNCTUAL_H */
