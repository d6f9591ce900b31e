//! A trace in a file: the bytes of the kernel, with everything needed to read them later or on another
//! machine.
//!
//! The file has a line that names the format, a line of JSON, and then the kernel's pages.

use crate::chronicle::Chronicle;
use crate::event::{ProcessorId, ThreadId};
use crate::explain::explain;
use crate::segment::{Wait, WakeUp};
use crate::trace::Trace;
use crate::tracefs::{Raw, decode};
use crate::waits::waits;
use punctual::{Error, Instant};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// The first line of a recording. A reader that does not know the number cannot read the rest.
pub const FIRST_LINE: &str = "punctual trace 1";

/// A recorded trace, with the question and the waits of our own loop.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recording {
    /// The description of the recording.
    pub head: Head,
    /// What the kernel wrote.
    pub raw: Raw,
}

/// What is known besides the kernel's pages.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The version of Punctual that wrote it.
    pub punctual_version: String,
    /// What was explained: a command line, as a person would write it.
    pub subject: String,
    /// The question that was asked, in the words of the program that asked; null for the trace of a
    /// program, which was asked nothing.
    #[serde(default)]
    pub question: serde_json::Value,
    /// The machine on which it was recorded, in words.
    pub environment: serde_json::Value,
    /// Changes of the machine during the recording, one sentence each.
    pub environment_changes: Vec<String>,
    /// The threads to explain, with their names. For a program, those it began with.
    pub threads: Vec<(u32, String)>,
    /// The waits of our own loop, with their deadlines. `None` for a program, whose timers show its
    /// waits.
    pub waits: Option<Vec<RecordedWait>>,
    /// Whether the trace reached its maximal size and was stopped.
    pub was_full: bool,
    /// Whether a signal ended the recording early.
    #[serde(default)]
    pub interrupted: bool,
    /// How far the wall clock (UTC, since 1970) is ahead of the system's monotonic clock, in
    /// nanoseconds.
    #[serde(default)]
    pub realtime_ahead_ns: Option<i64>,
    /// The groups with a quota of processor time to which the threads belong, and what the quotas did
    /// during the recording.
    #[serde(default)]
    pub throttled: Vec<Throttled>,
}

/// A group of threads with a quota of processor time: on Linux, a control group.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Throttled {
    /// Its name, such as `/docker/3f1c`.
    pub group: String,
    /// How much processor time it may use in a period, all its threads together.
    pub quota_ns: u64,
    /// How long a period is.
    pub period_ns: u64,
    /// In how many periods it used up its quota during the recording, so that its threads had to wait.
    pub times: u64,
}

/// A wait as our own loop saw it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedWait {
    /// The thread that waited.
    pub thread: u32,
    /// When it began to wait, in nanoseconds of the system's monotonic clock, as are all three.
    pub began_ns: u64,
    /// When it should have ended.
    pub deadline_ns: u64,
    /// When it had ended.
    pub woke_ns: u64,
}

/// The line of JSON.
#[derive(Serialize, Deserialize)]
struct Line {
    head: Head,
    header_page: String,
    formats: Vec<String>,
    page_bytes: usize,
    #[serde(default)]
    calls: Vec<(i64, String)>,
    #[serde(default)]
    functions: Vec<(u64, String)>,
    /// How many bytes of pages follow, for each processor.
    bytes: Vec<(u16, usize)>,
}

impl Recording {
    /// Writes all of it.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let pages = &self.raw.pages;
        let bytes = pages
            .iter()
            .map(|(processor, pages)| (processor.0, pages.len()));
        let line = Line {
            head: self.head.clone(),
            header_page: self.raw.header_page.clone(),
            formats: self.raw.formats.clone(),
            page_bytes: self.raw.page_bytes,
            calls: self.raw.calls.clone(),
            functions: self.raw.functions.clone(),
            bytes: bytes.collect(),
        };
        writeln!(out, "{FIRST_LINE}")?;
        serde_json::to_writer(&mut *out, &line)?;
        writeln!(out)?;
        for (_, pages) in pages {
            out.write_all(pages)?;
        }
        Ok(())
    }

    /// Reads what [`write`](Self::write) wrote.
    ///
    /// # Errors
    /// Invalid input, when it is no recording, one of another version, or cut short.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let (first, rest) = line(bytes).ok_or_else(not_a_recording)?;
        if first != FIRST_LINE.as_bytes() {
            return Err(not_a_recording());
        }
        let (json, mut rest) = line(rest).ok_or_else(cut_short)?;
        let line: Line = serde_json::from_slice(json)
            .map_err(|error| Error::invalid_input(format!("line 2 of the recording: {error}")))?;
        let mut pages = Vec::new();
        for (processor, length) in line.bytes {
            let (own, others) = rest.split_at_checked(length).ok_or_else(cut_short)?;
            pages.push((ProcessorId(processor), own.to_vec()));
            rest = others;
        }
        Ok(Self {
            head: line.head,
            raw: Raw {
                header_page: line.header_page,
                formats: line.formats,
                page_bytes: line.page_bytes,
                calls: line.calls,
                functions: line.functions,
                pages,
            },
        })
    }

    /// The trace in it, with the names of the threads to explain.
    ///
    /// # Errors
    /// Invalid input, when the kernel's pages cannot be read.
    pub fn trace(&self) -> Result<Trace, Error> {
        let mut trace = decode(&self.raw)?;
        for &(thread, ref name) in &self.head.threads {
            // The trace knows better: a name may have changed since.
            if !trace.names.is_named(ThreadId(thread)) && !name.is_empty() {
                trace.names.name_thread(ThreadId(thread), name);
            }
        }
        Ok(trace)
    }
}

impl Recording {
    /// Explains every wake-up in it: those of our own loop, or the timed waits of the recorded threads
    /// and of all threads that they started.
    ///
    /// # Errors
    /// Invalid input, when the kernel's pages cannot be read.
    pub fn explain(&self) -> Result<(Trace, Vec<WakeUp>), Error> {
        let trace = self.trace()?;
        let threads = self.head.threads.iter();
        let threads: Vec<_> = threads.map(|&(thread, _)| ThreadId(thread)).collect();
        let wake_ups = match &self.head.waits {
            Some(waits) => {
                let chronicle = Chronicle::new(&trace, &threads);
                let waits = waits.iter().map(|&wait| Wait::from(wait));
                waits.map(|wait| explain(&chronicle, &wait)).collect()
            }
            None => explain_timers(&trace, &trace.family(&threads)),
        };
        Ok((trace, wake_ups))
    }
}

/// Explains what the timers of these threads ended.
fn explain_timers(trace: &Trace, threads: &[ThreadId]) -> Vec<WakeUp> {
    let chronicle = Chronicle::new(trace, threads);
    let waits = threads.iter().flat_map(|&thread| waits(&chronicle, thread));
    waits
        .map(|wait| wait.map_or_else(|wake_up| wake_up, |wait| explain(&chronicle, &wait)))
        .collect()
}

impl From<RecordedWait> for Wait {
    fn from(wait: RecordedWait) -> Self {
        Self {
            thread: ThreadId(wait.thread),
            began: Instant::from_nanos(wait.began_ns),
            deadline: Instant::from_nanos(wait.deadline_ns),
            woke: Instant::from_nanos(wait.woke_ns),
        }
    }
}

/// The bytes before the first line's end, and those behind it.
fn line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

fn not_a_recording() -> Error {
    Error::invalid_input(format!(
        "this is no recording of a trace: its first line is not '{FIRST_LINE}'"
    ))
}

fn cut_short() -> Error {
    Error::invalid_input("the recording is cut short")
}
