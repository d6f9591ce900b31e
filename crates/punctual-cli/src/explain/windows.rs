//! Explains the text of a Windows trace.

use super::explanation::System;
use super::{ExplainArgs, Told};
use crate::escape;
use crate::failure::Failure;
use crate::quantity;
use punctual_lab::Environment;
use punctual_trace::recording::Head;
use punctual_trace::xperf::{Dump, Explained};
use std::path::Path;

/// The number of processes that an error names.
const MOST_NAMES: usize = 8;

pub(super) fn read(args: &ExplainArgs, file: &Path, text: &[u8]) -> Result<Told, Failure> {
    let dump = Dump::read(text)
        .map_err(|error| Failure::flag("--from", format!("{}: {error}", escape::path(file))))?;
    let Some(name) = &args.thread else {
        let problem = format!(
            "name the thread or its process, one of: {}",
            candidates(&dump)
        );
        return Err(Failure::flag("--thread", problem));
    };
    let threads = dump.threads(name);
    if threads.is_empty() {
        let problem = format!(
            "there is no process and no thread '{name}' in {}; there are {}",
            escape::path(file),
            candidates(&dump)
        );
        return Err(Failure::flag("--thread", problem));
    }
    let explained = dump.explain(&threads, args.period);
    let environment = serde_json::to_value(Environment::default()).map_err(Failure::run)?;
    Ok(Told {
        head: Head {
            punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
            subject: format!("{name} in {}", file.display()),
            environment,
            ..Head::default()
        },
        notes: notes(args, &explained),
        trace: explained.trace,
        wake_ups: explained.wake_ups,
        system: System::Windows,
    })
}

/// The processes with the most timed waits.
fn candidates(dump: &Dump) -> String {
    let mut counts = dump.timed_waits();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let names: Vec<_> = counts.iter().map(|(name, _)| name.as_str()).collect();
    match names.as_slice() {
        [] => "none with a timed wait".to_owned(),
        few if few.len() <= MOST_NAMES => few.join(", "),
        many => format!(
            "{} and {} more",
            many[..MOST_NAMES].join(", "),
            many.len() - MOST_NAMES
        ),
    }
}

fn notes(args: &ExplainArgs, explained: &Explained) -> Vec<String> {
    let counted = match args.period {
        Some(period) => format!(
            "a Windows trace has no deadlines: they were assumed {} \
             apart, on the grid of the most punctual wake-ups",
            quantity::show(period.to_duration())
        ),
        None => "a Windows trace has no deadlines: lateness is counted from \
             the interrupt that ended the wait (if the thread is periodic, give --period)"
            .to_owned(),
    };
    let mut notes = vec![counted];
    if explained.ended_by_threads > 0 {
        notes.push(format!(
            "waits that ended through another thread and not a timer are left out: {}",
            explained.ended_by_threads
        ));
    }
    notes
}
