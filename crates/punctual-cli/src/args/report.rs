//! The command line of `punctual report`.

use clap::ValueEnum;
use std::path::PathBuf;

/// Draw how punctual a machine is: one HTML page, to look at and to pass on.
///
/// Measures a few ways of waiting and of keeping a beat, explains why wake-ups were late, as far as
/// this system permits, and predicts lateness on every simulated Windows. Takes about half a minute.
/// The page needs no network and no scripts: lateness by percentile, histograms, the worst wake-ups as
/// a timeline, pace over time, and the command by which each was found.
///
/// With --from nothing is run: the page shows what other commands have written as JSON. With --figure
/// as well, one of its figures is written alone, as a picture.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ReportArgs {
    /// The page to write, or the picture (.svg); it is written whole or not at all
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Show what 'measure', 'sweep', 'explain', 'pace' or 'clocks' printed with --json, instead of running
    /// anything
    #[arg(long, value_name = "JSON", num_args = 1..)]
    pub from: Vec<PathBuf>,

    /// Write one figure alone, as SVG, for a README or a talk: light or dark as its reader's system
    /// is, with a text alternative
    #[arg(long, value_enum, value_name = "FIGURE", requires = "from")]
    pub figure: Option<FigureArg>,

    /// Run for ten seconds in all: shorter, so that the rarest wake-ups are not seen
    #[arg(long, conflicts_with = "from")]
    pub quick: bool,
}

/// A figure of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FigureArg {
    /// Lateness by percentile, of what 'measure' printed
    Lateness,
    /// Where the wake-ups fall, of what 'measure' printed
    Histogram,
    /// Median and 99th percentile, machine by machine, of what several 'measure --on' printed
    Predictions,
    /// The latest wake-ups, and why, of what 'explain' printed
    Timeline,
    /// How far each way of keeping a beat is off after a day, of what 'pace' printed
    Drift,
    /// The average interval over time, of what 'pace' printed
    Pace,
    /// What a request does to Sleep(1), or on Linux timer slack to sleeps, of what 'sweep' printed
    Sweep,
}

const EXAMPLES: &str = "\
Examples:
  punctual report machine.html
  sudo punctual report machine.html --quick
  punctual measure --load cpu --json >loaded.json
  punctual sweep --json >sweep.json
  punctual report loaded.html --from loaded.json sweep.json
  punctual report sweep.svg --figure sweep --from sweep.json

Exit status: 0 done, 1 the run failed, 2 the command line or a file is wrong,
130 stopped by Ctrl-C, and nothing was written.";
