//! The command line of `punctual report`.

use clap::ValueEnum;
use std::path::PathBuf;

/// Write one HTML page that shows how punctual this machine is.
///
/// Measures a few ways of waiting and of keeping a beat, explains late wake-ups as far as this
/// system permits, and predicts lateness on every simulated Windows. This takes about half a minute.
/// The page shows lateness by percentile, histograms, the worst wake-ups as a timeline, pace over
/// time, and the command behind every part. It is one file, without scripts or network access.
///
/// With --from nothing is measured: the page shows the JSON output of other commands. With --figure
/// too, one figure of the page is written as a picture.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ReportArgs {
    /// The page (.html) or picture (.svg) to write; after an error or a signal the file is unchanged
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Show the --json output of 'measure', 'explain', 'doctor clocks' or 'windows' instead of
    /// measuring
    #[arg(long, value_name = "JSON", num_args = 1..)]
    pub from: Vec<PathBuf>,

    /// Write one figure as SVG, for a README or a talk; it follows the reader's light or dark theme
    /// and contains a description in words
    #[arg(long, value_enum, value_name = "FIGURE", requires = "from")]
    pub figure: Option<FigureArg>,

    /// Measure for ten seconds in total; rare late wake-ups may not show
    #[arg(long, conflicts_with = "from")]
    pub quick: bool,
}

/// A figure of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FigureArg {
    /// Lateness by percentile ('measure')
    Lateness,
    /// A histogram of lateness ('measure')
    Histogram,
    /// Median and 99th percentile on each machine (several 'measure --on')
    Predictions,
    /// The worst wake-ups and their causes ('explain')
    Timeline,
    /// How far each way to keep a beat is off after a day ('measure --beat')
    Drift,
    /// The average interval over time ('measure --beat')
    Pace,
    /// What each value of a condition costs (one or several 'measure --vary')
    Vary,
    /// What a wait takes in each language, on every Windows ('windows')
    Languages,
}

const EXAMPLES: &str = "\
Examples:
  punctual report machine.html
  sudo punctual report machine.html --quick
  punctual measure --load cpu --json >loaded.json
  punctual measure --vary slack=1ns..1ms --json >slack.json
  punctual report loaded.html --from loaded.json slack.json
  punctual report slack.svg --figure vary --from slack.json

Exit status: 0 done, 1 the run failed, 2 the command line or a file is wrong;
stopped by a signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP
(nothing was written).";
