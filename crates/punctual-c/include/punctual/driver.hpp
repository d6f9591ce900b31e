// Many timers on one thread.
#ifndef PUNCTUAL_DRIVER_HPP
#define PUNCTUAL_DRIVER_HPP

#include <punctual/callback.hpp>
#include <punctual/clock.hpp>
#include <punctual/error.hpp>
#include <punctual/features.hpp>
#include <punctual/period.hpp>
#include <punctual/schedule.hpp>
#include <punctual/sleeper.hpp>

#include <cstdint>
#include <utility>

namespace punctual {

/// What became of a callback that was cancelled.
enum class cancellation : punctual_status {
    /// It will not be called again.
    prevented = PUNCTUAL_OK,
    /// It is being called now, and that is the last call.
    under_way = PUNCTUAL_UNDER_WAY,
    /// It had been called for the last time, cancelled or dropped before.
    too_late = PUNCTUAL_TOO_LATE,
};

/// One callback of a driver, to cancel or to move it. Its end changes nothing about the callback.
///
/// Threads: any number at once, and callbacks as well. It may outlive its driver.
class timer {
public:
    /// None.
    timer() noexcept = default;

    /// The callback is not called again, and destroyed if it is not running. This does not wait for a
    /// running one.
    cancellation cancel() const noexcept
    {
        return static_cast<cancellation>(detail::expect(punctual_timer_cancel(handle_.get())));
    }

    /// Moves the callback, which is then called at most a tolerance after an instant. A repeating one
    /// starts again there, and its numbering continues. Whether there was a call to come.
    bool move_to(time_point instant, nanoseconds tolerance = {}) const noexcept
    {
        const auto from = detail::count(instant);
        const auto to = detail::later(from, tolerance);
        return detail::expect(punctual_timer_move(handle_.get(), from, to)) == PUNCTUAL_OK;
    }

    /// Changes the period of a repeating callback from now on, without a jump of the phase. Whether there
    /// was a tick to come.
    bool set_period(const period& period) const
    {
        const auto status = punctual_timer_set_period(handle_.get(), period.numerator(), period.denominator());
        return detail::check(status) == PUNCTUAL_OK;
    }

    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    friend class driver;

    explicit timer(punctual_timer* made) noexcept : handle_{made} {}

    detail::owned<punctual_timer, punctual_timer_free> handle_;
};

/// What a driver has done since it was started.
struct counters {
    /// Callbacks that wait, repeating ones that are running among them.
    std::uint64_t waiting;
    /// Calls of callbacks that were due.
    std::uint64_t fired;
    /// Of those, the ones more than a microsecond after their windows.
    std::uint64_t late;
    /// The longest time from the end of a window to the call.
    nanoseconds worst_excess;
    /// Periods of repeating callbacks that passed without a tick.
    std::uint64_t missed;
    /// Calls of repeating callbacks that were still running at their next deadline.
    std::uint64_t overruns;
    /// How often the system put the thread to sleep and woke it.
    std::uint64_t wakeups;
    /// Of those, because of an earlier timer or of the stop.
    std::uint64_t rings;
};

class delay;

/// Serves many timers on one thread of its own, which wakes close to the fewest possible times for their
/// windows.
///
/// A callback is anything that can be called, and may be move-only. It is called on the driver's thread,
/// with a `firing` or a `tick`, or with nothing. An exception that leaves it ends the program, as one that
/// leaves a `std::thread` does.
///
/// Threads: any number at once, and its callbacks as well. In a fork of the process it does not run.
class driver {
public:
    explicit driver(const sleep_options& options = {})
    {
        const auto how = options.c();
        punctual_driver* made = nullptr;
        detail::check(punctual_driver_start(&how, &made));
        handle_.reset(made);
    }

    driver(driver&&) noexcept = default;
    driver& operator=(driver&& other) noexcept
    {
        stop();
        handle_ = std::move(other.handle_);
        return *this;
    }

    /// Stops.
    ~driver() { stop(); }

    /// Destroys the callbacks that wait, and waits for the driver's thread to end, except in one of its
    /// own callbacks. Coroutines that wait are resumed, and get `errc::shut_down`. Afterwards the counters
    /// can still be read.
    void stop() noexcept
    {
        if (handle_) {
            detail::expect(punctual_driver_stop(handle_.get()));
        }
    }

    /// Calls a callback once, at most a tolerance after an instant.
    template <class Callback>
    timer once(time_point when, Callback&& callback, nanoseconds tolerance = {})
    {
        const auto from = detail::count(when);
        const auto to = detail::later(from, tolerance);
        return add<detail::once_callback<Callback>>(std::forward<Callback>(callback), [&](auto call, void* context, auto drop, auto out) {
            return punctual_driver_once(handle_.get(), from, to, call, context, drop, out);
        });
    }

    /// Calls a callback once, after a duration and at most a tolerance.
    template <class Rep, class Period, class Callback, class = detail::if_callback<Callback>>
    timer after(const std::chrono::duration<Rep, Period>& duration, Callback&& callback, nanoseconds tolerance = {})
    {
        const auto nanos = detail::count(duration);
        const auto width = detail::count(tolerance);
        return add<detail::once_callback<Callback>>(std::forward<Callback>(callback), [&](auto call, void* context, auto drop, auto out) {
            return punctual_driver_after(handle_.get(), nanos, width, call, context, drop, out);
        });
    }

    /// Calls a callback once, as soon as possible.
    template <class Callback>
    timer soon(Callback&& callback)
    {
        return after(nanoseconds::zero(), std::forward<Callback>(callback));
    }

    /// Calls a callback for every tick of a schedule, until it returns `then::stop` or is cancelled. The
    /// first call may come before this has returned.
    template <class Callback>
    timer every(const period& period, Callback&& callback, const tick_options& options = {})
    {
        const auto schedule = options.c(period);
        return add<detail::tick_callback<Callback>>(std::forward<Callback>(callback), [&](auto call, void* context, auto drop, auto out) {
            return punctual_driver_every(handle_.get(), &schedule, call, context, drop, out);
        });
    }

#if PUNCTUAL_HAS_COROUTINES
    /// `co_await driver.after(5ms)`: see `delay`.
    template <class Rep, class Period>
    [[nodiscard]] delay after(const std::chrono::duration<Rep, Period>& duration, nanoseconds tolerance = {}) const noexcept;

    /// `co_await driver.at(deadline)`: see `delay`.
    [[nodiscard]] delay at(time_point deadline, nanoseconds tolerance = {}) const noexcept;
#endif

    [[nodiscard]] punctual::counters counters() const noexcept
    {
        auto found = detail::to_fill<punctual_counters>();
        detail::expect(punctual_driver_counters(handle_.get(), &found));
        return {
            found.waiting,
            found.fired,
            found.late,
            detail::from_count(found.worst_excess_ns),
            found.missed,
            found.overruns,
            found.wakeups,
            found.rings,
        };
    }

private:
    /// Hands a callback over, which the driver destroys even if it refuses it.
    template <class Erased, class Callback, class Add>
    static timer add(Callback&& callback, Add add)
    {
        auto* const context = new Erased{std::forward<Callback>(callback)};
        punctual_timer* made = nullptr;
        detail::check_running(add(&Erased::call, context, &Erased::drop, &made));
        return timer{made};
    }

    detail::owned<punctual_driver, punctual_driver_free> handle_;
};

} // namespace punctual

#endif
