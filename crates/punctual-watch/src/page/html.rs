//! HTML that is being written. Whatever is not ours is escaped.

use std::fmt::{self, Display, Write};

/// What has been written so far.
#[derive(Debug, Default)]
pub struct Html(String);

impl Html {
    /// Writes markup of ours.
    pub fn raw(&mut self, markup: &str) {
        self.0.push_str(markup);
    }

    /// Writes markup of ours with numbers in it.
    pub fn markup(&mut self, markup: fmt::Arguments<'_>) {
        self.0
            .write_fmt(markup)
            .expect("writing to a string does not fail");
    }

    /// Writes any text, which is shown as it is.
    pub fn text(&mut self, text: impl Display) {
        write!(Escaping(&mut self.0), "{text}").expect("writing to a string does not fail");
    }

    /// Writes an element with any text in it. The tag is ours, and may have attributes.
    pub fn element(&mut self, tag: &str, text: impl Display) {
        let name = tag.split(' ').next().unwrap_or(tag);
        self.markup(format_args!("<{tag}>"));
        self.text(text);
        self.markup(format_args!("</{name}>"));
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

struct Escaping<'a>(&'a mut String);

impl Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for letter in text.chars() {
            match letter {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                // No text turns the direction of what follows, or is invisible.
                letter if letter.is_control() || is_invisible(letter) => self.0.push('\u{fffd}'),
                letter => self.0.push(letter),
            }
        }
        Ok(())
    }
}

/// Marks that change the direction of text, and those without width.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_shown_and_never_obeyed() {
        let mut out = Html::default();
        out.element("td class=\"a\"", "<script>'&\"\u{202e}\n");
        assert_eq!(
            out.into_string(),
            "<td class=\"a\">&lt;script&gt;&#39;&amp;&quot;\u{fffd}\u{fffd}</td>"
        );
    }
}
