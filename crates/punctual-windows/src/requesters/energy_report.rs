//! What a report of `powercfg /energy` says about the timer resolution.
//!
//! The report is HTML or, with `/xml`, XML. Neither has a published schema, so both are read as
//! pieces of text in order, where a label is followed by its value. Public examples agree on the
//! labels, which are those of an English Windows:
//!
//! <https://learn.microsoft.com/en-us/archive/blogs/maartenb/who-changed-my-platform-timer-resolution>

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
    let text = decode(bytes);
    let pieces = pieces(&text);
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

/// Bytes as text: UTF-16 if they are marked so, as XML from Windows may be, else UTF-8.
fn decode(bytes: &[u8]) -> String {
    let utf_16 = |unit: fn([u8; 2]) -> u16| {
        let pairs = bytes[2..].chunks_exact(2);
        let units: Vec<u16> = pairs.map(|pair| unit([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xFF, 0xFE, ..] => utf_16(u16::from_le_bytes),
        [0xFE, 0xFF, ..] => utf_16(u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// The text between tags, line by line, without empty lines, scripts and styles.
fn pieces(markup: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = markup;
    while !rest.is_empty() {
        let (text, after) = rest.split_at(tag_at(rest));
        let lines = text.lines().flat_map(|line| line.split('\t'));
        let lines = lines.map(|line| unescaped(line).trim().to_owned());
        pieces.extend(lines.filter(|line| !line.is_empty()));
        rest = after_tag(after);
    }
    pieces
}

/// Where the next tag begins: a bare `<` counts as text.
fn tag_at(text: &str) -> usize {
    let mut candidates = text.match_indices('<').map(|(at, _)| at);
    let begins = |at: &usize| {
        let next = text[at + 1..].chars().next();
        next.is_some_and(|next| next.is_ascii_alphabetic() || "/!?".contains(next))
    };
    candidates.find(begins).unwrap_or(text.len())
}

/// What follows the tag at the start of this; for a script or a style, what follows its end.
fn after_tag(text: &str) -> &str {
    for (begin, end) in [
        ("<!--", "-->"),
        ("<script", "</script>"),
        ("<style", "</style>"),
    ] {
        if starts_with_ignoring_case(text, begin) {
            return after(&text[begin.len()..], end);
        }
    }
    match text.strip_prefix("<![CDATA[") {
        // Its end stays in the text, at worst as a piece of its own.
        Some(text) => text,
        None => after(text, ">"),
    }
}

/// What follows the first occurrence of this, or nothing.
fn after<'a>(text: &'a str, end: &str) -> &'a str {
    let candidates = text.match_indices(&end[..1]).map(|(at, _)| at);
    let mut found = candidates.filter(|&at| starts_with_ignoring_case(&text[at..], end));
    found.next().map_or("", |at| &text[at + end.len()..])
}

fn starts_with_ignoring_case(text: &str, start: &str) -> bool {
    let head = text.as_bytes().get(..start.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
}

/// Replaces entities by their characters. Unknown entities stay unchanged.
fn unescaped(text: &str) -> String {
    /// Longer than any entity that is known here.
    const LONGEST: usize = 10;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(';').filter(|&end| end <= LONGEST);
        match end.and_then(|end| Some((character(&rest[1..end])?, end))) {
            Some((character, end)) => {
                out.push(character);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

fn character(entity: &str) -> Option<char> {
    let number = |text: &str, radix| char::from_u32(u32::from_str_radix(text, radix).ok()?);
    match entity {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => match entity.strip_prefix('#')? {
            hex if hex.starts_with(['x', 'X']) => number(&hex[1..], 16),
            decimal => number(decimal, 10),
        },
    }
}

#[cfg(test)]
mod tests;
