//! HTML that is being written. Whatever is not ours is escaped.

use punctual_data::escape;
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
        self.0 += &escape::markup(&text.to_string());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_shown_and_never_obeyed() {
        let mut out = Html::default();
        out.element("td class=\"a\"", "<script>'&\"\u{202e}\n");
        assert_eq!(
            out.into_string(),
            r#"<td class="a">&lt;script&gt;'&amp;&quot;\u{202e}\n</td>"#
        );
    }
}
