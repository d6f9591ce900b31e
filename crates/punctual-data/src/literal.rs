//! Text in Markdown that shows it unchanged, and makes nothing of it.

use crate::escape::escaped;

/// An entity for a space of no width. It separates what sites such as GitHub would make a mention or
/// a reference of; a backslash does not.
const APART: &str = "&#8203;";

/// Text within a line: a cell, a heading.
pub(crate) fn literal(text: &str) -> String {
    let shown = escaped(text);
    let mut literal = String::with_capacity(shown.len());
    let mut characters = shown.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '<' => literal.push_str("&lt;"),
            '&' => literal.push_str("&amp;"),
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' | '~' | '$' => {
                literal.push('\\');
                literal.push(character);
            }
            plain => literal.push(plain),
        }
        let names = characters.peek().is_some_and(|next| next.is_alphanumeric());
        if ['@', '#'].contains(&character) && names {
            literal.push_str(APART);
        }
    }
    // Addresses would become links without any markup.
    literal.replace("://", r":\/\/").replace("www.", r"www\.")
}

/// Text at the beginning of a line, where it could also become a list, a quotation or a rule.
pub(crate) fn paragraph(text: &str) -> String {
    let text = literal(text.trim_start());
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    match rest.chars().next() {
        Some('.' | ')') if !number.is_empty() => format!("{number}\\{rest}"),
        Some('-' | '+' | '=' | '>' | ':') if number.is_empty() => format!("\\{rest}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    #[test]
    fn what_markdown_would_read_as_its_own_is_escaped() {
        let text = "a|b <script> *x* `y` [z](#) \\ & ~~w~~ $m$";
        let seen =
            "a\\|b &lt;script> \\*x\\* \\`y\\` \\[z\\](\\#) \\\\ &amp; \\~\\~w\\~\\~ \\$m\\$";
        assert_eq!(literal(text), seen);
    }

    #[test]
    fn nothing_is_mentioned_and_nothing_is_linked() {
        assert_eq!(
            literal("@user #12 a@b.c # @"),
            r"@&#8203;user \#&#8203;12 a@&#8203;b.c \# @"
        );
        assert_eq!(literal("http://a www.b.c"), r"http:\/\/a www\.b.c");
    }

    /// What a reader sees, and whether it is one paragraph of text and nothing else.
    fn seen(markdown: &str) -> (String, bool) {
        // GitHub has neither.
        let others = Options::ENABLE_SMART_PUNCTUATION | Options::ENABLE_SUPERSCRIPT;
        let mut seen = String::new();
        let mut is_text = true;
        for event in Parser::new_ext(markdown, Options::all() - others) {
            match event {
                Event::Text(text) => seen += &text,
                Event::Start(tag) => is_text &= tag == Tag::Paragraph,
                Event::End(_) => {}
                _ => is_text = false,
            }
        }
        (seen.replace('\u{200b}', ""), is_text)
    }

    proptest! {
        #[test]
        fn a_reader_sees_the_text_and_nothing_else(text in "[-+=>~#@$:|*_`<&.()!\\[\\]\\\\ 0-9a-c\"'\n\u{1b}{}^/]{0,12}") {
            let text = text.trim();
            let (seen, is_text) = seen(&paragraph(text));
            prop_assert!(is_text, "{text:?}: {}", paragraph(text));
            prop_assert_eq!(seen, escaped(text));
        }

        #[test]
        fn a_cell_is_one_cell(text in "[|`<\\\\ a*\n]{0,9}") {
            let table = format!("| a | b |\n|---|---|\n| {} | c |\n", literal(text.trim()));
            let events = Parser::new_ext(&table, Options::ENABLE_TABLES);
            let cells = events.filter(|event| *event == Event::Start(Tag::TableCell));
            prop_assert_eq!(cells.count(), 4, "{}", table);
        }
    }
}
