use super::*;
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
