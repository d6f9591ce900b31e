//! What is found, as people and programs read it.

use crate::markdown::Page;
use crate::table::Table;
use crate::text::Text;
use serde::Serialize;
use std::io;

/// Something that was found. JSON has all of it.
pub trait Show: Serialize {
    /// As text for a terminal.
    ///
    /// # Errors
    /// When the text cannot be written.
    fn text(&self, out: &mut Text) -> io::Result<()>;

    /// As Markdown for an issue tracker.
    fn page(&self) -> Page;

    /// As CSV for a spreadsheet.
    fn sheet(&self) -> Table;
}
