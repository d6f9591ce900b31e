// Periods as exact fractions.
#ifndef PUNCTUAL_PERIOD_HPP
#define PUNCTUAL_PERIOD_HPP

#include <chrono>
#include <cstdint>
#include <limits>
#include <numeric>
#include <ratio>
#include <stdexcept>
#include <type_traits>

namespace punctual {

/// A rate: `hertz{60}`, or `hertz{60'000, 1'001}` for the 59.94 Hz of NTSC video.
class hertz {
public:
    template <class Numerator, class Denominator = int>
    constexpr explicit hertz(Numerator numerator, Denominator denominator = 1) noexcept
        : numerator_{at_least_zero(numerator)}
        , denominator_{at_least_zero(denominator)}
    {
    }

    [[nodiscard]] constexpr std::uint64_t numerator() const noexcept { return numerator_; }
    [[nodiscard]] constexpr std::uint64_t denominator() const noexcept { return denominator_; }

private:
    template <class Number>
    static constexpr std::uint64_t at_least_zero(Number number) noexcept
    {
        static_assert(std::is_integral_v<Number>, "a rate is exact: write 59.94 Hz as hertz{5'994, 100}");
        return number > Number{} ? static_cast<std::uint64_t>(number) : 0;
    }

    std::uint64_t numerator_;
    std::uint64_t denominator_;
};

/// The time from one tick to the next: an exact fraction, so that no schedule drifts.
///
/// It is made of a rate or of any duration. A duration of integers is exact, whatever its unit:
/// `std::chrono::duration<int, std::ratio<1, 60>>{1}` is 1/60 s. One of floating point is rounded to
/// nanoseconds: for the rates of video, use `hertz`.
///
/// Throws `std::invalid_argument` for a period or rate that is not positive, and `std::out_of_range`
/// for one whose nanoseconds are not a fraction of two 64-bit numbers.
class period {
public:
    constexpr period(hertz rate) : period{rate.denominator(), std::giga::num, rate.numerator()} {}

    template <class Rep, class Period>
    constexpr period(const std::chrono::duration<Rep, Period>& duration)
        : period{of(duration)}
    {
    }

    /// Of nanoseconds, in lowest terms.
    [[nodiscard]] constexpr std::uint64_t numerator() const noexcept { return numerator_; }
    [[nodiscard]] constexpr std::uint64_t denominator() const noexcept { return denominator_; }

    friend constexpr bool operator==(const period& a, const period& b) noexcept
    {
        return a.numerator_ == b.numerator_ && a.denominator_ == b.denominator_;
    }

    friend constexpr bool operator!=(const period& a, const period& b) noexcept { return !(a == b); }

private:
    /// `count * scale / denominator` nanoseconds.
    constexpr period(std::uint64_t count, std::uint64_t scale, std::uint64_t denominator)
    {
        if (count == 0 || denominator == 0) {
            throw std::invalid_argument{"a period is positive, and so is a rate"};
        }
        // What cancels out cannot overflow.
        const auto first = std::gcd(count, denominator);
        count /= first;
        denominator /= first;
        const auto second = std::gcd(scale, denominator);
        scale /= second;
        denominator /= second;
        if (count > std::numeric_limits<std::uint64_t>::max() / scale) {
            throw std::out_of_range{"the period's nanoseconds are not a fraction of 64-bit numbers"};
        }
        numerator_ = count * scale;
        denominator_ = denominator;
    }

    template <class Rep, class Period>
    static constexpr period of(const std::chrono::duration<Rep, Period>& duration)
    {
        if (!(duration > duration.zero())) {
            return {0, 1, 1};
        }
        if constexpr (std::is_integral_v<Rep>) {
            using in_nanoseconds = std::ratio_multiply<Period, std::giga>;
            return {static_cast<std::uint64_t>(duration.count()), in_nanoseconds::num, in_nanoseconds::den};
        } else {
            const std::chrono::duration<double, std::nano> nanos = duration;
            if (nanos.count() >= 9.2e18) {
                throw std::out_of_range{"the period is longer than 291 years"};
            }
            return {static_cast<std::uint64_t>(nanos.count() + 0.5), 1, 1};
        }
    }

    std::uint64_t numerator_ = 0;
    std::uint64_t denominator_ = 1;
};

} // namespace punctual

#endif
