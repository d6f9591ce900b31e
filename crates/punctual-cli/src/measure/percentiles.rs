//! `--hdr`: a file of percentiles for each method.

use super::MeasureArgs;
use punctual_command::failure::Failure;
use punctual_command::output;
use punctual_command::stop::Stop;
use punctual_lab::measure::Recording;
use std::path::{Path, PathBuf};

const FLAG: &str = "--hdr";

/// The placeholder for the method in a file's name.
const METHOD: &str = "{method}";

/// Refuses files that could not be written at the end, before anything runs.
pub(super) fn check(args: &MeasureArgs, series: usize, stop: &Stop) -> Result<(), Failure> {
    let Some(file) = &args.hdr else {
        return Ok(());
    };
    if series > 1 && !file.to_string_lossy().contains(METHOD) {
        let problem = format!(
            "{series} series would be written into one file; write {METHOD} into its name, as in \
             lateness-{METHOD}.hgrm, or choose one with --method"
        );
        return Err(Failure::flag(FLAG, problem));
    }
    output::ensure_writable(stop, &[(FLAG, file)], &[])
}

/// Writes the requested files.
pub(super) fn write(args: &MeasureArgs, recording: &Recording, stop: &Stop) -> Result<(), Failure> {
    let Some(file) = &args.hdr else {
        return Ok(());
    };
    recording.series.iter().try_for_each(|series| {
        let file = named(file, &series.method);
        output::file(stop, &file, |out| {
            series.per_deadline.write_percentiles(out)
        })
    })
}

fn named(file: &Path, method: &str) -> PathBuf {
    PathBuf::from(file.to_string_lossy().replace(METHOD, method))
}
