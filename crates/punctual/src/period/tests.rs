//! Periods against their definition.

use super::*;
use alloc::string::ToString;
use proptest::prelude::*;

/// The last index whose offset is at most `elapsed`, found by looking.
fn index_by_search(period: Period, elapsed: Duration) -> u64 {
    let (mut low, mut high) = (0, u64::MAX);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        match period.offset(middle) {
            Some(offset) if offset <= elapsed => low = middle,
            _ => high = middle - 1,
        }
    }
    low
}

fn periods() -> impl Strategy<Value = Period> {
    (1..u64::MAX, 1..u64::MAX).prop_map(|(a, b)| Period::from_nanos_fraction(a.max(b), a.min(b)))
}

#[test]
fn the_same_period_said_in_different_ways_is_equal() {
    let millisecond = Period::try_from(Duration::from_millis(1)).unwrap();
    assert_eq!(Period::from_hertz(1_000), millisecond);
    assert_eq!(Period::from_hertz_fraction(3_000, 3), millisecond);
    assert_eq!(Period::from_nanos_fraction(1_000_000, 1), millisecond);
}

#[test]
fn refuses_what_is_no_period() {
    for refused in [
        Period::try_from_hertz(0),
        Period::try_from_hertz_fraction(1, 0),
        Period::try_from_hertz(1_000_000_001),
        Period::try_from_hertz_fraction(1, u64::MAX),
        Period::try_from_nanos_fraction(0, 1),
        Period::try_from(Duration::ZERO),
        Period::try_from(Duration::MAX),
    ] {
        assert!(refused.unwrap_err().is_invalid_input());
    }
}

#[test]
fn five_hundred_thousand_million_video_frames_are_exactly_where_the_fraction_says() {
    let period = Period::from_hertz_fraction(30_000, 1_001);
    let frames = 500_000_000_000;
    // 5·10^11 · 1001 / 30000 s = 16,683,333,333 s and a third.
    let expected = Duration::new(16_683_333_333, 333_333_333);
    assert_eq!(period.offset(frames), Some(expected));
    assert_eq!(period.index_after(expected), frames);
    assert_eq!(
        period.index_after(expected - Duration::from_nanos(1)),
        frames - 1
    );
    assert_eq!(period.deadline(Instant::MAX, frames), None);
    assert_eq!(period.offset(u64::MAX), None);
}

proptest! {
    #[test]
    fn offsets_never_accumulate_an_error(period in periods(), index: u64) {
        let exact_floor = num_floor(index, period.nanos_numerator, period.denominator);
        match period.offset(index) {
            Some(offset) => prop_assert_eq!(offset.as_nanos(), exact_floor),
            None => prop_assert!(exact_floor > u128::from(u64::MAX)),
        }
    }

    #[test]
    fn index_agrees_with_a_search(period in periods(), nanos: u64) {
        let elapsed = Duration::from_nanos(nanos);
        prop_assert_eq!(period.index_after(elapsed), index_by_search(period, elapsed));
    }
}

/// `floor(index · numerator / denominator)` by long division in 64-bit halves: a second way to
/// the same number.
fn num_floor(index: u64, numerator: u64, denominator: u64) -> u128 {
    let (whole, rest) = (numerator / denominator, numerator % denominator);
    let mut fraction = 0_u128;
    let mut remainder = 0_u128;
    for bit in (0..64).rev() {
        fraction *= 2;
        remainder *= 2;
        if index >> bit & 1 == 1 {
            remainder += u128::from(rest);
        }
        fraction += remainder / u128::from(denominator);
        remainder %= u128::from(denominator);
    }
    u128::from(index) * u128::from(whole) + fraction
}

#[test]
fn messages_say_what_is_wrong() {
    let message = |refused: Result<Period, Error>| refused.unwrap_err().to_string();
    let frequency = "a frequency must be above zero";
    assert_eq!(message(Period::try_from_hertz(0)), frequency);
    assert_eq!(message(Period::try_from_hertz_f64(0.0)), frequency);
    assert_eq!(
        message(Period::try_from(Duration::ZERO)),
        "a period must be longer than zero"
    );
    assert_eq!(
        message(Period::try_from_hertz_fraction(1, 0)),
        "the denominator of a fraction must be above zero"
    );
    let float = message(Period::try_from_hertz_f64(-60.0));
    assert!(float.ends_with("not -60"), "{float}");
}

#[test]
fn constants_are_checked_by_the_compiler() {
    const FRAME: Period = Period::from_hertz(144);
    const CONTROL: Period = Period::from_duration(Duration::from_millis(1));
    assert_eq!(FRAME, Period::from_nanos_fraction(1_000_000_000, 144));
    assert_eq!(CONTROL, Period::from_hertz(1_000));
}

#[test]
#[should_panic(expected = "a frequency must be above zero")]
fn a_constructor_that_is_const_panics() {
    let _ = Period::from_hertz(0);
}

#[test]
fn a_float_is_as_exact_as_it_is_shown() {
    let of = |hertz| Period::try_from_hertz_f64(hertz).unwrap();
    assert_eq!(of(60.0), Period::from_hertz(60));
    assert_eq!(of(59.94), Period::from_hertz_fraction(5_994, 100));
    assert_eq!(of(143.981), Period::from_hertz_fraction(143_981, 1_000));
    assert_eq!(of(1e-3), Period::from_duration(Duration::from_secs(1_000)));
    assert_eq!(of(1e9), Period::from_duration(Duration::from_nanos(1)));
    for refused in [f64::NAN, f64::INFINITY, -1.0, 1.1e9, 1e-300, f64::MAX] {
        assert!(Period::try_from_hertz_f64(refused).is_err(), "{refused}");
    }
}

#[test]
fn shows_itself_exactly() {
    assert_eq!(Period::from_hertz(64).to_string(), "15.625ms");
    assert_eq!(Period::from_hertz(60).to_string(), "1/60 s");
    assert_eq!(
        Period::from_hertz_fraction(24_000, 1_001).to_string(),
        "1001/24000 s"
    );
}

#[test]
fn the_shorter_is_the_lesser() {
    let film = Period::from_hertz_fraction(24_000, 1_001);
    assert!(film > Period::from_hertz(24) && film < Period::from_hertz(23));
    assert_eq!(
        Duration::from(Period::from_hertz(60)).as_nanos(),
        16_666_666
    );
    assert!((film.as_hertz_f64() - 23.976).abs() < 1e-3);
}

proptest! {
    #[test]
    fn any_frequency_that_is_a_float_is_near(hertz in 1e-9..1e9_f64) {
        let period = Period::try_from_hertz_f64(hertz).unwrap();
        prop_assert!((period.as_hertz_f64() / hertz - 1.0).abs() < 1e-15);
    }
}

#[test]
fn a_multiple_is_a_whole_number_of_durations() {
    let millisecond = Duration::from_millis(1);
    for (hertz, is_multiple) in [(1_000, true), (250, true), (60, false), (2_000, false)] {
        let period = Period::from_hertz(hertz);
        assert_eq!(
            period.is_multiple_of(millisecond),
            is_multiple,
            "{hertz} Hz"
        );
    }
    let third = Period::from_hertz_fraction(3_000, 1);
    assert!(!third.is_multiple_of(Duration::from_nanos(333_333)));
    assert!(!third.is_multiple_of(Duration::ZERO));
    assert!(!third.is_multiple_of(Duration::MAX));
}
