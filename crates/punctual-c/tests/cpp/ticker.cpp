// Tickers: exact schedules, ranges, stops, and what becomes of missed ticks.
#include <doctest/doctest.h>
#include <punctual/ticker.hpp>

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#if defined(__cpp_lib_ranges)
#include <ranges>
#endif

using namespace std::chrono_literals;
using punctual::hertz;
using punctual::missed_ticks;
using punctual::tick;
using punctual::tick_options;
using punctual::ticker;

namespace {

tick_options starting(punctual::clock::time_point start, missed_ticks missed = missed_ticks::skip())
{
    tick_options options;
    options.start = start;
    options.missed = missed;
    return options;
}

} // namespace

TEST_CASE("a loop over a ticker has one tick per period")
{
    std::uint64_t expected = 0;
    for (const auto tick : ticker{10us, starting(punctual::clock::now(), missed_ticks::burst())}) {
        CHECK(tick.index == expected++);
        CHECK(tick.missed == 0);
        CHECK(tick.lateness() >= 0ns);
        CHECK(tick.woke <= punctual::clock::now());
        if (tick.index == 5) {
            break;
        }
    }
    CHECK(expected == 6);
}

TEST_CASE("a schedule does not drift: its deadlines are those of an exact fraction")
{
    const auto start = punctual::clock::now();
    ticker video{hertz{60'000'000, 1'001}, starting(start, missed_ticks::burst())};
    for (std::int64_t index = 0; index < 300; ++index) {
        const auto tick = video.next();
        REQUIRE(tick.has_value());
        // 1001 / 60,000,000 s is 50050 / 3 ns.
        REQUIRE(tick->deadline - start == std::chrono::nanoseconds{index * 50'050 / 3});
    }
}

TEST_CASE("a loop goes on with the next tick where another has ended")
{
    ticker ticks{10us, starting(punctual::clock::now(), missed_ticks::burst())};
    for (const auto tick : ticks) {
        if (tick.index == 2) {
            break;
        }
    }
    for (const auto tick : ticks) {
        CHECK(tick.index == 3);
        break;
    }
    CHECK(ticks.next()->index == 4);
}

TEST_CASE("a late loop gets what its policy says")
{
    const auto long_ago = punctual::clock::now() - 1h;
    CHECK(ticker{1min, starting(long_ago, missed_ticks::burst())}.next()->index == 0);
    ticker skipping{1min, starting(long_ago)};
    const auto last = *skipping.next();
    CHECK(last.index >= 60);
    CHECK(last.missed == last.index);
    ticker bounded{1min, starting(long_ago, missed_ticks::burst_of(3))};
    CHECK(bounded.next()->index >= 58);
    ticker delaying{1h, starting(long_ago, missed_ticks::delay())};
    CHECK(delaying.next()->index == 0);
}

TEST_CASE("a ticker starts again where it is told, at the period it is told")
{
    ticker ticks{24h};
    CHECK(ticks.next()->index == 0);
    ticks.pause();
    const auto start = punctual::clock::now() + 100us;
    ticks.restart_at(start);
    const auto restarted = *ticks.next();
    CHECK(restarted.deadline == start);
    CHECK(restarted.missed == 0);
    ticks.set_period(10us);
    CHECK(ticks.next()->deadline > start);
    ticks.restart();
    CHECK(ticks.next()->missed == 0);
}

TEST_CASE("a signal ends a loop")
{
    const punctual::stop_signal stop;
    std::uint64_t ticks = 0;
    for (const auto tick : ticker{10us, stop}) {
        ++ticks;
        if (tick.index >= 2) {
            stop.request_stop();
        }
    }
    CHECK(ticks >= 1);
    ticker daily{24h, stop};
    CHECK_FALSE(daily.next().has_value());
    stop.reset();
    CHECK(daily.next().has_value());
    std::thread stopper{[&] { stop.request_stop(); }};
    CHECK_FALSE(daily.next().has_value());
    stopper.join();
}

TEST_CASE("a ticker keeps what it needs of a signal")
{
    auto ticks = [] {
        const punctual::stop_signal brief;
        return ticker{10us, brief};
    }();
    CHECK(ticks.next().has_value());
}

TEST_CASE("a ticker moves")
{
    ticker first{10us, starting(punctual::clock::now(), missed_ticks::burst())};
    CHECK(first.next()->index == 0);
    ticker second = std::move(first);
    CHECK(second.next()->index == 1);
}

TEST_CASE("what a ticker has no use for is refused")
{
    tick_options tolerant;
    tolerant.tolerance = 1ms;
    CHECK_THROWS_AS((ticker{1ms, tolerant}), punctual::error);
}

#if PUNCTUAL_HAS_STOP_TOKEN
TEST_CASE("a stop token ends a loop, wherever the ticker has moved")
{
    std::stop_source source;
    ticker first{24h, source.get_token()};
    CHECK(first.next().has_value());
    ticker second = std::move(first);
    std::thread stopper{[&] { source.request_stop(); }};
    for (const auto tick : second) {
        FAIL("a tick after the stop: ", tick.index);
    }
    stopper.join();
    CHECK_FALSE(ticker(1ms, source.get_token()).next().has_value());
    CHECK(ticker(1ms, std::stop_token{}).next().has_value());
}
#endif

#if defined(__cpp_lib_ranges)
static_assert(std::input_iterator<ticker::iterator>);
static_assert(std::sentinel_for<ticker::sentinel, ticker::iterator>);
static_assert(std::ranges::input_range<ticker>);

// Clang 15 and before cannot compile the views of libstdc++.
#if !defined(__clang__) || __clang_major__ >= 16
TEST_CASE("a view of five ticks waits for five")
{
    ticker ticks{10us, starting(punctual::clock::now(), missed_ticks::burst())};
    std::vector<std::uint64_t> seen;
    for (const auto& tick : ticks | std::views::take(5)) {
        seen.push_back(tick.index);
    }
    CHECK(seen == std::vector<std::uint64_t>{0, 1, 2, 3, 4});
    CHECK(ticks.next()->index == 5);
}

TEST_CASE("a view owns the ticker that it is made of")
{
    auto even = ticker{10us, starting(punctual::clock::now(), missed_ticks::burst())}
        | std::views::filter([](const tick& tick) { return tick.index % 2 == 0; })
        | std::views::transform(&tick::index) | std::views::take(3);
    std::vector<std::uint64_t> seen;
    std::ranges::copy(even, std::back_inserter(seen));
    CHECK(seen == std::vector<std::uint64_t>{0, 2, 4});
}
#endif
#endif
