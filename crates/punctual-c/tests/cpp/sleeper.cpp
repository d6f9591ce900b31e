// Sleeping: never early, stopped by other threads, and options that are refused.
#include <doctest/doctest.h>
#include <punctual/sleeper.hpp>

#include <chrono>
#include <cstdio>
#include <ostream>
#include <string>
#include <thread>
#include <utility>

using namespace std::chrono_literals;
using punctual::margin;
using punctual::sleeper;

TEST_CASE("a wait is never early, and says how it went")
{
    sleeper one;
    const auto before = punctual::clock::now();
    const auto wake = one.sleep_for(2ms);
    CHECK(wake.woke <= punctual::clock::now());
    CHECK(wake.deadline >= before + 2ms);
    CHECK(wake.lateness() >= 0ns);
    CHECK(wake.slept + wake.spun <= wake.woke - before);
}

TEST_CASE("a deadline is met as it was given")
{
    sleeper one;
    const auto deadline = punctual::clock::now() + 1ms;
    CHECK(one.sleep_until(deadline).deadline == deadline);
    CHECK(punctual::clock::now() >= deadline);
    const auto earliest = punctual::clock::now() + 1ms;
    CHECK(one.sleep_within(earliest, earliest + 1ms).woke >= earliest);
    CHECK(one.sleep_within(earliest, earliest - 1ms).deadline == earliest);
}

TEST_CASE("any unit and any number will do")
{
    sleeper one;
    const auto before = punctual::clock::now();
    one.sleep_for(std::chrono::duration<double, std::milli>{0.5});
    CHECK(punctual::clock::now() >= before + 500us);
    one.sleep_until(std::chrono::time_point_cast<std::chrono::seconds>(before));
    one.sleep_for(-1h);
    one.sleep_until(punctual::clock::time_point{});
    one.sleep_until(punctual::clock::time_point::min());
    punctual::sleep_for(10us);
    punctual::sleep_until(punctual::clock::now() + 10us);
}

TEST_CASE("a deadline of the wall clock has come there")
{
    const auto deadline = std::chrono::system_clock::now() + 1ms;
    punctual::sleep_until(deadline);
    CHECK(std::chrono::system_clock::now() >= deadline);
}

TEST_CASE("every way of waiting waits")
{
    for (const auto& how : {margin{}, margin::aiming_at(0.001, 0.5), margin::coarse(), margin::exact(), margin::fixed(100us)}) {
        sleeper one{how};
        CHECK(one.sleep_for(100us).lateness() >= 0ns);
        one.pause();
        CHECK(one.sleep_for(100us).lateness() >= 0ns);
    }
    punctual::sleep_options options;
    options.margin = margin::fixed(1h);
    options.spin = punctual::spin::yield;
    options.slice = punctual::slice::unchanged;
    CHECK(sleeper{options}.sleep_for(10us).slept == 0ns);
}

TEST_CASE("a sleeper moves")
{
    sleeper first{margin::exact()};
    sleeper second = std::move(first);
    second.sleep_for(10us);
    first = std::move(second);
    CHECK(first.sleep_for(10us).lateness() >= 0ns);
}

TEST_CASE("options out of range are refused, and the text says why")
{
    const auto refused = [](const margin& how) {
        try {
            sleeper{how};
        } catch (const punctual::error& error) {
            CHECK(error.code() == punctual::errc::invalid);
            CHECK(error.code() == std::errc::invalid_argument);
            CHECK(std::string{error.what()}.size() > error.code().message().size());
            return true;
        }
        return false;
    };
    CHECK(refused(margin::aiming_at(0, 0.05)));
    CHECK(refused(margin::aiming_at(0.9, 0.05)));
    CHECK(refused(margin::aiming_at(0.01, 0)));
    CHECK(refused(margin::aiming_at(0.01, 2)));
}

TEST_CASE("the budget of the process is a share")
{
    punctual::set_process_budget(0.1);
    punctual::set_process_budget(0.05);
    try {
        punctual::set_process_budget(2);
        CHECK(false);
    } catch (const punctual::error& error) {
        CHECK(error.code() == punctual::errc::invalid);
    }
}

TEST_CASE("a signal ends a wait, every later one, and none after it was reset")
{
    sleeper one;
    const punctual::stop_signal stop;
    CHECK(one.sleep_for(10us, stop).has_value());
    std::thread stopper{[&] { stop.request_stop(); }};
    CHECK_FALSE(one.sleep_for(24h, stop).has_value());
    stopper.join();
    CHECK(stop.stop_requested());
    CHECK_FALSE(one.sleep_until(punctual::clock::now() + 24h, stop).has_value());
    stop.reset();
    CHECK(one.sleep_until(punctual::clock::now() + 10us, stop).has_value());
}

#if PUNCTUAL_HAS_STOP_TOKEN
TEST_CASE("a stop token ends a wait, and the next token is another")
{
    sleeper one;
    std::stop_source source;
    std::thread stopper{[&] { source.request_stop(); }};
    CHECK_FALSE(one.sleep_for(24h, source.get_token()).has_value());
    stopper.join();
    CHECK_FALSE(one.sleep_until(punctual::clock::now() + 24h, source.get_token()).has_value());
    CHECK(one.sleep_for(10us, std::stop_source{}.get_token()).has_value());
    CHECK(one.sleep_for(10us, std::stop_token{}).has_value());
    CHECK_FALSE(punctual::sleep_for(24h, source.get_token()).has_value());
    CHECK(punctual::sleep_until(punctual::clock::now(), std::stop_token{}).has_value());
}

TEST_CASE("a stop that comes at any time leaves nothing behind")
{
#if defined(__MINGW32__) && defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE < 13
    std::puts("skipped: the end of a std::stop_callback can wait forever in libstdc++ 12 for Windows");
    return;
#endif
    sleeper one{margin::exact()};
    for (int i = 0; i < 1'000; ++i) {
        std::stop_source source;
        std::thread stopper{[&] { source.request_stop(); }};
        one.sleep_for(20us, source.get_token());
        stopper.join();
        REQUIRE(one.sleep_for(0ns, std::stop_source{}.get_token()).has_value());
    }
}
#endif
