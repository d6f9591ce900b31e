// Periods are exact fractions of nanoseconds, and bad ones are refused.
#include <doctest/doctest.h>
#include <punctual/period.hpp>

#include <chrono>
#include <cstdint>
#include <limits>

using namespace std::chrono_literals;
using punctual::hertz;
using punctual::period;

namespace {

bool is(const period& found, std::uint64_t numerator, std::uint64_t denominator)
{
    return found.numerator() == numerator && found.denominator() == denominator;
}

} // namespace

TEST_CASE("a rate is an exact period in lowest terms")
{
    CHECK(is(hertz{60}, 50'000'000, 3));
    CHECK(is(hertz{1'000}, 1'000'000, 1));
    CHECK(is(hertz{60'000, 1'001}, 50'050'000, 3));
    // Whatever integers a program has.
    const short frames = 30;
    const std::uint64_t divisor = 1'001;
    CHECK(is(hertz{frames * 1'000, divisor}, 100'100'000, 3));
}

TEST_CASE("a period is known when the program is compiled")
{
    constexpr period frame = hertz{144};
    static_assert(frame.numerator() == 62'500'000 && frame.denominator() == 9);
    static_assert(period{1ms} == hertz{1'000});
    static_assert(period{1ms} != period{1us});
}

TEST_CASE("a duration is exact, whatever its unit")
{
    using frames = std::chrono::duration<int, std::ratio<1'001, 60'000>>;
    CHECK(is(frames{1}, 50'050'000, 3));
    CHECK(is(frames{3}, 50'050'000, 1));
    CHECK(is(1h, 3'600'000'000'000, 1));
    CHECK(is(std::chrono::duration<int, std::pico>{1'500}, 3, 2));
    // What overflows between is not refused if the result fits.
    CHECK(is(std::chrono::duration<std::uint64_t, std::pico>{~0ull}, 3'689'348'814'741'910'323, 200));
}

TEST_CASE("a duration of floating point is rounded to nanoseconds")
{
    CHECK(is(std::chrono::duration<double>{0.001}, 1'000'000, 1));
    CHECK(is(std::chrono::duration<float, std::milli>{0.5F}, 500'000, 1));
}

TEST_CASE("what is not positive is refused")
{
    CHECK_THROWS_AS((period{hertz{0}}), std::invalid_argument);
    CHECK_THROWS_AS((period{hertz{-60}}), std::invalid_argument);
    CHECK_THROWS_AS((period{hertz{60, 0}}), std::invalid_argument);
    CHECK_THROWS_AS((period{0ms}), std::invalid_argument);
    CHECK_THROWS_AS((period{-1ms}), std::invalid_argument);
    CHECK_THROWS_AS((period{std::chrono::duration<double>{std::numeric_limits<double>::quiet_NaN()}}), std::invalid_argument);
    CHECK_THROWS_AS((period{std::chrono::duration<double>{1e-12}}), std::invalid_argument);
}

TEST_CASE("what does not fit into 64 bits is refused")
{
    CHECK_THROWS_AS((period{std::chrono::duration<std::uint64_t>{~0ull}}), std::out_of_range);
    CHECK_THROWS_AS((period{std::chrono::duration<double>{1e300}}), std::out_of_range);
    CHECK_THROWS_AS((period{hertz{3, ~0ull - 1}}), std::out_of_range);
}
