// Drivers: callbacks of all kinds, when they are called, and when they are destroyed.
#include <doctest/doctest.h>
#include <punctual/driver.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <ostream>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using punctual::cancellation;
using punctual::driver;
using punctual::firing;
using punctual::then;
using punctual::tick;

TEST_CASE("a callback is called once, not before its time, on the driver's thread")
{
    driver timers;
    std::promise<std::pair<firing, std::thread::id>> called;
    const auto deadline = punctual::clock::now() + 1ms;
    timers.once(deadline, [&](const firing& firing) { called.set_value({firing, std::this_thread::get_id()}); }, 1us);
    const auto [firing, thread] = called.get_future().get();
    CHECK(firing.deadline() == deadline);
    CHECK(firing.latest == deadline + 1us);
    CHECK(firing.woke >= deadline);
    CHECK(firing.lateness() >= firing.excess());
    CHECK(thread != std::this_thread::get_id());
}

TEST_CASE("anything that can be called is a callback, and is destroyed after its call")
{
    driver timers;
    std::promise<int> called;
    auto answer = called.get_future();
    auto owned = std::make_unique<int>(42);
    auto alive = std::make_shared<int>();
    const std::weak_ptr<int> watched = alive;
    timers.after(0ms, [&called, owned = std::move(owned), alive = std::move(alive)] { called.set_value(*owned); });
    CHECK(answer.get() == 42);
    timers.stop();
    CHECK(watched.expired());
}

TEST_CASE("a function that has a name is a callback as well")
{
    static std::promise<void> called;
    struct local {
        static void run() { called.set_value(); }
    };
    driver timers;
    timers.soon(&local::run);
    called.get_future().wait();
}

TEST_CASE("a cancelled callback is destroyed at once, and not called")
{
    driver timers;
    auto alive = std::make_shared<int>();
    const std::weak_ptr<int> watched = alive;
    const auto timer = timers.after(24h, [alive = std::move(alive)] { FAIL("it was cancelled"); });
    CHECK(timers.counters().waiting == 1);
    CHECK(timer.cancel() == cancellation::prevented);
    CHECK(watched.expired());
    CHECK(timer.cancel() == cancellation::too_late);
    CHECK_FALSE(timer.move_to(punctual::clock::now()));
    CHECK(timers.counters().waiting == 0);
}

TEST_CASE("who cancels a running callback is told so")
{
    driver timers;
    std::promise<void> entered;
    std::promise<void> may_leave;
    const auto timer = timers.after(0ms, [&, leave = may_leave.get_future()]() mutable {
        entered.set_value();
        leave.wait();
    });
    entered.get_future().wait();
    CHECK(timer.cancel() == cancellation::under_way);
    may_leave.set_value();
}

TEST_CASE("a callback moves to another time")
{
    driver timers;
    std::promise<void> called;
    const auto timer = timers.after(24h, [&] { called.set_value(); }, 1h);
    CHECK(timer.move_to(punctual::clock::now()));
    called.get_future().wait();
}

TEST_CASE("a repeating callback is called until it says stop")
{
    driver timers;
    std::vector<std::uint64_t> seen;
    std::promise<void> done;
    punctual::tick_options options;
    options.missed = punctual::missed_ticks::burst();
    options.tolerance = 1us;
    timers.every(10us, [&, own = std::make_unique<int>(0)](const tick& tick) {
        seen.push_back(tick.index);
        if (++*own < 5) {
            return then::again;
        }
        done.set_value();
        return then::stop;
    }, options);
    done.get_future().wait();
    timers.stop();
    CHECK(seen == std::vector<std::uint64_t>{0, 1, 2, 3, 4});
    CHECK(timers.counters().fired >= 5);
}

TEST_CASE("a repeating callback that returns nothing is called until it is cancelled")
{
    driver timers;
    std::promise<void> thrice;
    const auto timer = timers.every(24h, [&, calls = 0]() mutable {
        if (++calls == 3) {
            thrice.set_value();
        }
    });
    // From now on in a hurry.
    CHECK(timer.set_period(10us));
    CHECK(timer.move_to(punctual::clock::now()));
    thrice.get_future().wait();
    CHECK(timer.cancel() != cancellation::too_late);
    CHECK_FALSE(timer.set_period(1ms));
}

TEST_CASE("callbacks add callbacks, and stop their driver")
{
    driver timers;
    std::promise<void> last;
    timers.soon([&] {
        timers.soon([&] {
            timers.stop();
            last.set_value();
        });
    });
    last.get_future().wait();
}

TEST_CASE("a stopped driver destroys what waits, and takes nothing more")
{
    driver timers;
    auto alive = std::make_shared<int>();
    const std::weak_ptr<int> watched = alive;
    const auto timer = timers.every(24h, [alive] {});
    alive.reset();
    timers.stop();
    CHECK(watched.expired());
    auto refused = std::make_shared<int>();
    const std::weak_ptr<int> also_watched = refused;
    try {
        timers.once(punctual::clock::now(), [refused = std::move(refused)] {});
        FAIL("it was stopped");
    } catch (const punctual::error& error) {
        CHECK(error.code() == punctual::errc::shut_down);
    }
    CHECK(also_watched.expired());
    CHECK(timer.cancel() == cancellation::too_late);
}

TEST_CASE("timers outlive their driver")
{
    punctual::timer timer;
    CHECK_FALSE(timer);
    {
        driver timers;
        timer = timers.after(24h, [] {});
        driver moved = std::move(timers);
        CHECK(moved.counters().waiting == 1);
    }
    CHECK(timer);
    CHECK(timer.cancel() == cancellation::too_late);
}

TEST_CASE("many threads share a driver")
{
    std::atomic<int> calls{0};
    {
        driver timers;
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&] {
                for (int j = 0; j < 250; ++j) {
                    const auto timer = timers.after(std::chrono::microseconds{j % 7}, [&] { ++calls; });
                    if (j % 5 == 0 && timer.cancel() == cancellation::prevented) {
                        ++calls;
                    }
                }
            });
        }
        for (auto& thread : threads) {
            thread.join();
        }
        while (timers.counters().waiting > 0) {
            std::this_thread::yield();
        }
    }
    CHECK(calls == 1'000);
}
