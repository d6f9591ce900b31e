// One wait at a time.
#ifndef PUNCTUAL_SLEEPER_HPP
#define PUNCTUAL_SLEEPER_HPP

#include <punctual/clock.hpp>
#include <punctual/error.hpp>
#include <punctual/stop.hpp>

#include <cstdint>
#include <optional>

namespace punctual {

/// How long before a deadline a wait asks to be woken, to spin for the rest.
class margin {
public:
    /// As long as it takes for at most 1 % late waits, and 5 % of the time spun.
    constexpr margin() noexcept = default;

    /// At most this share of waits ends late (0.0001 to 0.5), as far as at most this share of the time
    /// is spun (above 0, up to 1).
    [[nodiscard]] static constexpr margin aiming_at(double late_rate, double budget) noexcept
    {
        // Zero would be the default.
        return {PUNCTUAL_AIMING, late_rate == 0 ? -1 : late_rate, budget == 0 ? -1 : budget, 0};
    }

    /// Never spins: waits end as late as the system ends them.
    [[nodiscard]] static constexpr margin coarse() noexcept { return {PUNCTUAL_COARSE, 0, 0, 0}; }

    /// Spins for as long as precision needs.
    [[nodiscard]] static constexpr margin exact() noexcept { return {PUNCTUAL_EXACT, 0, 0, 0}; }

    /// Always the same.
    template <class Rep, class Period>
    [[nodiscard]] static constexpr margin fixed(const std::chrono::duration<Rep, Period>& before) noexcept
    {
        return {PUNCTUAL_FIXED_MARGIN, 0, 0, detail::count(before)};
    }

private:
    friend struct sleep_options;

    constexpr margin(std::int32_t mode, double late_rate, double budget, std::uint64_t nanos) noexcept
        : mode_{mode}, late_rate_{late_rate}, budget_{budget}, nanos_{nanos}
    {
    }

    std::int32_t mode_ = PUNCTUAL_AIMING;
    double late_rate_ = 0;
    double budget_ = 0;
    std::uint64_t nanos_ = 0;
};

/// What a spinning thread does between two readings of the clock.
enum class spin : std::int32_t {
    /// Pauses for some cycles.
    pause = PUNCTUAL_SPIN_PAUSE,
    /// Lets other threads run.
    yield = PUNCTUAL_SPIN_YIELD,
};

/// What becomes of a waiting thread's slice, where threads have one (Linux 6.12 and later).
enum class slice : std::int32_t {
    /// The shortest there is, so that its turn comes sooner on a busy machine.
    shortest = PUNCTUAL_SLICE_SHORT,
    unchanged = PUNCTUAL_SLICE_UNCHANGED,
};

/// How to wait: `{.margin = punctual::margin::exact()}`.
struct sleep_options {
    punctual::margin margin{};
    punctual::spin spin = punctual::spin::pause;
    punctual::slice slice = punctual::slice::shortest;

    /// For C.
    [[nodiscard]] punctual_options c() const noexcept
    {
        punctual_options options{};
        options.size = sizeof options;
        options.late_rate = margin.late_rate_;
        options.budget = margin.budget_;
        options.margin_ns = margin.nanos_;
        options.mode = margin.mode_;
        options.spin = static_cast<std::int32_t>(spin);
        options.slice = static_cast<std::int32_t>(slice);
        return options;
    }
};

/// How a wait went.
struct wake {
    /// When it should have ended; for a window, its beginning.
    time_point deadline;
    /// The reading of the clock that ended it: never before the deadline.
    time_point woke;
    /// In the system's wait.
    nanoseconds slept;
    nanoseconds spun;

