// Errors, as std::error_code and as an exception.
#ifndef PUNCTUAL_ERROR_HPP
#define PUNCTUAL_ERROR_HPP

#include <punctual.h>

#include <memory>
#include <string>
#include <system_error>
#include <type_traits>

namespace punctual {

/// What can go wrong. Where the standard has a name for it, it compares equal to that:
/// `error.code() == std::errc::operation_not_permitted`.
enum class errc : punctual_status {
    /// The driver was stopped.
    shut_down = PUNCTUAL_SHUT_DOWN,
    /// A handle that was moved from.
    null = PUNCTUAL_ERROR_NULL,
    /// Not a handle of this kind.
    handle = PUNCTUAL_ERROR_HANDLE,
    /// Another thread is using the object now.
    busy = PUNCTUAL_ERROR_BUSY,
    /// An argument is invalid.
    invalid = PUNCTUAL_ERROR_INVALID,
    /// A privilege is missing, which the exception's text names.
    not_permitted = PUNCTUAL_ERROR_NOT_PERMITTED,
    /// The system, or this version of it, lacks the feature.
    unsupported = PUNCTUAL_ERROR_UNSUPPORTED,
    /// The system failed at something that it supports and permits.
    system = PUNCTUAL_ERROR_SYSTEM,
    /// Only the thread that made the guard can end it.
    thread = PUNCTUAL_ERROR_THREAD,
    /// There is a bug in Punctual.
    panic = PUNCTUAL_ERROR_PANIC,
};

/// The category of Punctual's errors.
[[nodiscard]] inline const std::error_category& category() noexcept
{
    class punctual_category final : public std::error_category {
        [[nodiscard]] const char* name() const noexcept override { return "punctual"; }

        [[nodiscard]] std::string message(int status) const override
        {
            return punctual_status_message(status);
        }

        [[nodiscard]] std::error_condition default_error_condition(int status) const noexcept override
        {
            switch (static_cast<errc>(status)) {
            case errc::busy:
                return std::errc::device_or_resource_busy;
            case errc::invalid:
                return std::errc::invalid_argument;
            case errc::not_permitted:
                return std::errc::operation_not_permitted;
            case errc::unsupported:
                return std::errc::function_not_supported;
            default:
                return {status, *this};
            }
        }
    };
    static const punctual_category one;
    return one;
}

[[nodiscard]] inline std::error_code make_error_code(errc error) noexcept
{
    return {static_cast<int>(error), category()};
}

/// What Punctual throws. Its text says what to do.
class error : public std::system_error {
public:
    explicit error(errc what) : std::system_error{make_error_code(what)} {}
    error(errc what, const std::string& text) : std::system_error{make_error_code(what), text} {}
};

namespace detail {

[[nodiscard]] constexpr bool is_error(punctual_status status) noexcept
{
    return status < 0;
}

/// Throws the error of the call that has just returned this.
inline punctual_status check(punctual_status status)
{
    if (is_error(status)) {
        throw error{static_cast<errc>(status), punctual_last_error()};
    }
    return status;
}

/// For what fails only where a program breaks a rule, such as to use what was moved from. That ends
/// the program, as it does in the standard library where it is checked.
inline punctual_status expect(punctual_status status) noexcept
{
    return check(status);
}

/// A struct of C that begins with its size, for a function to fill.
template <class Struct>
[[nodiscard]] constexpr Struct to_fill() noexcept
{
    Struct empty{};
    empty.size = sizeof empty;
    return empty;
}

template <class Handle, punctual_status (*Free)(Handle*)>
struct freeing {
    void operator()(Handle* handle) const noexcept { Free(handle); }
};

/// Owns what a function of C made.
template <class Handle, punctual_status (*Free)(Handle*)>
using owned = std::unique_ptr<Handle, freeing<Handle, Free>>;

} // namespace detail

} // namespace punctual

template <>
struct std::is_error_code_enum<punctual::errc> : std::true_type {};

#endif
