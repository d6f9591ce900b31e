//! Results as Markdown, to paste into an issue tracker.

use super::literal::{literal, paragraph};
use super::table::Table;
use crate::text::Text;
use crate::words::Words;
use punctual_lab::Environment;
use std::io;

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
    pub fn write(&self, out: &mut Text) -> io::Result<()> {
        writeln!(out, "### {}", literal(&self.title))?;
        for (what, table) in &self.tables {
            writeln!(out)?;
            if !what.is_empty() {
                writeln!(out, "{}:", paragraph(what))?;
                writeln!(out)?;
            }
            table.markdown(out)?;
        }
        for (index, remark) in self.remarks.iter().enumerate() {
            if index == 0 {
                writeln!(out)?;
            }
            writeln!(out, "- {}", paragraph(remark))?;
        }
        if let Some(command) = &self.command {
            writeln!(out)?;
            writeln!(out, "Made by `{}`", command.to_string().replace('`', "'"))?;
        }
        self.write_machine(out)
    }

    /// Collapsed, because most readers do not need it.
    fn write_machine(&self, out: &mut Text) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        if self.machine.is_empty() {
            writeln!(out)?;
            return writeln!(out, "Punctual {version}");
        }
        out.lines("\n<details><summary>Machine</summary>\n\n")?;
        for line in &self.machine {
            writeln!(out, "- {}", paragraph(line))?;
        }
        writeln!(out, "- Punctual {version}")?;
        out.lines("\n</details>")
    }
}
