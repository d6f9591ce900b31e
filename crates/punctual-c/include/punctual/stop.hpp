// Ends waits from other threads.
#ifndef PUNCTUAL_STOP_HPP
#define PUNCTUAL_STOP_HPP

#include <punctual/error.hpp>
#include <punctual/features.hpp>

#if PUNCTUAL_HAS_STOP_TOKEN
#include <stop_token>
#endif

namespace punctual {

/// Ends every wait that uses it, and every later one, until it is reset. Where there is a
/// `std::stop_token`, waits take that as well; this one can be reset, and costs a wait nothing.
///
/// Threads: any number at once. It must outlive the waits that were given it, but not the tickers.
class stop_signal {
public:
    stop_signal()
    {
        punctual_cancel* made = nullptr;
        detail::check(punctual_cancel_new(&made));
        handle_.reset(made);
    }

    /// Ends the waits. A second time changes nothing. On Linux, a signal handler may call it.
    void request_stop() const noexcept { detail::expect(punctual_cancel_set(handle_.get())); }

    [[nodiscard]] bool stop_requested() const noexcept
    {
        return detail::expect(punctual_cancel_check(handle_.get())) == PUNCTUAL_CANCELLED;
    }

    /// Makes it usable again. Call it after the waits have ended: one that has not may miss the request.
    void reset() const noexcept { detail::expect(punctual_cancel_reset(handle_.get())); }

    /// For C.
    [[nodiscard]] const punctual_cancel* c() const noexcept { return handle_.get(); }

private:
    detail::owned<punctual_cancel, punctual_cancel_free> handle_;
};

} // namespace punctual

#endif
