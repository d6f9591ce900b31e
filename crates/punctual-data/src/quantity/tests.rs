use super::{parse_duration, *};
use proptest::prelude::*;

#[test]
fn durations_need_a_unit() {
    assert_eq!(parse_duration("1ms"), Ok(Duration::from_millis(1)));
    assert_eq!(parse_duration("1.5 ms"), Ok(Duration::from_micros(1_500)));
    assert_eq!(parse_duration("200us"), parse_duration("200µs"));
    assert_eq!(parse_duration("2min"), Ok(Duration::from_secs(120)));
    assert_eq!(parse_duration("1d"), parse_duration("24h"));
    for wrong in ["5", "", "ms", "-1ms", "1.ms.", "1e3s", "1 parsec", ".5s"] {
        assert!(
            parse_duration(wrong).unwrap_err().contains("unit"),
            "{wrong}"
        );
    }
    assert!(
        parse_duration("99999999h")
            .unwrap_err()
            .contains("584 years")
    );
}

#[test]
fn periods_are_exact_however_they_are_said() {
    let ntsc = Period::try_from_hertz_fraction(30_000, 1_001);
    assert_eq!(parse_period("30000/1001Hz").ok(), ntsc.ok());
    assert_eq!(parse_period("1ms"), parse_period("1000Hz"));
    assert_eq!(parse_period("59.94Hz"), parse_period("5994/100 Hz"));
    assert_eq!(parse_period("0.25ms"), parse_period("4000Hz"));
}

#[test]
fn what_is_no_period_is_refused() {
    for wrong in ["0", "0ms", "5", "0Hz", "1/0Hz", "Hz", "-1ms", "1/2ms"] {
        assert!(
            parse_period(wrong).unwrap_err().contains("such as 1ms"),
            "{wrong}"
        );
    }
}

#[test]
fn shares_are_percentages_or_fractions_up_to_the_whole() {
    assert_eq!(parse_share("5%"), Ok(0.05));
    assert_eq!(parse_share("0.05"), Ok(0.05));
    assert_eq!(parse_share("100%"), Ok(1.0));
    for wrong in ["140%", "5", "-1%", "%", "", "five", "1e-3", "inf", "nan"] {
        assert!(
            parse_share(wrong).unwrap_err().contains("0% to 100%"),
            "{wrong}"
        );
    }
}

#[test]
fn decimals_are_exact() {
    assert_eq!(decimal(73_512_u64, 3), "73.512");
    assert_eq!(decimal(5_u64, 9), "0.000000005");
    assert_eq!(short_decimal(3_579_545_u64, 6), "3.579545");
    assert_eq!(short_decimal(10_000_000_u64, 6), "10");
    assert_eq!(short_decimal(0_u64, 3), "0");
}

proptest! {
    #[test]
    fn a_duration_is_read_back(nanos in any::<u64>()) {
        let duration = Duration::from_nanos(nanos);
        prop_assert_eq!(parse_duration(&write_duration(duration)), Ok(duration));
    }

    #[test]
    fn a_period_is_read_back(numerator in 1_u64.., denominator in 1_u64..) {
        if let Ok(period) = Period::try_from_nanos_fraction(numerator, denominator) {
            prop_assert_eq!(parse_period(&write_period(period)), Ok(period));
        }
    }

    #[test]
    fn a_frequency_is_read_back(numerator in 1_u64..1_000_000, denominator in 1_u64..2_000) {
        if let Ok(period) = Period::try_from_hertz_fraction(numerator, denominator) {
            prop_assert_eq!(parse_period(&write_period(period)), Ok(period));
        }
    }

    #[test]
    fn a_share_is_read_back(share in 0.0..=1.0_f64) {
        prop_assert_eq!(parse_share(&write_share(share)), Ok(share));
    }
}

#[test]
fn what_was_asked_for_is_shown_in_its_unit() {
    let shown = |text| show_asked(parse_duration(text).unwrap());
    for (typed, seen) in [
        ("30d", "30 d"),
        ("48h", "2 d"),
        ("5h", "5 h"),
        ("1min", "1 min"),
        ("90s", "90.0 s"),
        ("300ms", "300 ms"),
        ("60.5s", "60.5 s"),
        ("0s", "0 ns"),
    ] {
        assert_eq!(shown(typed), seen);
    }
}

#[test]
fn durations_are_shown_in_three_digits() {
    for (ns, shown) in [
        (0, "0 ns"),
        (45, "45 ns"),
        (1_000, "1.00 µs"),
        (73_512, "73.5 µs"),
        (84_490, "84.5 µs"),
        (99_960, "100 µs"),
        (999_499, "999 µs"),
        (999_500, "1.00 ms"),
        (15_625_000, "15.6 ms"),
        (999_500_000, "1.00 s"),
        (61_000_000_000, "61.0 s"),
    ] {
        assert_eq!(nanos(ns), shown);
    }
}

#[test]
fn small_costs_have_a_fraction() {
    let shown = [0.42, 9.94, 9.96, 73_512.4, 16e6].map(fraction_of_nanos);
    assert_eq!(shown, ["0.4 ns", "9.9 ns", "10 ns", "73.5 µs", "16.00 ms"]);
}

#[test]
fn seconds_have_their_sign() {
    assert_eq!(signed_seconds(-0.0017), "-1.70 ms");
    assert_eq!(signed_seconds(7_406.0), "+7406 s");
}

#[test]
fn averages_have_the_digits_of_published_tables() {
    assert_eq!(average_interval(109_375_000.0), "109.3750 ms");
    assert_eq!(average_interval(33_366_666.7), "33.3667 ms");
    assert_eq!(average_interval(999_999.9), "1.0000 ms");
    assert_eq!(average_interval(90_000.0), "90.000 µs");
}

#[test]
fn decades_have_short_names() {
    let named = [0, 1, 3, 5, 8, 9, 12, 19].map(decade);
    let names = [
        "1 ns", "10 ns", "1 µs", "100 µs", "100 ms", "1 s", "1000 s", "1e10 s",
    ];
    assert_eq!(named, names);
}

#[test]
fn dates_are_those_of_the_calendar() {
    let shown = |seconds| date(UNIX_EPOCH + Duration::from_secs(seconds));
    assert_eq!(shown(0), "1970-01-01 00:00:00");
    assert_eq!(shown(951_782_400), "2000-02-29 00:00:00");
    assert_eq!(shown(1_750_000_000), "2025-06-15 15:06:40");
    assert_eq!(shown(4_102_444_799), "2099-12-31 23:59:59");
    assert_eq!(shown(1 << 40), "9999-12-31 23:59:59");
    assert_eq!(date(UNIX_EPOCH - Duration::from_secs(1)), shown(0));
}
