//! Shares, as arguments take them (`1%` or `0.01`) and tables show them.

/// Reads a share of something: a number from 0 to 1, or a percentage.
pub fn parse(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.trim().strip_suffix('%') {
        Some(percentage) => (percentage.trim_end(), 0.01),
        None => (text.trim(), 1.0),
    };
    let share = number.parse::<f64>().map(|number| number * unit);
    match share {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        Ok(_) => Err(format!("{text} is not a share from 0 to 1, or 0% to 100%")),
        Err(_) => Err(format!("{text:?} is not a share: write it like 1% or 0.01")),
    }
}

/// A share in percent with its sign: `1 %`, `0.3 %`, `12.5 %`.
pub fn percent(share: f64) -> String {
    // Three digits, and none of the noise that binary fractions leave behind.
    let rounded = (share * 1e5).round() / 1e3;
    format!("{rounded} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_notations() {
        assert_eq!(parse("1%"), Ok(0.01));
        assert_eq!(parse("0.003"), Ok(0.003));
        assert_eq!(parse(" 5 % "), Ok(0.05));
    }

    #[test]
    fn refuses_what_is_no_share() {
        for refused in ["", "%", "much", "1.5", "-1%", "NaN", "101%"] {
            assert!(parse(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn shows_what_was_meant() {
        assert_eq!(percent(0.003), "0.3 %");
        assert_eq!(percent(0.1), "10 %");
        assert_eq!(percent(0.0113), "1.13 %");
    }
}