    [[nodiscard]] constexpr nanoseconds lateness() const noexcept { return woke - deadline; }
};

/// How a wait ended that a signal can end: at its deadline, or before it by a signal or a stop.
template <class Result>
struct ending {
    /// Nothing if it ended before its deadline.
    std::optional<Result> result;
    /// Whether a signal ended it, which the waiting thread has then handled.
    bool interrupted = false;
    /// What was left of it when a signal ended it, and otherwise zero.
    nanoseconds remaining{};
};

/// Sets the share of a processor that all sleepers of this process together may spin, from 0 to 1. It is 0.05 until then.
/// Throws `error` for another share.
inline void set_process_budget(double share)
{
    detail::check(punctual_set_process_budget(share));
}

/// Sleeps until a deadline: never shorter, and only as much longer as its options allow.
///
/// It learns from the wake-ups of its own thread how long before a deadline to be woken. Keep it for as
/// long as the thread waits.
///
/// Waits go on after signals, as those of `std::this_thread` do. Those whose names end in `_or_signal` end then,
/// and say what was left, as `nanosleep` does; `punctual.h` says on which systems. A signal that comes between the
/// look at a flag and the wait is missed, as with `nanosleep`. Let the handler request a stop of a `stop_signal`,
/// which Linux permits, and none is.
///
/// Threads: one at a time; it may move to another between two waits. Two that use it at once end the
/// program.
class sleeper {
public:
    /// Throws `error` for options out of range.
    explicit sleeper(const sleep_options& options = {})
    {
        const auto how = options.c();
        punctual_sleeper* made = nullptr;
        detail::check(punctual_sleeper_new(&how, &made));
        handle_.reset(made);
    }

    explicit sleeper(const punctual::margin& margin) : sleeper{sleep_options{margin}} {}

    /// If the deadline has passed, this only reads the clock.
    wake sleep_until(time_point deadline) noexcept
    {
        return *until(deadline, nullptr);
    }

    /// For a deadline of another clock, such as `std::chrono::system_clock`, which can be set meanwhile:
    /// sleeps until it has come there.
    template <class Clock, class Duration>
    wake sleep_until(const std::chrono::time_point<Clock, Duration>& deadline)
    {
        auto last = sleep_until(detail::translated(deadline));
        if constexpr (!std::is_same_v<Clock, clock>) {
            while (Clock::now() < deadline) {
                last = sleep_until(detail::translated(deadline));
            }
        }
        return last;
    }

    template <class Rep, class Period>
    wake sleep_for(const std::chrono::duration<Rep, Period>& duration) noexcept
    {
        return *during(detail::count(duration), nullptr);
    }

    /// The system chooses an instant in the window, so that it can end several waits with one wake-up.
    /// A window that ends before it begins ends where it begins.
    wake sleep_within(time_point earliest, time_point latest) noexcept
    {
        const auto from = detail::count(earliest);
        const auto to = detail::count(latest);
        auto found = detail::to_fill<punctual_wake>();
        detail::expect(punctual_sleep_within(handle_.get(), from, to < from ? from : to, nullptr, &found));
        return *went(PUNCTUAL_OK, found);
    }

    /// Nothing if a stop was requested before the deadline.
    std::optional<wake> sleep_until(time_point deadline, const stop_signal& stop) noexcept
    {
        return until(deadline, stop.c());
    }

    template <class Rep, class Period>
    std::optional<wake> sleep_for(const std::chrono::duration<Rep, Period>& duration, const stop_signal& stop) noexcept
    {
        return during(detail::count(duration), stop.c());
    }

    /// Until the deadline, or until this thread has handled a signal.
    [[nodiscard]] ending<wake> sleep_until_or_signal(time_point deadline) noexcept
    {
        return until_or_signal(deadline, nullptr);
    }

    [[nodiscard]] ending<wake> sleep_until_or_signal(time_point deadline, const stop_signal& stop) noexcept
    {
        return until_or_signal(deadline, stop.c());
    }

    /// For a duration, or until this thread has handled a signal.
    template <class Rep, class Period>
    [[nodiscard]] ending<wake> sleep_for_or_signal(const std::chrono::duration<Rep, Period>& duration) noexcept
    {
        return during_or_signal(detail::count(duration), nullptr);
    }

    template <class Rep, class Period>
    [[nodiscard]] ending<wake> sleep_for_or_signal(
        const std::chrono::duration<Rep, Period>& duration, const stop_signal& stop) noexcept
    {
        return during_or_signal(detail::count(duration), stop.c());
    }

#if PUNCTUAL_HAS_STOP_TOKEN
    /// Nothing if a stop was requested before the deadline.
    std::optional<wake> sleep_until(time_point deadline, const std::stop_token& stop)
    {
        return stopped_by(stop, [&](const punctual_cancel* cancel) { return until(deadline, cancel); });
    }

