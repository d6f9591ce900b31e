//! docs/formats.md lists every JSON format that the sources name, and no other.

use super::{files_below, read, root};
use std::collections::BTreeSet;

/// The names of formats in a text: `punctual.`, a word, `/` and a number.
fn schemas(text: &str) -> BTreeSet<String> {
    let after = text.split("punctual.").skip(1);
    let schema = |after: &str| {
        let (word, rest) = after.split_once('/')?;
        let is_word = |word: &str| word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let is_schema = !word.is_empty() && is_word(word) && !number.is_empty();
        is_schema.then(|| format!("punctual.{word}/{number}"))
    };
    after.filter_map(schema).collect()
}

/// The formats that constants of the sources declare.
fn declared() -> BTreeSet<String> {
    let sources = files_below("crates", &|name| name.ends_with(".rs"));
    let mut declared = BTreeSet::new();
    for source in sources {
        let text = read(&root().join(source));
        let lines = text
            .lines()
            .filter(|line| line.contains("const SCHEMA: &str"));
        declared.extend(lines.flat_map(schemas));
    }
    declared
}

#[test]
fn the_page_of_formats_lists_all_of_them() {
    let declared = declared();
    assert!(declared.len() > 5, "{declared:?}");
    assert_eq!(schemas(&read(&root().join("docs/formats.md"))), declared);
}

#[test]
fn names_of_formats_are_found() {
    let text = "`punctual.a-b/12`, punctual.example/x, punctual.io, \"punctual.c/1\"";
    let expected = ["punctual.a-b/12", "punctual.c/1"].map(str::to_owned);
    assert_eq!(schemas(text), BTreeSet::from(expected));
}
