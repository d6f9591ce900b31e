// The clock of every wait, and conversions at the edge.
#ifndef PUNCTUAL_CLOCK_HPP
#define PUNCTUAL_CLOCK_HPP

#include <punctual.h>

#include <chrono>
#include <cstdint>
#include <type_traits>

// Whether std::chrono::steady_clock reads the counter that the system's waits understand:
// CLOCK_MONOTONIC on Linux, the performance counter on Windows. Not on macOS, where it also counts
// the time in which the machine is asleep; nor in a libstdc++ for Windows without POSIX threads,
// where it follows the wall clock.
#if defined(_MSVC_STL_VERSION) || (defined(_LIBCPP_VERSION) && !defined(__APPLE__)) \
    || (defined(__GLIBCXX__) && defined(_GLIBCXX_USE_CLOCK_MONOTONIC) && !defined(__APPLE__))
#define PUNCTUAL_CLOCK_IS_STEADY_CLOCK 1
#else
#define PUNCTUAL_CLOCK_IS_STEADY_CLOCK 0
#endif

namespace punctual {

using std::chrono::nanoseconds;

namespace detail {

#if PUNCTUAL_CLOCK_IS_STEADY_CLOCK
using clock = std::chrono::steady_clock;
static_assert(std::is_same_v<clock::duration, nanoseconds>);
#else
/// The counter that the system's waits understand.
struct clock {
    using duration = nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<clock>;
    static constexpr bool is_steady = true;

    static time_point now() noexcept
    {
        std::uint64_t now = 0;
        punctual_now(&now);
        return time_point{nanoseconds{static_cast<rep>(now)}};
    }
};
#endif

} // namespace detail

/// The clock of every wait: `std::chrono::steady_clock` on Linux and Windows, and a clock of
/// Punctual's own where steady_clock counts what waits do not. Its durations are nanoseconds.
using clock = detail::clock;

/// An instant of the clock.
using time_point = clock::time_point;

namespace detail {

/// Longer than this is forever: 291 years, which fit into the nanoseconds of 64 bits.
inline constexpr double forever_seconds = 9.2e9;

/// In nanoseconds, rounded up, so that no wait is early. What does not fit is as much as fits.
template <class Rep, class Period>
[[nodiscard]] constexpr nanoseconds ceil(const std::chrono::duration<Rep, Period>& duration) noexcept
{
    if constexpr (std::is_same_v<std::chrono::duration<Rep, Period>, nanoseconds>) {
        return duration;
    } else {
        const auto seconds = std::chrono::duration<double>{duration}.count();
        if (seconds >= forever_seconds) {
            return nanoseconds::max();
        }
        // What is not a number is no time at all.
        if (!(seconds > -forever_seconds)) {
            return nanoseconds::min();
        }
        return std::chrono::ceil<nanoseconds>(duration);
    }
}

/// For C, which knows no negative durations.
template <class Rep, class Period>
[[nodiscard]] constexpr std::uint64_t count(const std::chrono::duration<Rep, Period>& duration) noexcept
{
    const auto nanos = ceil(duration).count();
    return nanos > 0 ? static_cast<std::uint64_t>(nanos) : 0;
}

/// For C: what was before the clock began is its beginning.
[[nodiscard]] constexpr std::uint64_t count(time_point instant) noexcept
{
    return count(instant.time_since_epoch());
}

[[nodiscard]] constexpr nanoseconds from_count(std::uint64_t nanos) noexcept
{
    constexpr auto most = static_cast<std::uint64_t>(nanoseconds::max().count());
    return nanoseconds{static_cast<nanoseconds::rep>(nanos < most ? nanos : most)};
}

[[nodiscard]] constexpr time_point instant(std::uint64_t nanos) noexcept
{
    return time_point{from_count(nanos)};
}

/// An instant that has come. Those fit: the clock does not reach 292 years.
[[nodiscard]] constexpr time_point reading(std::uint64_t nanos) noexcept
{
    return time_point{nanoseconds{static_cast<nanoseconds::rep>(nanos)}};
}

/// When the clock will have moved as far as another clock has to move to `instant`.
///
/// The other clock is read first: whatever passes between the readings makes this later.
template <class Clock, class Duration>
[[nodiscard]] time_point translated(const std::chrono::time_point<Clock, Duration>& instant)
{
    if constexpr (std::is_same_v<Clock, clock>) {
        return time_point{ceil(instant.time_since_epoch())};
    } else {
        const auto rest = ceil(instant - Clock::now());
        const auto now = clock::now();
        return rest < time_point::max() - now ? now + rest : time_point::max();
    }
}

} // namespace detail

} // namespace punctual

#endif
