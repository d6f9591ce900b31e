// Three lamps that blink, each a coroutine of its own, on the one thread of a driver.
#include <punctual.hpp>

#include <chrono>
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <latch>

using namespace std::chrono_literals;

namespace {

/// A coroutine that runs by itself, and whose frame goes when it ends. Any library's task will do as well.
struct detached {
    struct promise_type {
        detached get_return_object() noexcept { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { std::terminate(); }
    };
};

detached blink(punctual::driver& driver, char lamp, punctual::nanoseconds on, std::latch& done)
{
    // Deadlines that follow each other, and not durations: these do not drift.
    auto deadline = punctual::clock::now();
    for (int i = 0; i < 5; ++i) {
        const auto firing = co_await driver.at(deadline += on);
        std::printf("%c %s, %lld ns late\n", lamp, i % 2 == 0 ? "on" : "off", static_cast<long long>(firing.lateness().count()));
    }
    done.count_down();
}

} // namespace

int main()
try {
    std::latch done{3};
    punctual::driver driver;
    blink(driver, 'A', 20ms, done);
    blink(driver, 'B', 25ms, done);
    blink(driver, 'C', 33'333us, done);
    done.wait();
} catch (const punctual::error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return EXIT_FAILURE;
}
