// The clock is steady_clock where it is said to be, and no conversion makes a wait early.
#include <doctest/doctest.h>
#include <punctual/clock.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <type_traits>

using namespace std::chrono_literals;
using punctual::detail::ceil;
using punctual::detail::count;

#if defined(__linux__) || defined(_GLIBCXX_USE_CLOCK_MONOTONIC) || defined(_MSVC_STL_VERSION)
static_assert(std::is_same_v<punctual::clock, std::chrono::steady_clock>);
#endif

TEST_CASE("readings of the library lie between readings of the clock")
{
    // A counter of the system is rounded to nanoseconds here and there.
    constexpr auto rounding = 1ns;
    for (int i = 0; i < 10'000; ++i) {
        std::uint64_t nanos = 0;
        const auto before = punctual::clock::now();
        REQUIRE(punctual_now(&nanos) == PUNCTUAL_OK);
        const auto after = punctual::clock::now();
        const auto between = punctual::detail::instant(nanos);
        REQUIRE(before <= between + rounding);
        REQUIRE(between <= after + rounding);
    }
}

TEST_CASE("durations are rounded up to nanoseconds")
{
    CHECK(ceil(1ms) == 1'000'000ns);
    CHECK(ceil(std::chrono::duration<std::int64_t, std::pico>{1}) == 1ns);
    CHECK(ceil(std::chrono::duration<double>{1.5e-9}) == 2ns);
    CHECK(count(-1ms) == 0);
    CHECK(count(punctual::time_point{-5ns}) == 0);
}

TEST_CASE("what does not fit is as much as fits")
{
    CHECK(ceil(std::chrono::hours::max()) == std::chrono::nanoseconds::max());
    CHECK(ceil(std::chrono::duration<double>{1e300}) == std::chrono::nanoseconds::max());
    CHECK(ceil(std::chrono::hours::min()) == std::chrono::nanoseconds::min());
    CHECK(punctual::detail::from_count(~std::uint64_t{0}) == std::chrono::nanoseconds::max());
}

TEST_CASE("a duration that is not a number is no time")
{
    CHECK(count(std::chrono::duration<double>{std::numeric_limits<double>::quiet_NaN()}) == 0);
}

TEST_CASE("an instant of another clock is as far away as it is there")
{
    const auto there = std::chrono::system_clock::now() + 1h;
    const auto here = punctual::detail::translated(there);
    CHECK(here - punctual::clock::now() <= 1h);
    CHECK(here - punctual::clock::now() > 59min);
    const auto never = punctual::detail::translated(std::chrono::system_clock::time_point::max());
    CHECK(never > punctual::clock::now() + 24h * 365);
}
