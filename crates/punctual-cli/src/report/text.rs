//! Quantities as the page shows them.

use crate::quantity;
use std::time::Duration;

/// A duration in three digits and a unit.
pub(super) fn nanos(nanos: u64) -> String {
    quantity::show(Duration::from_nanos(nanos))
}

/// A power of ten of nanoseconds, as axes have it: `10 µs`.
pub(super) fn decade(exponent: i32) -> String {
    let (unit, rest) = match exponent {
        ..3 => ("ns", exponent),
        3..6 => ("µs", exponent - 3),
        6..9 => ("ms", exponent - 6),
        _ => ("s", exponent - 9),
    };
    match rest {
        0..4 => format!("{} {unit}", 10_u32.pow(rest.unsigned_abs())),
        _ => format!("1e{rest} {unit}"),
    }
}

/// A share of one as a percentage.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent.abs() {
        ..10.0 => format!("{percent:.1} %"),
        _ => format!("{percent:.0} %"),
    }
}

/// A word as a shell would have to be given it.
pub(super) fn shell_word(word: &str) -> String {
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || "-_=.,:/+%@".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A duration exactly, as flags take it.
pub(super) fn exact(nanos: u64) -> String {
    let units = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000)];
    let exactly = |(_, size): &&(&str, u64)| nanos > 0 && nanos.is_multiple_of(*size);
    match units.iter().find(exactly) {
        Some((unit, size)) => format!("{}{unit}", nanos / size),
        None => format!("{nanos}ns"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_have_short_names() {
        let named = [0, 1, 3, 5, 8, 9, 12, 19].map(decade);
        let names = [
            "1 ns", "10 ns", "1 µs", "100 µs", "100 ms", "1 s", "1000 s", "1e10 s",
        ];
        assert_eq!(named, names);
    }

    #[test]
    fn flags_take_durations_back_exactly() {
        for nanos in [0, 1, 999, 1_000, 16_666_666, 1_000_000, 60_000_000_000] {
            let parsed = quantity::parse_duration(&exact(nanos));
            assert_eq!(parsed, Ok(Duration::from_nanos(nanos)));
        }
    }

    #[test]
    fn words_reach_a_command_as_they_are() {
        assert_eq!(shell_word("requester=2ms"), "requester=2ms");
        assert_eq!(shell_word("command:it's"), "'command:it'\\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
