// Guards and statistics.
#include <doctest/doctest.h>
#include <punctual/guards.hpp>
#include <punctual/stats.hpp>

#include <chrono>
#include <ostream>
#include <string>
#include <utility>

using namespace std::chrono_literals;
using punctual::errc;

namespace {

/// A guard is there, or the reason why not.
template <class Guard, class... Arguments>
void guards_or_says_why(Arguments... arguments)
{
    std::error_code reason;
    const Guard guard{arguments..., reason};
    CHECK(static_cast<bool>(guard) == !reason);
    if (reason) {
        CHECK(reason.category() == punctual::category());
        CHECK_FALSE(reason.message().empty());
        CHECK_THROWS_AS((Guard{arguments...}), punctual::error);
    }
}

} // namespace

TEST_CASE("a guard is there, or the reason why not")
{
    guards_or_says_why<punctual::priority_guard>(punctual::priority::high());
    guards_or_says_why<punctual::priority_guard>(punctual::priority::realtime());
    guards_or_says_why<punctual::slice_guard>(1ms);
    guards_or_says_why<punctual::pin_guard>(0U);
    guards_or_says_why<punctual::memory_guard>();
}

TEST_CASE("guards move, and end once")
{
    std::error_code reason;
    punctual::pin_guard first{{0}, reason};
    const bool was_there = static_cast<bool>(first);
    const punctual::pin_guard second = std::move(first);
    CHECK_FALSE(first);
    CHECK(static_cast<bool>(second) == was_there);
}

TEST_CASE("bad input to a guard is refused")
{
    std::error_code reason;
    CHECK_FALSE(punctual::priority_guard{punctual::priority::fifo(0), reason});
    CHECK(reason == errc::invalid);
    CHECK(reason == std::errc::invalid_argument);
    CHECK_FALSE(punctual::priority_guard{punctual::priority::fifo(-1), reason});
    CHECK(reason == errc::invalid);
    CHECK_FALSE(punctual::priority_guard{punctual::priority::fifo(100), reason});
    CHECK(reason == errc::invalid);
    CHECK_THROWS_AS((punctual::pin_guard{nullptr, 1}), punctual::error);
}

TEST_CASE("an error has the name of its category and a message")
{
    const std::error_code code = errc::not_permitted;
    CHECK(code == std::errc::operation_not_permitted);
    CHECK(std::string{code.category().name()} == "punctual");
    CHECK(std::string{punctual::error{errc::shut_down}.what()} == code.category().message(PUNCTUAL_SHUT_DOWN));
    CHECK(std::error_code{errc::busy} == std::errc::device_or_resource_busy);
    CHECK(std::error_code{errc::unsupported} == std::errc::function_not_supported);
}

TEST_CASE("statistics count what they are told")
{
    punctual::lateness_stats stats;
    CHECK(stats.summary().count == 0);
    CHECK_FALSE(stats.last_second().has_value());
    const punctual::time_point start{1h};
    for (int i = 0; i < 10; ++i) {
        const auto deadline = start + i * 100ms;
        CHECK_FALSE(stats.record(deadline, deadline + 5us).has_value());
    }
    punctual::tick late{};
    late.deadline = start + 1100ms;
    late.woke = late.deadline + 1ms;
    late.missed = 1;
    const auto second = stats.record(late);
    REQUIRE(second.has_value());
    CHECK(second->count == 10);
    CHECK(second->worst == 5us);
    const auto all = stats.summary();
    CHECK(all.count == 11);
    CHECK(all.missed == 1);
    CHECK(all.p50 >= 4us);
    CHECK(all.p50 <= 6us);
    CHECK(all.worst == 1ms);
    CHECK(all.rate_hertz > 0);
    stats.resume();
    stats.reset();
    CHECK(stats.summary().count == 0);
}
