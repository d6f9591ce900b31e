// Anything that can be called, as C calls it.
#ifndef PUNCTUAL_CALLBACK_HPP
#define PUNCTUAL_CALLBACK_HPP

#include <punctual/clock.hpp>
#include <punctual/error.hpp>
#include <punctual/schedule.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

namespace punctual {

/// When a callback was called that is called once.
struct firing {
    /// The window of time in which it should be called.
    time_point earliest;
    time_point latest;
    /// The reading of the clock at which it came: never before the window.
    time_point woke;

    [[nodiscard]] constexpr time_point deadline() const noexcept { return earliest; }
    /// Since the deadline, any tolerance included.
    [[nodiscard]] constexpr nanoseconds lateness() const noexcept { return woke - earliest; }
    /// Since the end of the window; zero within it.
    [[nodiscard]] constexpr nanoseconds excess() const noexcept
    {
        return woke > latest ? woke - latest : nanoseconds::zero();
    }

    /// From C.
    [[nodiscard]] static constexpr firing of(const punctual_firing& found) noexcept
    {
        return {
            detail::instant(found.earliest_ns),
            detail::instant(found.latest_ns),
            detail::instant(found.woke_ns),
        };
    }
};

/// What a repeating callback may return.
enum class then : int {
    again = 0,
    stop = 1,
};

namespace detail {

/// The end of a window that begins at `from`.
[[nodiscard]] constexpr std::uint64_t later(std::uint64_t from, nanoseconds tolerance) noexcept
{
    const auto width = count(tolerance);
    constexpr auto end = std::numeric_limits<std::uint64_t>::max();
    return width < end - from ? from + width : end;
}

/// As `check`, for calls that a stopped driver refuses.
inline void check_running(punctual_status status)
{
    if (check(status) == PUNCTUAL_SHUT_DOWN) {
        throw error{errc::shut_down};
    }
}

template <class Type>
inline constexpr bool is_duration = false;
template <class Rep, class Period>
inline constexpr bool is_duration<std::chrono::duration<Rep, Period>> = true;

/// A tolerance is none.
template <class Type>
using if_callback = std::enable_if_t<!is_duration<std::decay_t<Type>>>;

/// With the argument, if it takes one.
template <class Function, class Argument>
decltype(auto) call(Function& function, const Argument& argument)
{
    if constexpr (std::is_invocable_v<Function&, const Argument&>) {
        return std::invoke(function, argument);
    } else {
        static_assert(std::is_invocable_v<Function&>, "a callback takes a punctual::firing (of every(): a punctual::tick) or nothing");
        return std::invoke(function);
    }
}

/// A callback on the heap: what C holds is a pointer to it.
template <class Callback>
struct once_callback {
    std::decay_t<Callback> function;

    static void call(void* context, const punctual_firing* found) noexcept
    {
        detail::call(static_cast<once_callback*>(context)->function, firing::of(*found));
    }

    static void drop(void* context) noexcept { delete static_cast<once_callback*>(context); }
};

template <class Callback>
struct tick_callback {
    std::decay_t<Callback> function;

    static int call(void* context, const punctual_tick* found) noexcept
    {
        auto& function = static_cast<tick_callback*>(context)->function;
        using result = decltype(detail::call(function, tick::of(*found)));
        if constexpr (std::is_void_v<result>) {
            detail::call(function, tick::of(*found));
            return static_cast<int>(then::again);
        } else {
            static_assert(std::is_same_v<result, then>, "a callback of every() returns a punctual::then or nothing");
            return static_cast<int>(detail::call(function, tick::of(*found)));
        }
    }

    static void drop(void* context) noexcept { delete static_cast<tick_callback*>(context); }
};

} // namespace detail

} // namespace punctual

#endif
