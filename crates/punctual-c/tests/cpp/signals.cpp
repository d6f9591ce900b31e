// Signals: which waits they end, and which go on. Windows has none.
#if !defined(_WIN32)
#include <doctest/doctest.h>
#include <punctual.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <ostream>
#include <pthread.h>
#include <thread>

using namespace std::chrono_literals;

namespace {

extern "C" void ignore(int) {}

/// While it lives, this thread handles one signal after the other.
class alarms {
public:
    explicit alarms(int flags)
    {
        struct sigaction action{};
        action.sa_handler = ignore;
        action.sa_flags = flags;
        REQUIRE(sigaction(SIGUSR1, &action, nullptr) == 0);
        sender_ = std::thread{[this, to = pthread_self()] {
            while (!is_over_) {
                pthread_kill(to, SIGUSR1);
                std::this_thread::sleep_for(1ms);
            }
        }};
    }

    ~alarms()
    {
        is_over_ = true;
        sender_.join();
    }

    alarms(const alarms&) = delete;
    alarms& operator=(const alarms&) = delete;

private:
    std::atomic<bool> is_over_{false};
    std::thread sender_;
};

template <class Result>
void is_interrupted(const punctual::ending<Result>& ended)
{
    CHECK(ended.interrupted);
    CHECK_FALSE(ended.result.has_value());
    CHECK(ended.remaining > 0ns);
    CHECK(ended.remaining <= 1min);
}

} // namespace

TEST_CASE("a signal ends the waits that ask for it, whatever its handler was installed with")
{
    for (const auto flags : {0, SA_RESTART}) {
        punctual::sleeper sleeper;
        punctual::tick_options later;
        later.start = punctual::clock::now() + 1min;
        punctual::ticker ticker{1min, later};
        const punctual::stop_signal stop;
        const alarms signals{flags};
        is_interrupted(sleeper.sleep_for_or_signal(1min));
        is_interrupted(sleeper.sleep_for_or_signal(1min, stop));
        is_interrupted(sleeper.sleep_until_or_signal(punctual::clock::now() + 1min));
        is_interrupted(sleeper.sleep_until_or_signal(punctual::clock::now() + 1min, stop));
        is_interrupted(ticker.next_or_signal());
    }
}

TEST_CASE("all others go on")
{
    for (const auto flags : {0, SA_RESTART}) {
        punctual::sleeper sleeper;
        punctual::ticker ticker{2ms};
        const alarms signals{flags};
        const auto deadline = punctual::clock::now() + 5ms;
        CHECK(sleeper.sleep_until(deadline).woke >= deadline);
        CHECK(sleeper.sleep_for(5ms).lateness() >= 0ns);
        CHECK(punctual::sleep_for(5ms).lateness() >= 0ns);
        for (int i = 0; i < 3; ++i) {
            CHECK(ticker.next()->lateness() >= 0ns);
        }
    }
}

TEST_CASE("what no signal ends has a result, and what is stopped has none")
{
    punctual::sleeper sleeper;
    const auto slept = sleeper.sleep_for_or_signal(100us);
    CHECK(slept.result.has_value());
    CHECK_FALSE(slept.interrupted);
    CHECK(slept.remaining == 0ns);
    const punctual::stop_signal stop;
    punctual::ticker ticker{1min, stop};
    CHECK(ticker.next_or_signal().result->index == 0);
    stop.request_stop();
    CHECK_FALSE(ticker.next_or_signal().result.has_value());
    const auto stopped = sleeper.sleep_until_or_signal(punctual::clock::now() + 1min, stop);
    CHECK_FALSE(stopped.result.has_value());
    CHECK_FALSE(stopped.interrupted);
}
#endif
