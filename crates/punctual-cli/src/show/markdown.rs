//! Results as Markdown, to paste into an issue tracker.

use super::table::{Table, escaped};
use crate::words::Words;
use punctual_lab::Environment;
use std::io::{self, Write};

/// A page: tables, each below a line with its title, and remarks.
#[derive(Debug, Default)]
pub struct Page {
    pub title: String,
    /// The tables. The first needs no title of its own.
    pub tables: Vec<(String, Table)>,
    pub remarks: Vec<String>,
    /// The command that repeats the run, if there is one.
    pub command: Option<Words>,
    /// The facts of the machine, a line each; empty if there is not just one machine.
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
        if let Some(command) = &self.command {
            writeln!(out, "\nMade by `{}`", command.to_string().replace('`', "'"))?;
        }
        self.write_machine(out)
    }

    /// Collapsed, because most readers do not need it.
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