    template <class Rep, class Period>
    std::optional<wake> sleep_for(const std::chrono::duration<Rep, Period>& duration, const std::stop_token& stop)
    {
        const auto nanos = detail::count(duration);
        return stopped_by(stop, [&](const punctual_cancel* cancel) { return during(nanos, cancel); });
    }
#endif

    /// Gives back what it holds of the system, such as a short slice, until the next wait. It keeps what
    /// it has learned.
    void pause() noexcept { detail::expect(punctual_sleeper_pause(handle_.get())); }

private:
    std::optional<wake> until(time_point deadline, const punctual_cancel* cancel) noexcept
    {
        auto found = detail::to_fill<punctual_wake>();
        return went(punctual_sleep_until(handle_.get(), detail::count(deadline), cancel, &found), found);
    }

    std::optional<wake> during(std::uint64_t nanos, const punctual_cancel* cancel) noexcept
    {
        auto found = detail::to_fill<punctual_wake>();
        return went(punctual_sleep_for(handle_.get(), nanos, cancel, &found), found);
    }

    ending<wake> until_or_signal(time_point deadline, const punctual_cancel* cancel) noexcept
    {
        auto found = detail::to_fill<punctual_wake>();
        std::uint64_t left = 0;
        const auto nanos = detail::count(deadline);
        const auto status = punctual_sleep_until_or_signal(handle_.get(), nanos, cancel, &found, &left);
        return {went(status, found), status == PUNCTUAL_INTERRUPTED, detail::from_count(left)};
    }

    ending<wake> during_or_signal(std::uint64_t nanos, const punctual_cancel* cancel) noexcept
    {
        auto found = detail::to_fill<punctual_wake>();
        std::uint64_t left = 0;
        const auto status = punctual_sleep_for_or_signal(handle_.get(), nanos, cancel, &found, &left);
        return {went(status, found), status == PUNCTUAL_INTERRUPTED, detail::from_count(left)};
    }

    static std::optional<wake> went(punctual_status status, const punctual_wake& found) noexcept
    {
        if (detail::expect(status) != PUNCTUAL_OK) {
            return std::nullopt;
        }
        return wake{
            detail::instant(found.deadline_ns),
            detail::instant(found.woke_ns),
            detail::from_count(found.slept_ns),
            detail::from_count(found.spun_ns),
        };
    }

#if PUNCTUAL_HAS_STOP_TOKEN
    template <class Wait>
    std::optional<wake> stopped_by(const std::stop_token& stop, Wait wait)
    {
        if (!stop.stop_possible()) {
            return wait(nullptr);
        }
        if (!stop_) {
            stop_.emplace();
        }
        auto woken = [&] {
            // Gone, and its call ended, before the signal is used again.
            const std::stop_callback on_stop{stop, [this]() noexcept { stop_->request_stop(); }};
            return wait(stop_->c());
        }();
        if (stop_->stop_requested()) {
            stop_->reset();
        }
        return woken;
    }

    std::optional<stop_signal> stop_;
#endif
    detail::owned<punctual_sleeper, punctual_sleeper_free> handle_;
};

namespace detail {

/// The sleeper of the functions below: one for each thread, until the thread ends.
inline sleeper& of_this_thread()
{
    thread_local sleeper one;
    return one;
}

} // namespace detail

/// As `std::this_thread::sleep_until`, and on time. It waits with a `sleeper` of the calling thread, which
/// learns from wait to wait.
template <class Clock, class Duration>
wake sleep_until(const std::chrono::time_point<Clock, Duration>& deadline)
{
    return detail::of_this_thread().sleep_until(deadline);
}

/// As `std::this_thread::sleep_for`, and on time: C's `punctual_delay`.
template <class Rep, class Period>
wake sleep_for(const std::chrono::duration<Rep, Period>& duration)
{
    return detail::of_this_thread().sleep_for(duration);
}

#if PUNCTUAL_HAS_STOP_TOKEN
/// Nothing if a stop was requested before the deadline.
inline std::optional<wake> sleep_until(time_point deadline, const std::stop_token& stop)
{
    return detail::of_this_thread().sleep_until(deadline, stop);
}

template <class Rep, class Period>
std::optional<wake> sleep_for(const std::chrono::duration<Rep, Period>& duration, const std::stop_token& stop)
{
    return detail::of_this_thread().sleep_for(duration, stop);
}
#endif

} // namespace punctual

#endif
