// Guards, which change something and change it back.
#ifndef PUNCTUAL_GUARDS_HPP
#define PUNCTUAL_GUARDS_HPP

#include <punctual/clock.hpp>
#include <punctual/error.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace punctual {

/// What all guards have. A guard changes something for the thread that makes it, and changes it back at
/// its end, which must come on the same thread, in the reverse order of making.
///
/// Each has two constructors. The first throws `error`, whose text says what the system wants. The second
/// leaves the reason in an `error_code`, and the guard is then none: a program should go on without it.
class guard {
public:
    guard(guard&&) noexcept = default;

    /// Whether it guards something.
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

protected:
    template <class Make>
    explicit guard(Make make)
    {
        punctual_guard* made = nullptr;
        detail::check(make(&made));
        handle_.reset(made);
    }

    template <class Make>
    guard(Make make, std::error_code& reason) noexcept
    {
        punctual_guard* made = nullptr;
        const auto status = make(&made);
        reason = detail::is_error(status) ? make_error_code(static_cast<errc>(status)) : std::error_code{};
        handle_.reset(made);
    }

    ~guard() = default;

private:
    detail::owned<punctual_guard, punctual_guard_free> handle_;
};

/// How a thread can come before others.
class priority {
public:
    /// Before the threads that have no special priority.
    [[nodiscard]] static constexpr priority high() noexcept { return priority{PUNCTUAL_PRIORITY_HIGH}; }
    /// The real-time class, at its usual priority.
    [[nodiscard]] static constexpr priority realtime() noexcept { return priority{PUNCTUAL_PRIORITY_REALTIME}; }
    /// Linux' class SCHED_FIFO, at a priority from 1 to 99.
    [[nodiscard]] static constexpr priority fifo(int level) noexcept
    {
        // Beyond both ends are names of others; what is refused stays refused.
        return priority{level > 0 ? level : 100};
    }

    /// For C.
    [[nodiscard]] constexpr std::int32_t c() const noexcept { return level_; }

private:
    explicit constexpr priority(std::int32_t level) noexcept : level_{level} {}

    std::int32_t level_;
};

/// Raises the thread's priority.
class priority_guard : public guard {
public:
    explicit priority_guard(priority raised) : guard{make{raised}} {}
    priority_guard(priority raised, std::error_code& reason) noexcept : guard{make{raised}, reason} {}

private:
    struct make {
        priority raised;
        punctual_status operator()(punctual_guard** made) const noexcept
        {
            return punctual_guard_priority(raised.c(), made);
        }
    };
};

/// Sets how long the thread may compute at a time while others wait for the processor, from 0.1 ms to
/// 100 ms. It needs Linux 6.12, and no privilege.
class slice_guard : public guard {
public:
    explicit slice_guard(nanoseconds slice) : guard{make{slice}} {}
    slice_guard(nanoseconds slice, std::error_code& reason) noexcept : guard{make{slice}, reason} {}

private:
    struct make {
        nanoseconds slice;
        punctual_status operator()(punctual_guard** made) const noexcept
        {
            return punctual_guard_slice(detail::count(slice), made);
        }
    };
};

/// Keeps the thread on processors, by their numbers.
class pin_guard : public guard {
public:
    explicit pin_guard(std::uint32_t processor) : guard{make{&processor, 1}} {}
    pin_guard(std::uint32_t processor, std::error_code& reason) noexcept : guard{make{&processor, 1}, reason} {}
    explicit pin_guard(std::initializer_list<std::uint32_t> processors) : guard{make{processors.begin(), processors.size()}} {}
    pin_guard(std::initializer_list<std::uint32_t> processors, std::error_code& reason) noexcept
        : guard{make{processors.begin(), processors.size()}, reason}
    {
    }
    /// Of any number of them, such as those of a vector.
    pin_guard(const std::uint32_t* processors, std::size_t count) : guard{make{processors, count}} {}
    pin_guard(const std::uint32_t* processors, std::size_t count, std::error_code& reason) noexcept
        : guard{make{processors, count}, reason}
    {
    }

private:
    struct make {
        const std::uint32_t* processors;
        std::size_t count;
        punctual_status operator()(punctual_guard** made) const noexcept
        {
            return punctual_guard_pin(processors, count, made);
        }
    };
};

/// Keeps all memory of the process in RAM. It may end on any thread. Linux only.
class memory_guard : public guard {
public:
    memory_guard() : guard{&punctual_guard_memory} {}
    explicit memory_guard(std::error_code& reason) noexcept : guard{&punctual_guard_memory, reason} {}
};

} // namespace punctual

#endif
