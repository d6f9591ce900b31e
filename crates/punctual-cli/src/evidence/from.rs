//! `punctual evidence --from FILE`: which hypotheses a recording excludes.

use super::following::following;
use crate::settle::Settlement;
use punctual_command::failure::Failure;
use punctual_command::flags::FormatArgs;
use punctual_command::input;
use punctual_command::stop::Stop;
use punctual_data::escape;
use punctual_evidence::settle::{Saved, judge, remaining};
use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

/// Runs the command.
pub fn from(file: &Path, format: FormatArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let shown = escape::path(file);
    let cannot = |error| Failure::run(format!("cannot read {shown}: {error}"));
    let text = input::text(file, input::RECORDING).map_err(cannot)?;
    let wrong = |problem: &dyn Display| Failure::Usage(format!("{shown}: {problem}"));
    let saved = Saved::from_json(&text).map_err(|error| wrong(&error))?;
    let heeding = stop.heed_while_computing();
    let judged = judge(&saved.recordings, &remaining(), &following("judging", stop));
    heeding.end();
    if let Some(judgement) = judged.map_err(|(_, unfit)| wrong(&unfit))? {
        let recordings = saved.recordings;
        crate::show::in_format(
            format,
            &Settlement {
                recordings,
                judgement,
            },
        )?;
    }
    Ok(stop.status())
}
