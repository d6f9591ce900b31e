//! `punctual report`: one page from the JSON of other commands, which run now or ran before.

mod commands;
mod document;
mod languages;
mod lateness;
mod machine;
mod pace;
mod page;
mod picture;
mod predictions;
mod run;
#[cfg(test)]
mod tests;
mod timeline;
mod varied;
mod verdict;

use clap::ValueEnum;
use document::Document;
use punctual_command::failure::Failure;
use punctual_command::stop::Stop;
use punctual_command::{input, output};
use punctual_data::escape;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The contents of the page.
#[derive(Debug, Default)]
struct Material {
    documents: Vec<Document>,
    /// What could not be measured, a sentence each.
    lacking: Vec<String>,
}

/// Runs the command.
pub fn report(args: &ReportArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    ensure_named(args)?;
    // The page must not replace one of its own recordings.
    let sources: Vec<_> = args
        .from
        .iter()
        .map(|file| ("--from", file.as_path()))
        .collect();
    output::ensure_writable(stop, &[("FILE", &args.file)], &sources)?;
    let material = if args.from.is_empty() {
        run::run(args.quick, stop)?
    } else {
        let documents = args.from.iter().map(|file| read(file));
        Material {
            documents: documents.collect::<Result<_, _>>()?,
            lacking: Vec::new(),
        }
    };
    let page = match args.figure {
        None => page::page(&material),
        Some(figure) => picture::picture(figure, &material.documents)
            .map_err(|problem| Failure::flag("--figure", problem))?,
    };
    output::file(stop, &args.file, |out| out.write_all(page.as_bytes()))?;
    Ok(stop.status())
}

/// The end of a file's name gives the format; a name without one may be a pipe.
fn ensure_named(args: &ReportArgs) -> Result<(), Failure> {
    let end = args.file.extension().map(OsStr::to_ascii_lowercase);
    let end = end.as_deref().and_then(OsStr::to_str);
    match (args.figure, end) {
        (Some(_), Some("svg")) | (None, None | Some("html" | "htm")) => Ok(()),
        (Some(_), _) => Err(Failure::flag(
            "FILE",
            "a figure alone is SVG, and its file's name ends in .svg",
        )),
        (None, Some("svg")) => Err(Failure::flag(
            "FILE",
            "a page is HTML; choose a figure for the SVG with --figure",
        )),
        (None, _) => Err(Failure::flag(
            "FILE",
            "a page is HTML, and its file's name ends in .html",
        )),
    }
}

fn read(file: &Path) -> Result<Document, Failure> {
    let name = escape::path(file);
    let refused = |problem: String| Failure::flag("--from", format!("{name}: {problem}"));
    let text = input::text(file, input::RECORDING).map_err(|error| refused(error.to_string()))?;
    Document::from_json(&text).map_err(refused)
}

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
