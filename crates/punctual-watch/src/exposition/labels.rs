//! Labels, with their values escaped: the encoder writes values as they are.

use prometheus_client::encoding::{EncodeLabelValue, LabelValueEncoder};
use std::fmt::{self, Write};

/// The value of a label: any text.
#[derive(Debug, Clone, Copy)]
pub struct Value<'a>(pub &'a str);

impl EncodeLabelValue for Value<'_> {
    fn encode(&self, encoder: &mut LabelValueEncoder) -> fmt::Result {
        escaped(self.0, encoder)
    }
}

/// Writes a text with backslashes, quotes and ends of lines escaped, as both formats want it.
/// A carriage return becomes a space: to Python's reader it ends a line.
pub fn escaped(text: &str, out: &mut impl Write) -> fmt::Result {
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '"', '\n', '\r']) {
        out.write_str(&rest[..at])?;
        out.write_str(match rest.as_bytes()[at] {
            b'\\' => "\\\\",
            b'"' => "\\\"",
            b'\n' => "\\n",
            _ => " ",
        })?;
        rest = &rest[at + 1..];
    }
    out.write_str(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_quotes_or_its_line() {
        let mut out = String::new();
        escaped("a\"b\\c\nd\re", &mut out).unwrap();
        assert_eq!(out, r#"a\"b\\c\nd e"#);
    }
}
