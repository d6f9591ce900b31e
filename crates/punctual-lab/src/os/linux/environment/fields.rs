//! `key: value` lines, as `/proc/cpuinfo` and `/proc/self/status` have them.

/// The first value of a key, unless it is empty.
pub(super) fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(found, _)| found.trim() == key)
        .map(|(_, value)| value.trim())
        .filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_whole_keys_and_no_empty_values() {
        let text = "model\t\t: 2\nmodel name\t: AMD: EPYC \nempty:\nno colon\n";
        assert_eq!(value(text, "model"), Some("2"));
        assert_eq!(value(text, "model name"), Some("AMD: EPYC"));
        assert_eq!(value(text, "empty"), None);
        assert_eq!(value(text, "no colon"), None);
        assert_eq!(value("", "model"), None);
    }
}
