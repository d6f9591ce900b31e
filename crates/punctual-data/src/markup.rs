//! Markup that is always well-formed: every element is closed, and text is escaped.

use crate::escape;
use std::fmt::{Display, Write};

/// The attributes of an element: names, and values to be escaped.
pub type Attributes<'a> = &'a [(&'a str, &'a dyn Display)];

/// HTML that is also XML.
#[derive(Debug, Default)]
pub struct Markup(String);

impl Markup {
    /// An element and its contents.
    pub fn element(&mut self, name: &str, attributes: Attributes, inside: impl FnOnce(&mut Self)) {
        self.open(name, attributes);
        self.0.push('>');
        inside(self);
        self.put(format_args!("</{name}>"));
    }

    /// An element that contains only text.
    pub fn leaf(&mut self, name: &str, attributes: Attributes, text: impl Display) {
        self.element(name, attributes, |inside| inside.text(text));
    }

    /// An element that cannot have contents.
    pub fn empty(&mut self, name: &str, attributes: Attributes) {
        self.open(name, attributes);
        self.0.push_str("/>");
    }

    /// Text, escaped as everywhere and for markup. XML forbids control characters.
    pub fn text(&mut self, text: impl Display) {
        self.0 += &escape::markup(&text.to_string());
    }

    /// A line end, for readers of the source.
    pub fn line(&mut self) {
        self.0.push('\n');
    }

    /// Existing markup: only for constants of this program.
    pub fn constant(&mut self, markup: &'static str) {
        self.0.push_str(markup);
    }

    /// Markup that was built elsewhere.
    pub fn append(&mut self, other: Self) {
        self.0 += &other.0;
    }

    /// The whole text.
    pub fn finish(self) -> String {
        self.0
    }

    fn open(&mut self, name: &str, attributes: Attributes) {
        self.put(format_args!("<{name}"));
        for (name, value) in attributes {
            self.put(format_args!(" {name}=\""));
            self.text(value);
            self.0.push('"');
        }
    }

    fn put(&mut self, arguments: std::fmt::Arguments) {
        self.0.write_fmt(arguments).expect("strings take anything");
    }
}

/// What a page may fetch: nothing, whatever is on it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// A page without scripts, as wide as a phone, light or dark as the reader's system is.
pub fn page(
    title: &str,
    style: impl FnOnce(&mut Markup),
    body: impl FnOnce(&mut Markup),
) -> String {
    const METAS: [Attributes; 3] = [
        &[
            ("http-equiv", &"Content-Security-Policy"),
            ("content", &POLICY),
        ],
        &[
            ("name", &"viewport"),
            ("content", &"width=device-width, initial-scale=1"),
        ],
        &[("name", &"color-scheme"), ("content", &"light dark")],
    ];
    let mut out = Markup::default();
    out.constant("<!DOCTYPE html>\n");
    let attributes: Attributes = &[("lang", &"en"), ("xmlns", &"http://www.w3.org/1999/xhtml")];
    out.element("html", attributes, |out| {
        out.element("head", &[], |out| {
            out.empty("meta", &[("charset", &"utf-8")]);
            METAS.iter().for_each(|meta| out.empty("meta", meta));
            out.leaf("title", &[], title);
            out.element("style", &[], style);
        });
        out.line();
        out.element("body", &[], |out| out.element("main", &[], body));
    });
    out.line();
    out.finish()
}

/// A list of facts: their names, and what they are.
pub fn facts<N: Display, V: Display>(out: &mut Markup, facts: &[(N, V)]) {
    out.element("dl", &[], |out| {
        for (name, value) in facts {
            out.leaf("dt", &[], name);
            out.leaf("dd", &[], value);
        }
    });
}

/// A table below its caption. If it is too wide, the table scrolls and the caption does not. The
/// first cell of each row names the row.
pub fn table(out: &mut Markup, caption: &str, head: &[impl Display], rows: &[Vec<String>]) {
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
