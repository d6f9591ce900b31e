//! The only way to a terminal: lines of text, in which only our own styles are styles, and the parts that texts share.

use crate::escape::escaped;
use anstyle::Style;
use std::fmt::Arguments;
use std::io::{self, Write};

/// The usual width of a terminal.
pub const WIDTH: usize = 80;
/// Headings. Styles are removed if standard output is not a terminal.
pub const HEADING: Style = Style::new().bold();
/// The style of warnings.
pub const ATTENTION: Style = Style::new()
    .bold()
    .fg_color(Some(anstyle::Color::Ansi(anstyle::AnsiColor::Yellow)));

/// Text that is written for people. Whatever is written with `write!` and `writeln!` is
/// [escaped], whether it comes from us or from elsewhere. So a line stays one line, and styles are
/// given as values.
pub struct Text<'a> {
    out: &'a mut dyn Write,
}

impl<'a> Text<'a> {
    /// Text that goes to any writer.
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

/// A heading, below an empty line.
pub fn heading(out: &mut Text, text: &str) -> io::Result<()> {
    writeln!(out)?;
    styled_line(out, HEADING, text)
}

/// A line in a style.
pub fn styled_line(out: &mut Text, style: Style, text: &str) -> io::Result<()> {
    out.styled(style, text)?;
    writeln!(out)
}

/// Lines of at most 80 columns.
pub fn paragraph(out: &mut Text, text: &str) -> io::Result<()> {
    wrapped(text, WIDTH).try_for_each(|line| writeln!(out, "{line}"))
}

/// A remark below a table.
pub fn note(out: &mut Text, text: &str) -> io::Result<()> {
    const LABEL: &str = "note: ";
    let mut lines = wrapped(text, WIDTH - LABEL.len());
    let first = lines.next().unwrap_or_default();
    out.styled(ATTENTION, LABEL)?;
    writeln!(out, "{first}")?;
    lines.try_for_each(|line| writeln!(out, "{:width$}{line}", "", width = LABEL.len()))
}

/// A heading of one or more lines.
pub fn titled(out: &mut Text, title: &str) -> io::Result<()> {
    for (index, line) in wrapped(title, WIDTH).enumerate() {
        if index == 0 {
            heading(out, &line)?;
        } else {
            styled_line(out, HEADING, &line)?;
        }
    }
    Ok(())
}

/// Remarks below a table, each with its label.
pub fn notes(out: &mut Text, remarks: &[impl ToString]) -> io::Result<()> {
    if !remarks.is_empty() {
        writeln!(out)?;
    }
    remarks
        .iter()
        .try_for_each(|remark| note(out, &remark.to_string()))
}

/// Lines of at most `width` characters, broken at spaces. They are [escaped], because that decides
/// how wide a word is.
pub fn wrapped(text: &str, width: usize) -> impl Iterator<Item = String> + use<> {
    let mut lines = vec![String::new()];
    for word in escaped(text).split(' ') {
        let last = lines.last_mut().expect("there is a first line");
        let needed = last.chars().count() + 1 + word.chars().count();
        if last.is_empty() {
            last.push_str(word);
        } else if needed <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.into_iter()
}

/// A text in as many lines as it needs, beside a name in its first that has a column of this width.
pub fn beside(out: &mut Text, name: &str, width: usize, text: &str) -> io::Result<()> {
    let lines = wrapped(text, WIDTH - width).filter(|line| !line.is_empty());
    lines.enumerate().try_for_each(|(index, line)| {
        let name = if index == 0 { name } else { "" };
        writeln!(out, "{name:width$}{line}")
    })
}

/// As much of a text as fits a column, as it is shown.
pub fn cut(text: &str, width: usize) -> String {
    let text = escaped(text);
    if text.chars().count() <= width {
        return text.into_owned();
    }
    let kept: String = text.chars().take(width - 1).collect();
    kept.trim_end().to_owned() + "…"
}

#[cfg(test)]
pub(crate) mod tests {
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
