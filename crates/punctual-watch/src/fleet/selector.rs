//! Which machines a group has: a selector of labels, as Prometheus writes them.

use std::fmt;
use std::str::FromStr;

/// A selector such as `{kernel=~"6\\.1\\..*", rack="r7"}`. It has been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector(String);

impl fmt::Display for Selector {
    /// With its braces.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{{{}}}", self.0)
    }
}

impl FromStr for Selector {
    type Err = String;

    /// Reads label matchers between commas. Braces around them may be missing.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let inside = match text.strip_prefix('{') {
            Some(rest) => rest
                .strip_suffix('}')
                .ok_or("its brace is not closed; give one such as 'kernel=\"6.1.0\"'")?,
            None => text,
        };
        let mut matchers = Vec::new();
        let mut rest = inside.trim();
        while !rest.is_empty() {
            let (matcher, after) = matcher(rest)?;
            matchers.push(matcher);
            rest = match after.strip_prefix(',') {
                Some(rest) => rest.trim_start(),
                None if after.is_empty() => after,
                None => return Err(format!("a comma is missing before `{after}`")),
            };
        }
        Ok(Self(matchers.join(",")))
    }
}

/// The matcher at the beginning, as it stands there, and what follows it.
fn matcher(text: &str) -> Result<(String, &str), String> {
    let valid = "give matchers such as 'kernel=\"6.1.0\"' or 'instance=~\"web.*\"'";
    let is_of_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let (name, rest) = text.split_at(text.find(|c| !is_of_name(c)).unwrap_or(text.len()));
    if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(format!(
            "`{text}` does not begin with a label's name; {valid}"
        ));
    }
    let rest = rest.trim_start();
    let operator = ["=~", "!~", "!=", "="]
        .into_iter()
        .find(|operator| rest.starts_with(operator));
    let operator =
        operator.ok_or_else(|| format!("`{name}` is not followed by =, !=, =~ or !~; {valid}"))?;
    let rest = rest[operator.len()..].trim_start();
    let length = quoted(rest)
        .ok_or_else(|| format!("the value of `{name}` is not in quotes that end; {valid}"))?;
    let (value, after) = rest.split_at(length);
    Ok((format!("{name}{operator}{value}"), after.trim_start()))
}

/// How long the text in quotes at the beginning is, its quotes included.
fn quoted(text: &str) -> Option<usize> {
    let mut characters = text.char_indices();
    let quote = characters.next().map(|(_, first)| first);
    let quote = quote.filter(|first| matches!(first, '"' | '\'' | '`'))?;
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' if quote != '`' => drop(characters.next()),
            '\n' if quote != '`' => return None,
            _ if character == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// A matcher for any of these values of a label.
pub fn any_of(label: &str, values: &[&str]) -> String {
    let alternatives: Vec<_> = values.iter().map(|value| literal(value)).collect();
    format!("{label}=~{}", in_quotes(&alternatives.join("|")))
}

/// Text as PromQL writes it, in quotes.
pub fn in_quotes(text: &str) -> String {
    let text = text.replace('\\', r"\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('\n', "\\n"))
}

/// A regular expression that matches only this text.
fn literal(text: &str) -> String {
    let mut pattern = String::new();
    for character in text.chars() {
        if r"\.+*?()|[]{}^$".contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn matchers_are_kept_as_they_are() {
        for (text, shown) in [
            ("", "{}"),
            ("{}", "{}"),
            ("kernel=\"6.1\"", "{kernel=\"6.1\"}"),
            ("{ a = 'b' , c!~`d\\` }", "{a='b',c!~`d\\`}"),
            (r#"a=~"x\"}\\",b!="" ,"#, r#"{a=~"x\"}\\",b!=""}"#),
        ] {
            assert_eq!(text.parse::<Selector>().unwrap().to_string(), shown);
        }
    }

    #[test]
    fn what_is_no_matcher_is_refused() {
        for (text, said) in [
            ("{a=\"b\"", "not closed"),
            ("a", "not followed by"),
            ("a=b", "quotes"),
            ("a=\"b", "quotes"),
            ("a=\"b\\\"", "quotes"),
            ("1a=\"b\"", "label's name"),
            ("up{a=\"b\"}", "not followed by"),
            ("a=\"b\" c=\"d\"", "comma"),
            ("a=\"b\"} or vector(1) or {c=\"d\"", "comma"),
            (",", "label's name"),
        ] {
            let refused = text.parse::<Selector>().unwrap_err();
            assert!(refused.contains(said), "{text}: {refused}");
        }
    }

    #[test]
    fn a_value_matches_only_itself() {
        assert_eq!(
            any_of("instance", &["a.b:1", "c|d"]),
            r#"instance=~"a\\.b:1|c\\|d""#
        );
        assert_eq!(in_quotes("a\"b\\c\n"), "\"a\\\"b\\\\c\\n\"");
    }

    proptest! {
        #[test]
        fn whatever_is_accepted_stays_the_same_and_inside_its_braces(text in r#"[{}a=~"'`\\, \n]{0,20}|.*"#) {
            if let Ok(selector) = text.parse::<Selector>() {
                prop_assert_eq!(selector.to_string().parse::<Selector>(), Ok(selector));
            }
        }
    }
}
