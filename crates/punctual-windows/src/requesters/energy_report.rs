//! What a report of `powercfg /energy` says about the timer resolution.
//!
//! The report is HTML or, with `/xml`, XML. Neither has a published schema, so both are read as
//! pieces of text in order, where a label is followed by its value. Public examples agree on the
//! labels, which are those of an English Windows:
//!
//! <https://learn.microsoft.com/en-us/archive/blogs/maartenb/who-changed-my-platform-timer-resolution>

mod text;

use super::{Requested, Requesters, Who};
use crate::NANOS_PER_UNIT;
use std::fmt;

/// A file without anything about the timer resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAReport;

const PLATFORM: &str = "Current Timer Resolution";
const MAXIMUM: &str = "Maximum Timer Period";
const PERIOD: &str = "Requested Period";
const PROCESS_ID: &str = "Requesting Process ID";
const PROCESS_PATH: &str = "Requesting Process Path";

pub(super) fn parse(bytes: &[u8]) -> Result<Requesters, NotAReport> {
    let text = text::decode(bytes);
    let pieces = text::pieces(&text);
    let mut reader = Reader::default();
    let mut rest = pieces.iter().map(String::as_str).peekable();
    while let Some(piece) = rest.next() {
        if let Some(title) = Title::of(piece) {
            reader.begin(title);
            continue;
        }
        let label = [PLATFORM, MAXIMUM, PERIOD, PROCESS_ID, PROCESS_PATH]
            .into_iter()
            .find(|label| piece.starts_with(label));
        let Some(label) = label else { continue };
        // In a copy as plain text, the value is on the same line.
        let value = match piece[label.len()..].trim_start_matches([':', ' ', '\t']) {
            "" | "(100ns units)" => rest.peek().copied().unwrap_or_default(),
            value => value.trim_start_matches("(100ns units)").trim_start(),
        };
        reader.take(label, value);
    }
    reader.finish()
}

/// A heading of the report that is used here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Title {
    /// A request, of a program or the kernel.
    Outstanding,
    /// The part of a program that made its request: the same request again.
    Stack,
}

impl Title {
    /// The heading alone, or after its topic and a colon.
    fn of(piece: &str) -> Option<Self> {
        let heading = piece.rsplit(':').next().unwrap_or(piece).trim();
        if heading == "Timer Request Stack" {
            Some(Self::Stack)
        } else if heading.starts_with("Outstanding") && heading.ends_with("Timer Request") {
            Some(Self::Outstanding)
        } else {
            None
        }
    }
}

/// What has been read so far.
#[derive(Debug, Default)]
struct Reader {
    found: Requesters,
    /// Whether anything was about the timer resolution.
    is_report: bool,
    title: Option<Title>,
    period: Option<u64>,
    process_id: Option<u32>,
    program: Option<String>,
}

impl Reader {
    fn begin(&mut self, title: Title) {
        self.end_request();
        self.is_report = true;
        self.title = Some(title);
    }

    fn take(&mut self, label: &str, value: &str) {
        match label {
            PLATFORM => self.found.platform_interval_ns = self.interval(value),
            MAXIMUM => self.found.maximum_ns = self.interval(value),
            PERIOD => {
                self.end_request();
                self.period = self.interval(value);
            }
            PROCESS_ID => self.process_id = value.parse().ok(),
            _ => self.program = (!value.is_empty()).then(|| value.to_owned()),
        }
    }

    /// A number of units of 100 ns.
    fn interval(&mut self, value: &str) -> Option<u64> {
        let units: u64 = value.parse().ok().filter(|&units| units > 0)?;
        self.is_report = true;
        units.checked_mul(NANOS_PER_UNIT)
    }

    fn end_request(&mut self) {
        let (process_id, program) = (self.process_id.take(), self.program.take());
        let Some(interval_ns) = self.period.take() else {
            return;
        };
        if self.title != Some(Title::Outstanding) {
            return;
        }
        // Only the kernel makes requests without a process.
        let who = match (process_id, &program) {
            (None, None) => Who::Kernel,
            _ => Who::Process {
                process_id,
                program,
            },
        };
        self.found.requests.push(Requested { interval_ns, who });
    }

    fn finish(mut self) -> Result<Requesters, NotAReport> {
        self.end_request();
        match self.is_report {
            true => Ok(self.found.sorted()),
            false => Err(NotAReport),
        }
    }
}

impl fmt::Display for NotAReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "it says nothing about the timer resolution; give a report that 'powercfg /energy' has \
             written on an English Windows, as HTML or XML",
        )
    }
}

impl std::error::Error for NotAReport {}

#[cfg(test)]
mod tests;
