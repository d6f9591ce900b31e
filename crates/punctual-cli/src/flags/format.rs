//! The flags for the format of the output.

/// One format, or text if none is given.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
#[group(multiple = false)]
pub struct FormatArgs {
    /// Print the full result as JSON instead of text
    #[arg(long)]
    pub json: bool,

    /// Print the tables as Markdown, for issue trackers
    #[arg(long)]
    pub markdown: bool,

    /// Print exact figures as CSV, for spreadsheets
    #[arg(long)]
    pub csv: bool,
}

impl FormatArgs {
    /// Whether the output is text for a terminal.
    pub fn is_text(self) -> bool {
        !(self.json || self.markdown || self.csv)
    }
}
