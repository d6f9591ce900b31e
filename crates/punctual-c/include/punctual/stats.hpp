// Statistics of lateness.
#ifndef PUNCTUAL_STATS_HPP
#define PUNCTUAL_STATS_HPP

#include <punctual/callback.hpp>
#include <punctual/clock.hpp>
#include <punctual/error.hpp>
#include <punctual/schedule.hpp>
#include <punctual/sleeper.hpp>

#include <cstdint>
#include <optional>

namespace punctual {

/// A summary of events.
struct summary {
    std::uint64_t count;
    /// Periods that passed without an event.
    std::uint64_t missed;
    /// The median of the lateness.
    nanoseconds p50;
    /// The 99th percentile of the lateness.
    nanoseconds p99;
    nanoseconds worst;
    /// The mean time between events.
    nanoseconds mean_interval;
    /// Events per second.
    double rate_hertz;
};

/// Counts how late the ticks of a loop come, and at which rate: over all time, and second by second. They
/// take nine kilobytes.
///
/// Threads: one at a time.
class lateness_stats {
public:
    lateness_stats()
    {
        punctual_stats* made = nullptr;
        detail::check(punctual_stats_new(&made));
        handle_.reset(made);
    }

    /// Records a tick, a wake-up or a firing. After the end of a second, the first event gives the summary of
    /// that second, without itself.
    std::optional<punctual::summary> record(const tick& event) noexcept
    {
        return record(event.deadline, event.woke, event.missed);
    }
    std::optional<punctual::summary> record(const wake& event) noexcept { return record(event.deadline, event.woke); }
    std::optional<punctual::summary> record(const firing& event) noexcept { return record(event.earliest, event.woke); }

    /// Records when something should have come, when it came, and how many periods before it were missed.
    std::optional<punctual::summary> record(time_point deadline, time_point woke, std::uint64_t missed = 0) noexcept
    {
        const auto status = punctual_stats_record(handle_.get(), detail::count(deadline), detail::count(woke), missed);
        if (detail::expect(status) != PUNCTUAL_SECOND_ENDED) {
            return std::nullopt;
        }
        return last_second();
    }

    /// Of all events.
    [[nodiscard]] punctual::summary summary() const noexcept
    {
        auto found = detail::to_fill<punctual_summary>();
        detail::expect(punctual_stats_summary(handle_.get(), &found));
        return of(found);
    }

    /// Of the last second that ended, if one has.
    [[nodiscard]] std::optional<punctual::summary> last_second() const noexcept
    {
        auto found = detail::to_fill<punctual_summary>();
        if (detail::expect(punctual_stats_last_second(handle_.get(), &found)) != PUNCTUAL_OK) {
            return std::nullopt;
        }
        return of(found);
    }

    /// Leaves the time since the last event out of the rate and the mean interval: for after a pause.
    void resume() noexcept { detail::expect(punctual_stats_resume(handle_.get())); }

    /// Forgets everything.
    void reset() noexcept { detail::expect(punctual_stats_reset(handle_.get())); }

private:
    static punctual::summary of(const punctual_summary& found) noexcept
    {
        return {
            found.count,
            found.missed,
            detail::from_count(found.p50_ns),
            detail::from_count(found.p99_ns),
            detail::from_count(found.worst_ns),
            detail::from_count(found.mean_interval_ns),
            found.rate_hertz,
        };
    }

    detail::owned<punctual_stats, punctual_stats_free> handle_;
};

} // namespace punctual

#endif
