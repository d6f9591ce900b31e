//! Text from elsewhere, shown so that it can do nothing: names of threads and files, arguments,
//! recordings, and whatever errors quote of them.
//!
//! A character that a terminal or an editor could obey, or that nobody would see, is shown as Rust
//! writes it: `\u{1b}`, `\n`. Showing the result again changes nothing, so text may be escaped where
//! its width matters and once more where it is written.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

/// Characters that are no control characters and show nothing: fillers of Hangul, and selectors of
/// variants, which can hide any text. The standard library knows all others.
///
/// <https://www.unicode.org/Public/UCD/latest/ucd/DerivedCoreProperties.txt>, property
/// `Default_Ignorable_Code_Point`.
fn shows_nothing(character: char) -> bool {
    matches!(
        character,
        '\u{34f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{ffa0}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// Whether a character is shown as it is.
pub fn is_plain(character: char) -> bool {
    match character {
        ' '..='~' => true,
        other if other.is_ascii() || shows_nothing(other) => false,
        other => {
            // Alone, or at the beginning, an accent would be escaped, too.
            let behind_a_letter = String::from_iter(['x', other]);
            behind_a_letter.escape_debug().eq(['x', other])
        }
    }
}

/// Text with every character that is not plain escaped, line ends included.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match is_plain(character) {
            true => shown.push(character),
            false if shows_nothing(character) => shown.extend(character.escape_unicode()),
            false => shown.extend(character.escape_debug()),
        }
    }
    Cow::Owned(shown)
}

/// A name or an argument of the system: bytes that are not text are shown as `\xff`.
pub fn os(text: &OsStr) -> String {
    let mut shown = String::new();
    for chunk in text.as_encoded_bytes().utf8_chunks() {
        shown += &escaped(chunk.valid());
        for byte in chunk.invalid() {
            write!(shown, "\\x{byte:02x}").expect("strings take anything");
        }
    }
    shown
}

/// The name of a file.
pub fn path(file: &Path) -> String {
    os(file.as_os_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
}
