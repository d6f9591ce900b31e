//! How fast a trace is read: from the kernel's pages to events in order, and to explained wake-ups.

use crate::failure::Failure;
use crate::os::Meter;
use crate::progress::Progress;
use crate::statistics::{Spread, per_second};
use punctual_trace::Recording;
use punctual_trace::tracefs::{Raw, decode};
use serde::Serialize;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How long one repetition takes, for the progress.
pub const ABOUT: Duration = Duration::from_millis(300);

/// The recording that is read, of a machine that was busy; it comes with Punctual.
const RECORDING: &str = "../crates/punctual-trace/tests/traces/busy.trace";

/// How often it is put behind itself, so that it is larger than any cache: a quarter of a million
/// events.
const COPIES: u64 = 100;

/// What came of it, in events per second of processor time.
#[derive(Debug, Serialize)]
pub struct Reading {
    pub events: u64,
    pub bytes: u64,
    /// From pages to events in the order of time.
    pub events_per_second: Spread,
    /// From pages to explained wake-ups.
    pub explained_events_per_second: Spread,
}

impl Reading {
    pub fn measure(repetitions: u32, progress: &Progress) -> Result<Self, Failure> {
        progress.announce("reading".to_owned());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(RECORDING);
        let mut recording = Recording::read(&fs::read(path)?)?;
        recording.raw = repeated(&recording.raw)?;
        let events = decode(&recording.raw)?.events().len() as u64;
        let (mut read, mut explained) = (Vec::new(), Vec::new());
        for _ in 0..repetitions {
            let start = Meter::Thread.read();
            let trace = decode(&recording.raw)?;
            let decoded = Meter::Thread.read();
            drop(trace);
            let before = Meter::Thread.read();
            recording.explain()?;
            let end = Meter::Thread.read();
            read.push(per_second(events, decoded.saturating_sub(start)));
            explained.push(per_second(events, end.saturating_sub(before)));
            progress.advance(ABOUT);
        }
        let none = "nothing was read";
        Ok(Self {
            events,
            bytes: recording
                .raw
                .pages
                .iter()
                .map(|(_, pages)| pages.len() as u64)
                .sum(),
            events_per_second: Spread::of(read).ok_or(none)?,
            explained_events_per_second: Spread::of(explained).ok_or(none)?,
        })
    }
}

/// The same pages again and again, each time later: a page begins with its time.
fn repeated(raw: &Raw) -> Result<Raw, Failure> {
    let trace = decode(raw)?;
    let (first, last) = trace
        .events()
        .first()
        .zip(trace.events().last())
        .ok_or("the recording has no events")?;
    let length = last.at.as_nanos() - first.at.as_nanos() + 1;
    let mut repeated = raw.clone();
    for (_, pages) in &mut repeated.pages {
        let once = std::mem::take(pages);
        for copy in 0..COPIES {
            for page in once.chunks(raw.page_bytes) {
                let (time, rest) = page.split_first_chunk().ok_or("a page has no time")?;
                let later = u64::from_le_bytes(*time) + copy * length;
                pages.extend(later.to_le_bytes());
                pages.extend(rest);
            }
        }
    }
    Ok(repeated)
}
