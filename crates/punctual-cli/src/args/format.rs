//! How what was found is printed.

/// One of them, or text.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
#[group(multiple = false)]
pub struct FormatArgs {
    /// Print all of it as JSON instead of text
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
    /// Whether it is for whoever looks at a terminal.
    pub fn is_text(self) -> bool {
        !(self.json || self.markdown || self.csv)
    }
}
