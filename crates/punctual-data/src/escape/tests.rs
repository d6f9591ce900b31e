//! One rule, and every place that a text can reach.

use super::*;
use crate::{json, text::Text};
use proptest::prelude::*;
use serde_json::Value;

/// The general categories Cc, Cf, Zl and Zp of Unicode 16, and its other characters that show
/// nothing.
///
/// <https://www.unicode.org/Public/16.0.0/ucd/extracted/DerivedGeneralCategory.txt>
const DANGEROUS: [(u32, u32); 34] = [
    (0x0, 0x1f),
    (0x7f, 0x9f),
    (0xad, 0xad),
    (0x34f, 0x34f),
    (0x600, 0x605),
    (0x61c, 0x61c),
    (0x6dd, 0x6dd),
    (0x70f, 0x70f),
    (0x890, 0x891),
    (0x8e2, 0x8e2),
    (0x115f, 0x1160),
    (0x17b4, 0x17b5),
    (0x180b, 0x180f),
    (0x200b, 0x200f),
    (0x2028, 0x202e),
    (0x2060, 0x206f),
    (0x3164, 0x3164),
    (0xfe00, 0xfe0f),
    (0xfeff, 0xfeff),
    (0xffa0, 0xffa0),
    (0xfff0, 0xfffb),
    (0xfffe, 0xffff),
    (0x110bd, 0x110bd),
    (0x110cd, 0x110cd),
    (0x13430, 0x1343f),
    (0x1bca0, 0x1bca3),
    (0x1d173, 0x1d17a),
    (0xe0000, 0xe0001),
    (0xe0002, 0xe001f),
    (0xe0020, 0xe007f),
    (0xe0080, 0xe00ff),
    (0xe0100, 0xe01ef),
    (0xe01f0, 0xe0fff),
    (0x10_fffe, 0x10_ffff),
];

#[test]
fn no_character_that_could_do_something_or_hide_is_plain() {
    for (first, last) in DANGEROUS {
        for number in first..=last {
            let character = char::from_u32(number).unwrap();
            assert!(!is_plain(character), "{number:x}");
            let shown = escaped(&character.to_string()).into_owned();
            assert!(
                shown.chars().all(|shown| (' '..='~').contains(&shown)),
                "{shown}"
            );
        }
    }
}

/// What somebody would give a thread, a file or an argument as a name, to a terminal, a spreadsheet, an issue tracker, a
/// page, a log, a metric or a reader.
const HOSTILE: [&str; 4] = [
    "=A1+B1\u{1b}]0;owned\u{7}\u{1b}[35m\r\n\tFORGED\u{8}\u{7f}\u{9b}2J\u{ad}\
     \u{61c}\u{200b}\u{202e}\u{2028}\u{2066}\u{feff}\u{e0041}|<b>`@you",
    "/tmp/a\n<0>forged \u{1b}[35m\u{202e}: grün",
    "<script>'&\"\u{202e}\n</script>]]>",
    "a\"b\\c\nd\re\u{3164}\u{fe0f}\u{2060}",
];

/// A text as it reaches each place, and as a reader there understands it.
fn everywhere(text: &str) -> [(&'static str, String, String); 5] {
    let mut line = Vec::new();
    write!(Text::on(&mut line), "x{text}").unwrap();
    let line = String::from_utf8(line).unwrap();
    let seen = line[1..].replace(r"\u{23}#", "##");
    let page = markup(text);
    let read = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&amp;", "&"),
    ];
    let read = read
        .iter()
        .fold(page.clone(), |read, (entity, is)| read.replace(entity, is));
    let label = label(text);
    let quoted = label.replace("\\\"", "\"").replace(r"\\", r"\");
    let mut document = Vec::new();
    json::write(&mut document, &text).unwrap();
    let document = String::from_utf8(document).unwrap().trim_end().to_owned();
    let parsed: Value = serde_json::from_str(&document).unwrap();
    let parsed = escaped(parsed.as_str().unwrap()).into_owned();
    let file = os(text.as_ref());
    [
        ("line", line, seen),
        ("page", page, read),
        ("label", label, quoted),
        ("document", document, parsed),
        ("file", file.clone(), file),
    ]
}

fn assert_harmless(text: &str) {
    for (place, written, read) in everywhere(text) {
        assert!(written.chars().all(is_plain), "{place}: {written:?}");
        assert_eq!(read, escaped(text), "{place}");
    }
    assert!(!markup(text).contains(['<', '>', '"']));
    assert!(
        !label(text)
            .replace(r"\\", "")
            .replace("\\\"", "")
            .contains('"')
    );
}

#[test]
fn a_hostile_text_does_nothing_wherever_it_is_shown_and_all_of_it_is_seen() {
    HOSTILE.into_iter().for_each(assert_harmless);
    let numbers = DANGEROUS.into_iter().flat_map(|(first, last)| first..=last);
    assert_harmless(&numbers.filter_map(char::from_u32).collect::<String>());
}

#[test]
fn a_page_and_a_label_escape_what_they_would_read_as_their_own() {
    assert_eq!(
        markup("<script>'&\"\u{202e}\n"),
        r"&lt;script&gt;'&amp;&quot;\u{202e}\n"
    );
    assert_eq!(label("a\"b\\c\nd\re"), r#"a\"b\\c\\nd\\re"#);
}

#[test]
fn what_people_write_is_plain() {
    for text in [
        r#"C:\Program Files\a'b"c.exe"#,
        "10 µs ± 1 …",
        "█▁├┤●·",
        "Zoë, Zoe\u{308}",
        "名前",
        "نام",
        "🙂",
    ] {
        assert_eq!(escaped(text), text);
    }
}

#[test]
fn escapes_are_those_of_rust() {
    let text = "a\u{1b}]0;b\u{7}\r\n\t\0\u{9b}\u{202e}\u{fe0f}\u{e0041}";
    let shown = r"a\u{1b}]0;b\u{7}\r\n\t\0\u{9b}\u{202e}\u{fe0f}\u{e0041}";
    assert_eq!(escaped(text), shown);
}

proptest! {
    #[test]
    fn only_plain_characters_are_left_and_escaping_them_changes_nothing(
        text in proptest::collection::vec(any::<char>(), 0..40).prop_map(String::from_iter)
    ) {
        assert_harmless(&format!("{text}."));
        let shown = escaped(&text).into_owned();
        prop_assert!(shown.chars().all(is_plain), "{shown:?}");
        prop_assert_eq!(escaped(&shown), shown.as_str());
        let plain = text.chars().filter(|&character| is_plain(character));
        let mut rest = shown.chars();
        for character in plain {
            prop_assert!(rest.any(|shown| shown == character), "{character:?} is lost");
        }
    }
}
