// A loop that does not drift.
#ifndef PUNCTUAL_TICKER_HPP
#define PUNCTUAL_TICKER_HPP

#include <punctual/clock.hpp>
#include <punctual/error.hpp>
#include <punctual/period.hpp>
#include <punctual/schedule.hpp>
#include <punctual/sleeper.hpp>
#include <punctual/stop.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>

namespace punctual {

/// Where the deadlines of a ticker lie.
enum class phase : std::int32_t {
    /// Where it was told to start, or asked for its first tick.
    as_asked = PUNCTUAL_PHASE_AS_ASKED,
    /// Just after the interrupts that end waits, on a Windows without high-resolution timers.
    with_interrupts = PUNCTUAL_PHASE_WITH_INTERRUPTS,
    /// Away from the ticks of the Linux kernel, which would make them late on a busy machine.
    off_ticks = PUNCTUAL_PHASE_OFF_TICKS,
};

/// Wakes a thread once per period, on a schedule that does not drift. The first tick is the start itself.
///
///     for (const auto tick : punctual::ticker{punctual::hertz{60}}) { ... }
///
/// It is an input range: the wait happens when the loop asks whether there is another tick. So
/// `ticker | std::views::take(5)` waits for five ticks. A loop ends when the ticker is stopped. A second
/// loop goes on with the next tick.
///
/// Threads: one at a time, as for a `sleeper`. A ticker that was moved has new iterators.
class ticker {
public:
    class iterator;

    /// What an iterator is compared with, to know whether there is another tick.
    struct sentinel {};

    /// Throws `error` for a period or options out of range.
    explicit ticker(const period& period, const tick_options& ticks = {}, const sleep_options& sleep = {})
    {
        const auto when = ticks.c(period);
        const auto how = sleep.c();
        punctual_ticker* made = nullptr;
        detail::check(punctual_ticker_new(&when, &how, &made));
        handle_.reset(made);
    }

    /// Ends when the signal says so.
    ticker(const period& period, const stop_signal& stop, const tick_options& ticks = {}, const sleep_options& sleep = {})
        : ticker{period, ticks, sleep}
    {
        detail::check(punctual_ticker_set_cancel(handle_.get(), stop.c()));
    }

#if PUNCTUAL_HAS_STOP_TOKEN
    /// Ends when a stop is requested.
    ticker(const period& period, const std::stop_token& stop, const tick_options& ticks = {}, const sleep_options& sleep = {})
        : ticker{period, ticks, sleep}
    {
        stopping_ = std::make_unique<stopping>(stop);
        detail::check(punctual_ticker_set_cancel(handle_.get(), stopping_->signal.c()));
    }
#endif

    /// Waits for the next tick, and goes on after signals. If its deadline has passed, it comes at once. Nothing if
    /// the ticker was stopped.
    [[nodiscard]] std::optional<tick> next() noexcept
    {
        auto found = detail::to_fill<punctual_tick>();
        return came(punctual_ticker_next(handle_.get(), &found), found);
    }

    /// Waits for the next tick, or until this thread has handled a signal. The next call waits for the same tick.
    [[nodiscard]] ending<tick> next_or_signal() noexcept
    {
        auto found = detail::to_fill<punctual_tick>();
        std::uint64_t left = 0;
        const auto status = punctual_ticker_next_or_signal(handle_.get(), &found, &left);
        return {came(status, found), status == PUNCTUAL_INTERRUPTED, detail::from_count(left)};
    }

    /// Changes the period from now on, without a jump of the phase: the rest of the present period passes
    /// at the new rate.
    void set_period(const period& period)
    {
        detail::check(punctual_ticker_set_period(handle_.get(), period.numerator(), period.denominator()));
    }

    /// Lets the next tick come at once, and those after it at whole periods. For after a pause: nothing
    /// counts as missed.
    void restart() noexcept { detail::expect(punctual_ticker_restart(handle_.get(), 0)); }

    /// Puts the next tick at an instant.
    void restart_at(time_point start) noexcept
    {
        detail::expect(punctual_ticker_restart(handle_.get(), detail::start(start)));
    }

    /// Gives back what it holds of the system, such as a short slice, until the next tick.
    void pause() noexcept { detail::expect(punctual_ticker_pause(handle_.get())); }

    /// Where its deadlines lie. A ticker without a start chooses it, from its first tick on, if its period allows that.
    [[nodiscard]] punctual::phase phase() const noexcept
    {
        std::int32_t found = PUNCTUAL_PHASE_AS_ASKED;
        detail::expect(punctual_ticker_phase(handle_.get(), &found));
        return static_cast<punctual::phase>(found);
    }

    iterator begin() noexcept;
    [[nodiscard]] sentinel end() const noexcept { return {}; }

private:
    static std::optional<tick> came(punctual_status status, const punctual_tick& found) noexcept
    {
        if (detail::expect(status) != PUNCTUAL_OK) {
            return std::nullopt;
        }
        return tick::of(found);
    }

#if PUNCTUAL_HAS_STOP_TOKEN
    /// Where it is stays the same when the ticker moves.
    struct stopping {
        struct request {
            const stop_signal* signal;
            void operator()() const noexcept { signal->request_stop(); }
        };

        explicit stopping(const std::stop_token& stop) : on_stop{stop, request{&signal}} {}

        stop_signal signal;
        std::stop_callback<request> on_stop;
    };

    std::unique_ptr<stopping> stopping_;
#endif
    detail::owned<punctual_ticker, punctual_ticker_free> handle_;
    /// What the iterators show, and whether it is yet to be waited for.
    std::optional<tick> shown_;
    bool is_awaited_ = false;
};

/// Shows one tick after the other. All iterators of a ticker show the same.
class ticker::iterator {
public:
    using value_type = tick;
    using difference_type = std::ptrdiff_t;
    using reference = const tick&;
    using pointer = const tick*;
    using iterator_category = std::input_iterator_tag;

    iterator() noexcept = default;

    /// Not past the end.
    [[nodiscard]] reference operator*() const noexcept
    {
        wait();
        return *ticker_->shown_;
    }

    [[nodiscard]] pointer operator->() const noexcept { return &**this; }

    iterator& operator++() noexcept
    {
        ticker_->is_awaited_ = true;
        return *this;
    }

    void operator++(int) noexcept { ++*this; }

    /// Waits for the tick, unless that has been done.
    friend bool operator==(const iterator& here, sentinel) noexcept
    {
        return here.is_past_end();
    }

    friend bool operator!=(const iterator& here, sentinel end) noexcept { return !(here == end); }
#if __cplusplus < 202002L
    friend bool operator==(sentinel end, const iterator& here) noexcept { return here == end; }
    friend bool operator!=(sentinel end, const iterator& here) noexcept { return !(here == end); }
#endif

private:
    friend class ticker;

    explicit iterator(ticker& of) noexcept : ticker_{&of} {}

    [[nodiscard]] bool is_past_end() const noexcept
    {
        wait();
        return !ticker_->shown_;
    }

    void wait() const noexcept
    {
        if (ticker_->is_awaited_) {
            ticker_->is_awaited_ = false;
            ticker_->shown_ = ticker_->next();
        }
    }

    ticker* ticker_ = nullptr;
};

inline ticker::iterator ticker::begin() noexcept
{
    is_awaited_ = true;
    return iterator{*this};
}

} // namespace punctual

#endif
