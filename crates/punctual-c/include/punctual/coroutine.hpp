// Coroutines that wait for a driver.
#ifndef PUNCTUAL_COROUTINE_HPP
#define PUNCTUAL_COROUTINE_HPP

#include <punctual/driver.hpp>

#if PUNCTUAL_HAS_COROUTINES

#include <atomic>
#include <coroutine>
#include <memory>

namespace punctual {

namespace detail {

/// A suspended coroutine: of the `delay` in its frame, and of the driver. Whichever ends last deletes it.
class suspended {
public:
    explicit suspended(std::coroutine_handle<> coroutine) noexcept : coroutine_{coroutine} {}

    suspended(const suspended&) = delete;
    suspended& operator=(const suspended&) = delete;

    /// The driver's side.
    static void fire(void* context, const punctual_firing* found) noexcept
    {
        auto& self = *static_cast<suspended*>(context);
        self.found_ = firing::of(*found);
        self.resume(PUNCTUAL_OK);
    }

    /// After it fired, or instead. A call that the driver refuses has its own way to say so.
    static void drop(void* context) noexcept
    {
        auto* const self = static_cast<suspended*>(context);
        if (arming() != self) {
            self->resume(PUNCTUAL_SHUT_DOWN);
        }
        self->release();
    }

    /// Asks the driver for the wake-up. From here on the coroutine may run, and end, on another thread.
    template <class Add>
    static punctual_status arm(suspended& self, Add add) noexcept
    {
        self.owners_.fetch_add(1, std::memory_order_relaxed);
        auto* const outer = std::exchange(arming(), &self);
        const auto status = add(&self, &self.timer_);
        arming() = outer;
        self.release();
        return status;
    }

    /// The frame's side: the coroutine goes on, or is destroyed.
    void leave() noexcept
    {
        auto expected = phase::waiting;
        if (phase_.compare_exchange_strong(expected, phase::over)) {
            punctual_timer_cancel(timer_);
        }
        release();
    }

    [[nodiscard]] firing result() const
    {
        check_running(status_);
        return found_;
    }

private:
    enum class phase { waiting, over };

    ~suspended() { punctual_timer_free(timer_); }

    /// Unless it goes on already, or was destroyed.
    void resume(punctual_status status) noexcept
    {
        auto expected = phase::waiting;
        if (phase_.compare_exchange_strong(expected, phase::over)) {
            status_ = status;
            coroutine_.resume();
        }
    }

    void release() noexcept
    {
        if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            delete this;
        }
    }

    /// What the calling thread is just handing to a driver.
    static suspended*& arming() noexcept
    {
        thread_local suspended* one = nullptr;
        return one;
    }

    std::coroutine_handle<> coroutine_;
    /// The frame and the driver.
    std::atomic<int> owners_{2};
    std::atomic<phase> phase_{phase::waiting};
    punctual_status status_ = PUNCTUAL_OK;
    firing found_{};
    punctual_timer* timer_ = nullptr;
};

} // namespace detail

/// What `co_await driver.after(5ms)` waits for. It gives a `firing`, and throws `errc::shut_down` if the
/// driver is stopped meanwhile.
///
/// The coroutine is resumed on the driver's thread, where it should not stay for long: other timers
/// wait. When the driver is stopped, it is resumed on the thread that stops it, or on the driver's.
///
/// A coroutine that is destroyed while it waits is not resumed. As with any coroutine, nobody may destroy
/// it while it runs: do it on the driver's thread, or after the driver was stopped, or where it is known
/// to wait.
class delay {
public:
    delay(const delay&) = delete;
    delay& operator=(const delay&) = delete;

    ~delay()
    {
        if (suspended_ != nullptr) {
            suspended_->leave();
        }
    }

    [[nodiscard]] bool await_ready() const noexcept { return false; }

    void await_suspend(std::coroutine_handle<> coroutine)
    {
        auto* const suspended = new detail::suspended{coroutine};
        suspended_ = suspended;
        // Nothing of `this` afterwards, unless it is refused: it is in the coroutine's frame.
        const auto status = detail::suspended::arm(*suspended, [&](void* context, punctual_timer** timer) noexcept {
            return is_duration_ ? punctual_driver_after(driver_, nanos_, tolerance_, &detail::suspended::fire, context, &detail::suspended::drop, timer)
                                : punctual_driver_once(driver_, nanos_, detail::later(nanos_, nanoseconds{tolerance_}), &detail::suspended::fire, context, &detail::suspended::drop, timer);
        });
        if (status != PUNCTUAL_OK) {
            detail::check_running(status);
        }
    }

    firing await_resume() const { return suspended_->result(); }

private:
    friend class driver;

    delay(const punctual_driver* driver, bool is_duration, std::uint64_t nanos, std::uint64_t tolerance) noexcept
        : driver_{driver}, is_duration_{is_duration}, nanos_{nanos}, tolerance_{tolerance}
    {
    }

    const punctual_driver* driver_;
    bool is_duration_;
    std::uint64_t nanos_;
    std::uint64_t tolerance_;
    detail::suspended* suspended_ = nullptr;
};

template <class Rep, class Period>
delay driver::after(const std::chrono::duration<Rep, Period>& duration, nanoseconds tolerance) const noexcept
{
    return {handle_.get(), true, detail::count(duration), detail::count(tolerance)};
}

inline delay driver::at(time_point deadline, nanoseconds tolerance) const noexcept
{
    return {handle_.get(), false, detail::count(deadline), detail::count(tolerance)};
}

} // namespace punctual

#endif

#endif
