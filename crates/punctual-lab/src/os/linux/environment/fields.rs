//! `key: value` lines, as `/proc/cpuinfo` and `/proc/self/status` have them.

/// The first value of a key, unless it is empty.
pub(super) fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(found, _)| found.trim() == key)
        .map(|(_, value)| value.trim())
        .filter(|value| !value.is_empty())
}

/// What stands beside the first of these words that is in the text.
pub(super) fn by_word_of(names: &[(&str, &'static str)], text: &str) -> Option<&'static str> {
    let mut found = names.iter().filter(|(word, _)| text.contains(word));
    found.next().map(|(_, name)| *name)
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
