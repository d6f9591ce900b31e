// Coroutines: where they are resumed, and what becomes of them when something ends before its time.
#include <doctest/doctest.h>
#include <punctual/coroutine.hpp>

#if PUNCTUAL_HAS_COROUTINES

#include <atomic>
#include <chrono>
#include <coroutine>
#include <exception>
#include <future>
#include <memory>
#include <ostream>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using punctual::driver;
using punctual::firing;

namespace {

/// A coroutine that starts at once, and that its frame outlives until this ends.
class task {
public:
    struct promise_type {
        task get_return_object() { return task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { std::terminate(); }
    };

    explicit task(std::coroutine_handle<promise_type> frame) : frame_{frame} {}
    task(task&& other) noexcept : frame_{std::exchange(other.frame_, {})} {}
    ~task() { destroy(); }

    void destroy()
    {
        if (auto frame = std::exchange(frame_, {})) {
            frame.destroy();
        }
    }

private:
    std::coroutine_handle<promise_type> frame_;
};

task tell(driver& timers, std::promise<std::pair<firing, std::thread::id>>& told)
{
    const auto firing = co_await timers.after(1ms);
    told.set_value({firing, std::this_thread::get_id()});
}

task wait_until(driver& timers, punctual::clock::time_point deadline, std::promise<firing>& told)
{
    told.set_value(co_await timers.at(deadline, 1us));
}

task fall_asleep(driver& timers, std::shared_ptr<int> kept, bool& woke)
{
    co_await timers.after(24h);
    woke = kept != nullptr;
}

task expect_shut_down(driver& timers, int& refusals)
{
    for (int i = 0; i < 2; ++i) {
        try {
            co_await timers.after(24h);
        } catch (const punctual::error& error) {
            refusals += error.code() == punctual::errc::shut_down ? 1 : 0;
        }
    }
}

task count_down(driver& timers, int times, std::atomic<int>& running)
{
    while (times-- > 0) {
        co_await timers.after(std::chrono::nanoseconds{times % 3 * 500});
    }
    --running;
}

} // namespace

TEST_CASE("a coroutine goes on on the driver's thread, not before its time")
{
    driver timers;
    std::promise<std::pair<firing, std::thread::id>> told;
    const auto before = punctual::clock::now();
    const auto running = tell(timers, told);
    const auto [firing, thread] = told.get_future().get();
    timers.stop();
    CHECK(firing.deadline() >= before + 1ms);
    CHECK(firing.lateness() >= 0ns);
    CHECK(thread != std::this_thread::get_id());
}

TEST_CASE("a coroutine waits for an instant")
{
    driver timers;
    std::promise<firing> told;
    const auto deadline = punctual::clock::now() + 100us;
    const auto running = wait_until(timers, deadline, told);
    CHECK(told.get_future().get().deadline() == deadline);
    timers.stop();
}

TEST_CASE("a coroutine that is destroyed while it waits leaves no timer, and is not resumed")
{
    driver timers;
    auto kept = std::make_shared<int>();
    bool woke = false;
    auto asleep = fall_asleep(timers, kept, woke);
    CHECK(timers.counters().waiting == 1);
    CHECK(kept.use_count() == 2);
    asleep.destroy();
    CHECK(timers.counters().waiting == 0);
    CHECK(kept.use_count() == 1);
    timers.stop();
    CHECK_FALSE(woke);
}

TEST_CASE("a coroutine is destroyed on the driver's thread")
{
    driver timers;
    auto kept = std::make_shared<int>();
    bool woke = false;
    auto asleep = fall_asleep(timers, kept, woke);
    std::promise<void> destroyed;
    timers.soon([&] {
        asleep.destroy();
        destroyed.set_value();
    });
    destroyed.get_future().wait();
    CHECK(kept.use_count() == 1);
    CHECK_FALSE(woke);
}

TEST_CASE("who waits for a driver that is stopped is told so, and so is who comes later")
{
    int refusals = 0;
    driver timers;
    const auto refused = expect_shut_down(timers, refusals);
    timers.stop();
    CHECK(refusals == 2);
    const auto late = expect_shut_down(timers, refusals);
    CHECK(refusals == 4);
}

TEST_CASE("a delay that nobody waits for is nothing")
{
    driver timers;
    static_cast<void>(timers.after(24h));
    CHECK(timers.counters().waiting == 0);
}

TEST_CASE("many coroutines take turns")
{
    constexpr int coroutines = 100;
    std::atomic<int> running{coroutines};
    driver timers;
    std::vector<task> tasks;
    for (int i = 0; i < coroutines; ++i) {
        tasks.push_back(count_down(timers, 20, running));
    }
    while (running > 0) {
        std::this_thread::yield();
    }
    timers.stop();
}

#endif
