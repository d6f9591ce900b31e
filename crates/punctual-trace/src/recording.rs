//! A trace in a file: the bytes of the kernel, with everything needed to read them later or on another
//! machine.
//!
//! The file has a line that names the format and a line of JSON that says how to read the rest. Then it
//! has parts, each a line of JSON: portions of the kernel's pages, whose bytes follow the line, waits of our
//! own loop, and the end. So it is written while the kernel records, and read without holding it in memory.

mod parts;

pub use parts::{Part, Reader, Writer};

use crate::chronicle::Chronicle;
use crate::event::{ProcessorId, ThreadId};
use crate::explain::explain;
use crate::program::explain_program;
use crate::scope::{LeftOut, Scope};
use crate::segment::{Wait, WakeUp};
use crate::trace::Trace;
use crate::tracefs::{Raw, decode};
use punctual::{Error, Instant};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The first line of a recording. A reader that does not know the number cannot read the rest.
pub const FIRST_LINE: &str = "punctual trace 2";

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
    /// What of a program is explained.
    #[serde(default)]
    pub scope: Scope,
    /// The waits of our own loop, with their deadlines. `None` for a program, whose timers show its
    /// waits. In a file they are parts of their own.
    pub waits: Option<Vec<RecordedWait>>,
    /// From when on every event is in it, in nanoseconds of the system's monotonic clock; null if from its
    /// first event on. Of a recording whose beginning was cut off, processors begin at different times.
    #[serde(default)]
    pub complete_from_ns: Option<u64>,
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
    /// The kernel's functions at the addresses in the stacks: addresses and names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<(u64, String)>,
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

/// What a recording explains.
#[derive(Debug, Clone)]
pub struct Explained {
    /// The trace in it.
    pub trace: Trace,
    /// The wake-ups, or the beginnings of frames.
    pub wake_ups: Vec<WakeUp>,
    /// What of a periodic program was not explained.
    pub left_out: LeftOut,
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

impl Head {
    /// From when on every event is in the recording.
    pub(crate) fn complete_from(&self) -> Instant {
        self.complete_from_ns
            .map_or(Instant::ZERO, Instant::from_nanos)
    }
}

impl Recording {
    /// Writes all of it.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = Writer::begin(out, &self.head, &self.raw)?;
        writer.pages(&self.raw.pages, None)?;
        writer.waits(self.head.waits.as_deref().unwrap_or_default())?;
        writer.end(&self.head).map(drop)
    }

    /// Reads what [`write`](Self::write) or a [`Writer`] wrote.
    ///
    /// # Errors
    /// Invalid input, when it is no recording, one of another version, or cut short.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::begin(bytes)?;
        let mut waits = Vec::new();
        let mut pages: BTreeMap<ProcessorId, Vec<u8>> = BTreeMap::new();
        loop {
            match reader.part()? {
                Part::Portion(portion) => {
                    for (processor, next) in portion.pages {
                        pages.entry(processor).or_default().extend(next);
                    }
                }
                Part::Waits(more) => waits.extend(more),
                Part::End(head) => {
                    let (_, raw) = reader.into_beginning();
                    let pages = pages.into_iter().collect();
                    return Ok(Self {
                        head: Head {
                            waits: head.waits.is_some().then_some(waits),
                            ..*head
                        },
                        raw: Raw { pages, ..raw },
                    });
                }
            }
        }
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
    /// Explains every wake-up in it: those of our own loop, or of the recorded threads and of all threads
    /// that they started what the head's scope says.
    ///
    /// # Errors
    /// Invalid input, when the kernel's pages cannot be read.
    pub fn explain(&self) -> Result<Explained, Error> {
        let trace = self.trace()?;
        let threads = self.head.threads.iter();
        let threads: Vec<_> = threads.map(|&(thread, _)| ThreadId(thread)).collect();
        let (wake_ups, left_out) = match &self.head.waits {
            Some(waits) => {
                let mut chronicle = Chronicle::new(&trace, &threads);
                chronicle.begins(self.head.complete_from());
                let waits = waits.iter().map(|&wait| Wait::from(wait));
                let wake_ups = waits.map(|wait| explain(&chronicle, &wait)).collect();
                (wake_ups, LeftOut::default())
            }
            None => {
                let from = self.head.complete_from();
                explain_program(&trace, &threads, self.head.scope, from)
            }
        };
        Ok(Explained {
            trace,
            wake_ups,
            left_out,
        })
    }
}

impl From<Wait> for RecordedWait {
    fn from(wait: Wait) -> Self {
        Self {
            thread: wait.thread.0,
            began_ns: wait.began.as_nanos(),
            deadline_ns: wait.deadline.as_nanos(),
            woke_ns: wait.woke.as_nanos(),
        }
    }
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
