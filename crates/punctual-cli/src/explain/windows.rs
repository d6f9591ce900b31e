//! Explains a trace of Windows: a log, or the text of one.

use super::{ExplainArgs, Found, Told};
use punctual::{Error, Instant};
use punctual_command::failure::Failure;
use punctual_data::escape;
use punctual_data::quantity;
use punctual_lab::Environment;
use punctual_trace::advice::System;
use punctual_trace::recording::Head;
use punctual_trace::windows::etl::{self, Log};
use punctual_trace::windows::{Explained, Unread, WindowsTrace};
use std::path::Path;

/// The number of processes that an error names.
const MOST_NAMES: usize = 8;

pub(super) fn read(args: &ExplainArgs, file: &Path, bytes: &[u8]) -> Result<Told, Failure> {
    if args.wakeups {
        let problem = "of a trace of Windows only timed waits are explained";
        return Err(Failure::flag("--wakeups", problem));
    }
    let wrong = |error| Failure::flag("--from", format!("{}: {error}", escape::path(file)));
    let trace = trace(bytes).map_err(wrong)?;
    let Some(name) = &args.thread else {
        let problem = format!(
            "name the thread or its process, one of: {}",
            candidates(&trace)
        );
        return Err(Failure::flag("--thread", problem));
    };
    let threads = trace.threads(name);
    if threads.is_empty() {
        let problem = format!(
            "there is no process and no thread '{name}' in {}; there are {}",
            escape::path(file),
            candidates(&trace)
        );
        return Err(Failure::flag("--thread", problem));
    }
    let explained = trace.explain(&threads, args.period);
    let environment = serde_json::to_value(Environment::default()).map_err(Failure::run)?;
    Ok(Told {
        head: Head {
            punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
            subject: format!("{name} in {}", file.display()),
            environment,
            ..Head::default()
        },
        notes: notes(args, &trace, &explained),
        found: Found::Whole(explained.trace, explained.wake_ups),
        system: System::Windows,
    })
}

fn trace(bytes: &[u8]) -> Result<WindowsTrace, Error> {
    match etl::is_log(bytes) {
        true => WindowsTrace::of_log(&Log::read(bytes)?),
        false => WindowsTrace::of_text(bytes),
    }
}

/// The processes with the most timed waits.
fn candidates(trace: &WindowsTrace) -> String {
    let mut counts = trace.timed_waits();
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

fn notes(args: &ExplainArgs, trace: &WindowsTrace, explained: &Explained) -> Vec<String> {
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
    notes.extend(off_grid(explained));
    if explained.ended_by_threads > 0 {
        notes.push(format!(
            "waits that ended through another thread and not a timer are left out: {}",
            explained.ended_by_threads
        ));
    }
    notes.extend(left_out(trace.unread()));
    notes
}

/// Which threads do not keep the period.
fn off_grid(explained: &Explained) -> Option<String> {
    let names = &explained.trace.names;
    let threads = explained.off_grid.iter();
    let threads: Vec<_> = threads
        .map(|&thread| names.thread(thread, Instant::MAX))
        .collect();
    (!threads.is_empty()).then(|| {
        format!(
            "not on such a grid, so that lateness is counted from the interrupt: {}",
            threads.join(", ")
        )
    })
}

/// What of a trace could not be read.
fn left_out(unread: &Unread) -> Option<String> {
    let first = unread
        .first
        .as_ref()
        .map(|first| format!("; the first: {first}"));
    (unread.count > 0).then(|| {
        format!(
            "left out because they could not be read: {} of its events{}; wake-ups around them are not \
             explained",
            unread.count,
            first.unwrap_or_default()
        )
    })
}
