// Ticks, and when they come.
#ifndef PUNCTUAL_SCHEDULE_HPP
#define PUNCTUAL_SCHEDULE_HPP

#include <punctual/clock.hpp>
#include <punctual/error.hpp>
#include <punctual/period.hpp>

#include <cstdint>
#include <optional>

namespace punctual {

/// One tick of a schedule.
struct tick {
    /// Its number. Missed ticks have numbers, too.
    std::uint64_t index;
    /// When it should have come.
    time_point deadline;
    /// The reading of the clock at which it came: never before the deadline.
    time_point woke;
    /// Since the tick before; zero for the first.
    nanoseconds interval;
    /// How many periods before this one passed without a tick.
    std::uint64_t missed;

    [[nodiscard]] constexpr nanoseconds lateness() const noexcept { return woke - deadline; }

    /// From C.
    [[nodiscard]] static constexpr tick of(const punctual_tick& found) noexcept
    {
        return {
            found.index,
            detail::reading(found.deadline_ns),
            detail::reading(found.woke_ns),
            detail::reading(found.interval_ns).time_since_epoch(),
            found.missed,
        };
    }
};

/// What a late loop gets for the periods that passed.
class missed_ticks {
public:
    /// The last tick that passed: for rendering, audio, control.
    [[nodiscard]] static constexpr missed_ticks skip() noexcept { return {PUNCTUAL_MISSED_SKIP, 0}; }
    /// Every tick that passed, at once: for work that must be done for every tick.
    [[nodiscard]] static constexpr missed_ticks burst() noexcept { return {PUNCTUAL_MISSED_BURST, 0}; }
    /// The last `count` ticks that passed, at once.
    [[nodiscard]] static constexpr missed_ticks burst_of(std::uint32_t count) noexcept
    {
        return {PUNCTUAL_MISSED_BURST_OF, count};
    }
    /// One tick, from which the schedule starts again: at least one period between ticks.
    [[nodiscard]] static constexpr missed_ticks delay() noexcept { return {PUNCTUAL_MISSED_DELAY, 0}; }

private:
    friend struct tick_options;

    constexpr missed_ticks(std::int32_t policy, std::uint32_t burst) noexcept : policy_{policy}, burst_{burst} {}

    std::int32_t policy_;
    std::uint32_t burst_;
};

namespace detail {

/// For C, where zero means now: the beginning of the clock is a nanosecond later.
[[nodiscard]] constexpr std::uint64_t start(time_point instant) noexcept
{
    const auto nanos = count(instant);
    return nanos > 0 ? nanos : 1;
}

} // namespace detail

/// When to tick: `{.missed = punctual::missed_ticks::burst()}`.
struct tick_options {
    missed_ticks missed = missed_ticks::skip();
    /// When the first tick comes, instead of now.
    std::optional<time_point> start{};
    /// How much later than its deadline a tick may come, so that it shares a wake-up with others. Only for
    /// a driver.
    nanoseconds tolerance{};

    /// For C.
    [[nodiscard]] punctual_schedule c(const period& period) const noexcept
    {
        punctual_schedule schedule{};
        schedule.size = sizeof schedule;
        schedule.period_ns = period.numerator();
        schedule.divisor = period.denominator();
        schedule.start_ns = start ? detail::start(*start) : 0;
        schedule.tolerance_ns = detail::count(tolerance);
        schedule.missed_ticks = missed.policy_;
        schedule.burst = missed.burst_;
        return schedule;
    }
};

} // namespace punctual

#endif
