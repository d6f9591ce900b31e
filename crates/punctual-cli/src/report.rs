//! `punctual report`: one page from the JSON of other commands, which run now or ran before.

mod clocks;
mod commands;
mod document;
mod fitness;
mod flags;
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

pub use flags::ReportArgs;

use document::Document;
use punctual_command::failure::Failure;
use punctual_command::input;
use punctual_command::output;
use punctual_command::stop::Stop;
use punctual_data::escape;
use std::ffi::OsStr;
use std::path::Path;
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
