//! The only way to a terminal: lines of text, in which only our own styles are styles.

use crate::escape::escaped;
use anstyle::Style;
use std::fmt::Arguments;
use std::io::{self, Write};

/// Text that is written for people. Whatever is written with `write!` and `writeln!` is
/// [escaped], whether it comes from us or from elsewhere. So a line stays one line, and styles are
/// given as values.
pub struct Text<'a> {
    out: &'a mut dyn Write,
}

impl<'a> Text<'a> {
    pub fn on(out: &'a mut dyn Write) -> Self {
        Self { out }
    }

    /// What `write!` and `writeln!` call. A line ends at the end of what is written and nowhere
    /// else.
    pub fn write_fmt(&mut self, arguments: Arguments<'_>) -> io::Result<()> {
        let text = arguments.to_string();
        match text.strip_suffix('\n') {
            Some(line) => writeln!(self.out, "{}", shown(line)),
            None => write!(self.out, "{}", shown(&text)),
        }
    }

    /// A part of a line in a style.
    pub fn styled(&mut self, style: Style, text: &str) -> io::Result<()> {
        write!(self.out, "{style}{}{style:#}", shown(text))
    }

    /// Several lines, each of which is known.
    pub fn lines(&mut self, lines: &'static str) -> io::Result<()> {
        lines.lines().try_for_each(|line| writeln!(self, "{line}"))
    }
}

/// Text, escaped. The logs of GitHub and Azure read commands from lines, and none of ours is one.
///
/// <https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions>
/// <https://learn.microsoft.com/en-us/azure/devops/pipelines/scripts/logging-commands>
fn shown(text: &str) -> String {
    let mut shown = escaped(text).into_owned();
    for command in ["##[", "##vso["] {
        shown = shown.replace(command, &command.replacen('#', r"\u{23}", 1));
    }
    match shown.trim_start().starts_with("::") {
        true => shown.replacen(':', r"\u{3a}", 1),
        false => shown,
    }
}

/// Writes to standard error. A failure to print is ignored, because the exit status also tells.
pub fn on_stderr(write: impl FnOnce(&mut Text) -> io::Result<()>) {
    #[expect(clippy::disallowed_methods, reason = "the one door")]
    let _ = write(&mut Text::on(&mut anstream::stderr()));
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::escape::is_plain;
    use proptest::prelude::*;

    /// What is written, as it reaches a terminal.
    pub fn written(write: impl FnOnce(&mut Text) -> io::Result<()>) -> String {
        let mut bytes = Vec::new();
        write(&mut Text::on(&mut bytes)).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_one_line_of_plain_characters(text in ".*\n?") {
            let text = format!("{text}\u{1b}[1m\r\n");
            let line = written(|out| writeln!(out, "{text}"));
            let line = line.strip_suffix('\n').unwrap();
            prop_assert!(line.chars().all(is_plain), "{line:?}");
            prop_assert!(line.ends_with(r"\u{1b}[1m\r\n"), "{}", line);
        }

        #[test]
        fn a_style_is_around_its_text_and_the_text_has_none(text in ".*") {
            let bold = Style::new().bold();
            let shown = written(|out| out.styled(bold, &text));
            let inside = shown.strip_prefix("\u{1b}[1m");
            let inside = inside.and_then(|inside| inside.strip_suffix("\u{1b}[0m")).unwrap();
            prop_assert!(inside.chars().all(is_plain), "{inside:?}");
        }
    }

    #[test]
    fn no_line_is_a_command_to_a_log() {
        for (text, shown) in [
            ("::error::a", r"\u{3a}:error::a"),
            ("  ::error::a", r"  \u{3a}:error::a"),
            ("a ##[error]b", r"a \u{23}#[error]b"),
            ("##vso[task]b", r"\u{23}#vso[task]b"),
            ("### a::b #[c]", "### a::b #[c]"),
        ] {
            assert_eq!(written(|out| writeln!(out, "{text}")), format!("{shown}\n"));
            assert_eq!(written(|out| out.styled(Style::new(), text)), shown);
        }
    }

    #[test]
    fn known_lines_are_lines() {
        assert_eq!(written(|out| out.lines("a\nb")), "a\nb\n");
    }
}
