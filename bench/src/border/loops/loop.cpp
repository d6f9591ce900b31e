// The loop in C++.
#include "border.h"

#include <punctual/sleeper.hpp>
#include <punctual/ticker.hpp>

#include <chrono>
#include <variant>

using namespace std::chrono_literals;

namespace {

punctual::time_point now()
{
    return punctual::time_point{punctual::nanoseconds{border_now()}};
}

std::uint64_t since(punctual::time_point deadline)
{
    return static_cast<std::uint64_t>((now() - deadline).count());
}

std::uint32_t wait(punctual::ticker& ticker, punctual::nanoseconds period, std::uint32_t waits, std::uint64_t* lateness_ns)
{
    std::uint32_t done = 0;
    std::uint64_t passed = 0;
    ticker.set_period(period);
    ticker.restart_at(now() + period);
    for (const auto& tick : ticker) {
        lateness_ns[done++] = since(tick.deadline);
        passed += 1 + tick.missed;
        if (passed >= waits) {
            break;
        }
    }
    ticker.pause();
    return done;
}

std::uint32_t wait(punctual::sleeper& sleeper, punctual::nanoseconds period, std::uint32_t waits, std::uint64_t* lateness_ns)
{
    std::uint32_t done = 0;
    const auto start = now();
    for (std::uint32_t i = 1; i <= waits; ++i) {
        const auto deadline = start + i * period;
        if (now() >= deadline) {
            continue;
        }
        sleeper.sleep_until(deadline);
        lateness_ns[done++] = since(deadline);
    }
    sleeper.pause();
    return done;
}

} // namespace

struct border_cpp {
    std::variant<punctual::sleeper, punctual::ticker> way;
};

extern "C" border_cpp* border_cpp_new(int way, std::uint64_t margin_ns)
try {
    switch (way) {
    case BORDER_TICKER:
        return new border_cpp{punctual::ticker{1s}};
    case BORDER_MARGIN:
        return new border_cpp{punctual::sleeper{punctual::margin::fixed(std::chrono::nanoseconds{margin_ns})}};
    default:
        return new border_cpp{punctual::sleeper{}};
    }
} catch (...) {
    return nullptr;
}

extern "C" void border_cpp_free(border_cpp* loop)
{
    delete loop;
}

extern "C" std::uint32_t border_cpp_wait(border_cpp* loop, std::uint64_t period_ns, std::uint32_t waits, std::uint64_t* lateness_ns)
{
    const punctual::nanoseconds period{period_ns};
    return std::visit([&](auto& way) { return wait(way, period, waits, lateness_ns); }, loop->way);
}
