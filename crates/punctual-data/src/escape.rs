//! Text from elsewhere, shown so that it can do nothing: names of threads and files, arguments,
//! recordings, and whatever errors quote of them.
//!
//! There is one rule for every place. A character that a terminal or an editor could obey, or that
//! nobody would see, is shown as Rust writes it: `\u{1b}`, `\n`. Showing the result again changes
//! nothing, so text may be escaped where its width matters and once more where it is written. What a
//! place reads as its own, such as `<` on a page, is escaped on top of that.

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

/// Text on a page, as an element's contents or within the quotes of an attribute: HTML that is also XML.
pub fn markup(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in escaped(text).chars() {
        match character {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            other => shown.push(other),
        }
    }
    shown
}

/// The value of a metric's label, within its quotes, as Prometheus and OpenMetrics read it.
pub fn label(text: &str) -> String {
    escaped(text).replace('\\', r"\\").replace('"', "\\\"")
}

/// The name of a file.
pub fn path(file: &Path) -> String {
    os(file.as_os_str())
}

#[cfg(test)]
mod tests;
