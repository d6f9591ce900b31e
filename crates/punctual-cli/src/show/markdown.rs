//! What was found as Markdown, to paste into an issue tracker.

use super::table::Table;
use punctual_lab::Environment;
use std::io::{self, Write};

/// A page: tables, each below a line that says what it is, and what their reader has to know.
#[derive(Debug, Default)]
pub struct Page {
    pub title: String,
    /// The first may need no line above it.
    pub tables: Vec<(String, Table)>,
    pub remarks: Vec<String>,
    /// The facts of the machine, a line each; none where there is not one machine.
    pub machine: Vec<String>,
}

impl Page {
    /// A page about a machine.
    pub fn of(title: String, environment: &Environment) -> Self {
        Self {
            title,
            machine: environment.lines(),
            ..Self::default()
        }
    }

    /// Writes it.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "### {}", escaped(&self.title))?;
        for (what, table) in &self.tables {
            writeln!(out)?;
            if !what.is_empty() {
                writeln!(out, "{}:\n", escaped(what))?;
            }
            table.markdown(out)?;
        }
        for (index, remark) in self.remarks.iter().enumerate() {
            if index == 0 {
                writeln!(out)?;
            }
            writeln!(out, "- {}", escaped(remark))?;
        }
        self.write_machine(out)
    }

    /// Folded: needed by whoever compares, in the way of whoever reads.
    fn write_machine(&self, out: &mut dyn Write) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        if self.machine.is_empty() {
            return writeln!(out, "\nPunctual {version}");
        }
        writeln!(out, "\n<details><summary>Machine</summary>\n")?;
        for line in &self.machine {
            writeln!(out, "- {}", escaped(line.trim()))?;
        }
        writeln!(out, "- Punctual {version}")?;
        writeln!(out, "\n</details>")
    }
}

/// Text that is to be seen as it is.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '\n' => escaped.push(' '),
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' => {
                escaped.push('\\');
                escaped.push(character);
            }
            plain => escaped.push(plain),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_markdown_would_read_as_its_own_is_escaped() {
        let text = "a|b <script> *x* `y` [z](#) \\ &";
        let seen = "a\\|b &lt;script> \\*x\\* \\`y\\` \\[z\\](\\#) \\\\ &amp;";
        assert_eq!(escaped(text), seen);
    }
}
