// The code of docs/cpp.md, as far as it does not stand in other tests.
#include <doctest/doctest.h>
#include <punctual.hpp>

#if __cplusplus >= 202002L

#include <chrono>
#include <memory>
#include <ostream>

using namespace std::chrono_literals;

TEST_CASE("options are named where they are given")
{
    punctual::sleeper fixed{{.margin = punctual::margin::fixed(150us), .spin = punctual::spin::yield}};
    CHECK(fixed.sleep_for(10us).lateness() >= 0ns);
    punctual::ticker frames{punctual::hertz{144}, {.missed = punctual::missed_ticks::burst_of(3)}};
    frames.set_period(punctual::hertz{30});
    frames.set_period(10us);
    CHECK(frames.next()->index == 0);
}

TEST_CASE("a period is a rate or a duration, and not a number")
{
    static_assert(std::is_constructible_v<punctual::ticker, punctual::hertz>);
    static_assert(std::is_constructible_v<punctual::ticker, std::chrono::milliseconds>);
    static_assert(!std::is_constructible_v<punctual::ticker, int>);
}

TEST_CASE("a driver takes durations and callables, and gives delays for coroutines")
{
    punctual::driver driver;
    driver.every(1h, [](const punctual::tick& tick) { CHECK(tick.missed == 0); });
    auto order = std::make_unique<int>(1);
    const auto timer = driver.after(24h, [order = std::move(order)] { FAIL(*order); }, 1ms);
    CHECK(timer.cancel() == punctual::cancellation::prevented);
#if PUNCTUAL_HAS_COROUTINES
    static_assert(std::is_same_v<decltype(driver.after(5ms)), punctual::delay>);
    static_assert(std::is_same_v<decltype(driver.after(5ms, 1ms)), punctual::delay>);
    static_assert(std::is_same_v<decltype(driver.at(punctual::clock::now())), punctual::delay>);
#endif
}

#endif
