//! Results as Markdown, to paste into an issue tracker.

use crate::literal::{literal, paragraph};
use crate::table::Table;
use crate::text::Text;
use std::io;

/// A page of Markdown: tables, each below a line with its title, and remarks.
#[derive(Debug, Default)]
pub struct Page {
    /// The line above all.
    pub title: String,
    /// The tables. The first needs no title of its own.
    pub tables: Vec<(String, Table)>,
    /// The items of a list below the tables.
    pub remarks: Vec<String>,
    /// The command line that repeats the run, if there is one.
    pub command: Option<String>,
    /// The facts of the machine, a line each; empty if there is not just one machine.
    pub machine: Vec<String>,
}

impl Page {
    /// A page about a machine, with its facts.
    pub fn of(title: String, machine: Vec<String>) -> Self {
        Self {
            title,
            machine,
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
            writeln!(out, "Made by `{}`", command.replace('`', "'"))?;
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
