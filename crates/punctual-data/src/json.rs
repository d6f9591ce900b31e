//! JSON that does nothing to a terminal, and has the same values as any other.

use crate::escape::is_plain;
use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use std::io::{self, Write};

/// Writes a value in several lines.
pub fn write(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(&mut *out, Harmless(PrettyFormatter::new()));
    value.serialize(&mut serializer)?;
    writeln!(out)
}

/// Escapes in strings what people would not see. The standard escapes the control characters below
/// U+0020 and no others.
struct Harmless(PrettyFormatter<'static>);

impl Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(|character| !is_plain(character)) {
            let (plain, other) = rest.split_at(at);
            out.write_all(plain.as_bytes())?;
            let mut others = other.chars();
            for unit in others.next().unwrap_or_default().encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = others.as_str();
        }
        out.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn written(value: &Value) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes, value).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn what_is_plain_is_written_as_ever() {
        let value = json!({"a": [1, {"b": "10 µs \"x\" \\ \n"}, []], "c": {}});
        let usual = serde_json::to_string_pretty(&value).unwrap() + "\n";
        assert_eq!(written(&value), usual);
    }

    #[test]
    fn what_nobody_would_see_is_escaped() {
        let shown = written(&json!("\u{1b}\u{7f}\u{9b}\u{202e}\u{e0041}"));
        assert_eq!(shown, "\"\\u001b\\u007f\\u009b\\u202e\\udb40\\udc41\"\n");
    }

    proptest! {
        #[test]
        fn the_value_is_the_same_and_every_character_is_plain(
            texts in proptest::collection::vec(
                proptest::collection::vec(any::<char>(), 0..20).prop_map(String::from_iter), 2
            )
        ) {
            let value = json!({ texts[0].clone(): texts[1].clone() });
            let shown = written(&value);
            prop_assert!(shown.lines().all(|line| line.chars().all(is_plain)), "{shown:?}");
            prop_assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), value);
        }
    }
}
