// A control loop at 1 kHz: with real-time priority and memory in RAM where the system permits, and without
// where it does not. It steers a cart on a spring to a position, and prints how late its ticks came.
//
//     robot [SECONDS]
#include <punctual.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <system_error>

using namespace std::chrono_literals;

namespace {

constexpr punctual::hertz rate{1'000};

/// What is to be moved. A real one would be read and driven over a bus.
class cart {
public:
    [[nodiscard]] double position() const { return position_; }

    /// Pushes with a force for a time.
    void push(double newtons, std::chrono::duration<double> time)
    {
        constexpr double kilograms = 2;
        constexpr double spring = 5;
        velocity_ += (newtons - spring * position_) / kilograms * time.count();
        position_ += velocity_ * time.count();
    }

private:
    double position_ = 0;
    double velocity_ = 0;
};

/// A controller with a proportional, an integral and a derivative part.
class controller {
public:
    [[nodiscard]] double force(double error, std::chrono::duration<double> time)
    {
        constexpr double proportional = 400;
        constexpr double integral = 300;
        constexpr double derivative = 60;
        const double slope = time.count() > 0 ? (error - last_) / time.count() : 0;
        sum_ += error * time.count();
        last_ = error;
        return proportional * error + integral * sum_ + derivative * slope;
    }

private:
    double sum_ = 0;
    double last_ = 0;
};

} // namespace

int main(int arguments, char** values)
try {
    const std::chrono::duration<double> seconds{arguments > 1 ? std::atof(values[1]) : 1.0};

    std::error_code reason;
    const punctual::memory_guard memory{reason};
    if (!memory) {
        std::fprintf(stderr, "memory stays where the system puts it: %s\n", reason.message().c_str());
    }
    const punctual::priority_guard priority{punctual::priority::realtime(), reason};
    if (!priority) {
        std::fprintf(stderr, "an ordinary thread: %s\n", reason.message().c_str());
    }

    constexpr double target = 0.1;
    cart cart;
    controller controller;
    punctual::lateness_stats stats;
    const auto end = punctual::clock::now() + std::chrono::duration_cast<punctual::nanoseconds>(seconds);
    for (const auto& tick : punctual::ticker{rate}) {
        stats.record(tick);
        cart.push(controller.force(target - cart.position(), tick.interval), tick.interval);
        if (tick.woke >= end) {
            break;
        }
    }

    const auto summary = stats.summary();
    const auto micros = [](punctual::nanoseconds time) { return static_cast<double>(time.count()) / 1e3; };
    std::printf("at %.3f m of %.3f m after %llu ticks, %llu missed\n", cart.position(), target,
        static_cast<unsigned long long>(summary.count), static_cast<unsigned long long>(summary.missed));
    std::printf("late by %.3f µs (p50), %.3f µs (p99), %.3f µs at worst\n", micros(summary.p50), micros(summary.p99),
        micros(summary.worst));
} catch (const punctual::error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return EXIT_FAILURE;
}
