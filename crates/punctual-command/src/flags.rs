//! Flags that every command has, and how the names that a flag takes are listed.

use punctual_data::text::{WIDTH, wrapped};
use std::str::FromStr;

/// For flags that `--help` shows and `-h` does not, which fits a screen.
pub const RARE: bool = true;

/// Reads a whole number.
pub fn parse_whole<T: FromStr>(text: &str) -> Result<T, String> {
    let wrong = |_| format!("'{text}' is not a whole number that fits; write one such as 1");
    text.parse().map_err(wrong)
}

/// One format, or text if none is given.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
#[group(multiple = false)]
#[command(next_help_heading = "Output")]
pub struct FormatArgs {
    /// Print the full result as JSON instead of text
    #[arg(long)]
    pub json: bool,

    /// Print the tables as Markdown, for issue trackers
    #[arg(long, hide_short_help = RARE)]
    pub markdown: bool,

    /// Print exact figures as CSV, for spreadsheets
    #[arg(long, hide_short_help = RARE)]
    pub csv: bool,
}

impl FormatArgs {
    /// Whether the output is text for a terminal.
    pub fn is_text(self) -> bool {
        !(self.json || self.markdown || self.csv)
    }
}

/// Names with their descriptions, in columns that fit the help.
pub fn listed<'a>(offers: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    /// The width of the longest name, `clock-nanosleep`, and some space.
    const NAME: usize = 17;
    /// The parser's indentation of a flag's text.
    const INDENT: usize = 10;
    let mut list = String::new();
    for (name, summary) in offers {
        let lines = wrapped(summary, WIDTH - INDENT - 2 - NAME).enumerate();
        for (index, line) in lines {
            let name = if index == 0 { name } else { "" };
            list += &format!("  {name:NAME$}{line}\n");
        }
    }
    list
}
