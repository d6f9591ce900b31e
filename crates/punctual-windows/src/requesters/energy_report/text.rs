//! The pieces of text in markup.

/// Bytes as text: UTF-16 if they are marked so, as XML from Windows may be, else UTF-8.
pub(super) fn decode(bytes: &[u8]) -> String {
    let utf_16 = |unit: fn([u8; 2]) -> u16| {
        let pairs = bytes[2..].chunks_exact(2);
        let units: Vec<u16> = pairs.map(|pair| unit([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xFF, 0xFE, ..] => utf_16(u16::from_le_bytes),
        [0xFE, 0xFF, ..] => utf_16(u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// The text between tags, line by line, without empty lines, scripts and styles.
pub(super) fn pieces(markup: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = markup;
    while !rest.is_empty() {
        let (text, after) = rest.split_at(tag_at(rest));
        let lines = text.lines().flat_map(|line| line.split('\t'));
        let lines = lines.map(|line| unescaped(line).trim().to_owned());
        pieces.extend(lines.filter(|line| !line.is_empty()));
        rest = after_tag(after);
    }
    pieces
}

/// Where the next tag begins: a bare `<` counts as text.
fn tag_at(text: &str) -> usize {
    let mut candidates = text.match_indices('<').map(|(at, _)| at);
    let begins = |at: &usize| {
        let next = text[at + 1..].chars().next();
        next.is_some_and(|next| next.is_ascii_alphabetic() || "/!?".contains(next))
    };
    candidates.find(begins).unwrap_or(text.len())
}

/// What follows the tag at the start of this; for a script or a style, what follows its end.
fn after_tag(text: &str) -> &str {
    for (begin, end) in [
        ("<!--", "-->"),
        ("<script", "</script>"),
        ("<style", "</style>"),
    ] {
        if starts_with_ignoring_case(text, begin) {
            return after(&text[begin.len()..], end);
        }
    }
    match text.strip_prefix("<![CDATA[") {
        // Its end stays in the text, at worst as a piece of its own.
        Some(text) => text,
        None => after(text, ">"),
    }
}

/// What follows the first occurrence of this, or nothing.
fn after<'a>(text: &'a str, end: &str) -> &'a str {
    let candidates = text.match_indices(&end[..1]).map(|(at, _)| at);
    let mut found = candidates.filter(|&at| starts_with_ignoring_case(&text[at..], end));
    found.next().map_or("", |at| &text[at + end.len()..])
}

fn starts_with_ignoring_case(text: &str, start: &str) -> bool {
    let head = text.as_bytes().get(..start.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
}

/// Replaces entities by their characters. Unknown entities stay unchanged.
fn unescaped(text: &str) -> String {
    /// Longer than any entity that is known here.
    const LONGEST: usize = 10;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(';').filter(|&end| end <= LONGEST);
        match end.and_then(|end| Some((character(&rest[1..end])?, end))) {
            Some((character, end)) => {
                out.push(character);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

fn character(entity: &str) -> Option<char> {
    let number = |text: &str, radix| char::from_u32(u32::from_str_radix(text, radix).ok()?);
    match entity {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => match entity.strip_prefix('#')? {
            hex if hex.starts_with(['x', 'X']) => number(&hex[1..], 16),
            decimal => number(decimal, 10),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_is_what_is_between_tags() {
        let markup = "<style>p { a: b }</STYLE><p>one &amp; two</p><!-- <p>no</p> -->\
                      <script>if (a<b) {}</script>three\tfour\n<br/> 1 < 2 <![CDATA[five";
        assert_eq!(
            pieces(markup),
            ["one & two", "three", "four", "1 < 2", "five"]
        );
    }

    #[test]
    fn what_has_no_end_is_left_out() {
        assert_eq!(pieces("a<b"), ["a"]);
        assert_eq!(pieces("a<!-- b"), ["a"]);
        assert_eq!(pieces("a<script>b"), ["a"]);
        assert_eq!(pieces("<"), ["<"]);
    }

    #[test]
    fn entities() {
        assert_eq!(
            unescaped("&lt;&#65;&#x42;&unknown;&;&&gt"),
            "<AB&unknown;&;&&gt"
        );
        assert_eq!(unescaped("&#xD800;"), "&#xD800;");
    }

    #[test]
    fn marks_at_the_beginning_say_how_it_is_encoded() {
        assert_eq!(decode(b"\xFF\xFEa\0b\0"), "ab");
        assert_eq!(decode(b"\xFE\xFF\0a\0b\0"), "ab");
        assert_eq!(decode(b"\xEF\xBB\xBFab"), "ab");
        assert_eq!(decode(b"ab"), "ab");
    }

    proptest! {
        #[test]
        fn any_text_survives_being_escaped_and_put_between_tags(text in "[^\t\r\n\u{85}\u{2028}\u{2029}]{0,40}") {
            let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let found = pieces(&format!("<td class=\"x\">{escaped}</td>"));
            let wanted = text.trim();
            prop_assert_eq!(found.concat(), wanted);
        }
    }
}
