//! Markup that is always well-formed: every element is closed, and text is escaped.

use punctual_data::escape::escaped;
use std::fmt::{Display, Write};

/// The attributes of an element: names, and values to be escaped.
pub(super) type Attributes<'a> = &'a [(&'a str, &'a dyn Display)];

/// HTML that is also XML.
#[derive(Debug, Default)]
pub(super) struct Markup(String);

impl Markup {
    /// An element and its contents.
    pub(super) fn element(
        &mut self,
        name: &str,
        attributes: Attributes,
        inside: impl FnOnce(&mut Self),
    ) {
        self.open(name, attributes);
        self.0.push('>');
        inside(self);
        self.put(format_args!("</{name}>"));
    }

    /// An element that contains only text.
    pub(super) fn leaf(&mut self, name: &str, attributes: Attributes, text: &str) {
        self.element(name, attributes, |inside| inside.text(text));
    }

    /// An element that cannot have contents.
    pub(super) fn empty(&mut self, name: &str, attributes: Attributes) {
        self.open(name, attributes);
        self.0.push_str("/>");
    }

    /// Text, escaped as everywhere and for markup. XML forbids control characters.
    pub(super) fn text(&mut self, text: &str) {
        escaped(text)
            .chars()
            .for_each(|character| self.character(character));
    }

    /// A line end, for readers of the source.
    pub(super) fn line(&mut self) {
        self.0.push('\n');
    }

    /// Existing markup: only for constants of this program.
    pub(super) fn constant(&mut self, markup: &'static str) {
        self.0.push_str(markup);
    }

    /// Markup that was built elsewhere.
    pub(super) fn append(&mut self, other: Self) {
        self.0 += &other.0;
    }

    /// The whole text.
    pub(super) fn finish(self) -> String {
        self.0
    }

    fn open(&mut self, name: &str, attributes: Attributes) {
        self.put(format_args!("<{name}"));
        for (name, value) in attributes {
            self.put(format_args!(" {name}=\""));
            self.text(&value.to_string());
            self.0.push('"');
        }
    }

    fn put(&mut self, arguments: std::fmt::Arguments) {
        self.0.write_fmt(arguments).expect("strings take anything");
    }

    fn character(&mut self, character: char) {
        match character {
            '&' => self.0.push_str("&amp;"),
            '<' => self.0.push_str("&lt;"),
            '>' => self.0.push_str("&gt;"),
            '"' => self.0.push_str("&quot;"),
            other => self.0.push(other),
        }
    }
}

/// A table below its caption. If it is too wide, the table scrolls and the caption does not. The
/// first cell of each row names the row.
pub(super) fn table(out: &mut Markup, caption: &str, head: &[&str], rows: &[Vec<String>]) {
    out.leaf("p", &[("class", &"caption")], caption);
    let attributes: Attributes = &[
        ("class", &"wide"),
        ("tabindex", &0),
        ("role", &"region"),
        ("aria-label", &caption),
    ];
    out.element("div", attributes, |out| {
        out.element("table", &[("aria-label", &caption)], |out| {
            out.element("thead", &[], |out| {
                out.element("tr", &[], |out| {
                    for name in head {
                        out.leaf("th", &[("scope", &"col")], name);
                    }
                });
            });
            out.element("tbody", &[], |out| {
                rows.iter().for_each(|row| table_row(out, row));
            });
        });
    });
    out.line();
}

fn table_row(out: &mut Markup, row: &[String]) {
    out.element("tr", &[], |out| {
        for (column, cell) in row.iter().enumerate() {
            match column {
                0 => out.leaf("th", &[("scope", &"row")], cell),
                _ => out.leaf("td", &[], cell),
            }
        }
    });
    out.line();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_attributes_cannot_become_markup() {
        let mut out = Markup::default();
        out.leaf(
            "p",
            &[("title", &"\"><b a='&'>")],
            "<script>\u{1}\u{ffff}</p>&amp;",
        );
        assert_eq!(
            out.finish(),
            "<p title=\"&quot;&gt;&lt;b a='&amp;'&gt;\">\
             &lt;script&gt;\\u{1}\\u{ffff}&lt;/p&gt;&amp;amp;</p>"
        );
    }
}
