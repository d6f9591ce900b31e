//! The parts of a recording, one after the other.

use super::{FIRST_LINE, Head, RecordedWait};
use crate::event::ProcessorId;
use crate::file::no_trace;
use crate::tracefs::{Portion, Raw};
use punctual::{Error, Instant};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read, Write};

/// The second line: what is known at the beginning.
#[derive(Serialize, Deserialize)]
struct Beginning {
    head: Head,
    header_page: String,
    formats: Vec<String>,
    page_bytes: usize,
    #[serde(default)]
    calls: Vec<(i64, String)>,
    #[serde(default)]
    functions: Vec<(u64, String)>,
    #[serde(default)]
    marker: Option<String>,
}

/// A line of JSON before each part.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Pages {
        complete_until_ns: Option<u64>,
        /// How many bytes of pages follow, for each processor.
        bytes: Vec<(u16, u64)>,
    },
    Waits(Vec<RecordedWait>),
    End(Box<Head>),
}

/// Writes a recording while it is made.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
}

impl<W: Write> Writer<W> {
    /// Begins with what is known at the beginning. Waits in the head and pages are not written.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn begin(mut out: W, head: &Head, raw: &Raw) -> io::Result<Self> {
        let beginning = Beginning {
            head: without_waits(head),
            header_page: raw.header_page.clone(),
            formats: raw.formats.clone(),
            page_bytes: raw.page_bytes,
            calls: raw.calls.clone(),
            functions: raw.functions.clone(),
            marker: raw.marker.clone(),
        };
        writeln!(out, "{FIRST_LINE}")?;
        line(&mut out, &beginning)?;
        Ok(Self { out })
    }

    /// Writes pages.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn portion(&mut self, portion: &Portion) -> io::Result<()> {
        self.pages(&portion.pages, portion.complete_until)
    }

    pub(super) fn pages(
        &mut self,
        pages: &[(ProcessorId, Vec<u8>)],
        complete_until: Option<Instant>,
    ) -> io::Result<()> {
        let bytes = |(processor, pages): &(ProcessorId, Vec<u8>)| (processor.0, pages.len() as u64);
        let text = Line::Pages {
            complete_until_ns: complete_until.map(Instant::as_nanos),
            bytes: pages.iter().map(bytes).collect(),
        };
        line(&mut self.out, &text)?;
        let mut pages = pages.iter();
        pages.try_for_each(|(_, pages)| self.out.write_all(pages))
    }

    /// Writes waits of our own loop.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn waits(&mut self, waits: &[RecordedWait]) -> io::Result<()> {
        /// Lines of a megabyte.
        const MOST: usize = 10_000;
        let mut some = waits.chunks(MOST);
        some.try_for_each(|waits| line(&mut self.out, &Line::Waits(waits.to_vec())))
    }

    /// Ends with all that is known at the end, and returns what was written to.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn end(mut self, head: &Head) -> io::Result<W> {
        let end = Line::End(Box::new(without_waits(head)));
        line(&mut self.out, &end)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

fn without_waits(head: &Head) -> Head {
    Head {
        waits: head.waits.as_ref().map(|_| Vec::new()),
        ..head.clone()
    }
}

fn line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}

/// A part of a recording.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Pages of the kernel.
    Portion(Portion),
    /// Waits of our own loop.
    Waits(Vec<RecordedWait>),
    /// The end, with all that is known then. It has no waits.
    End(Box<Head>),
}

/// Reads a recording part by part.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    line_number: u64,
    head: Head,
    raw: Raw,
}

impl<R: BufRead> Reader<R> {
    /// Reads the beginning.
    ///
    /// # Errors
    /// Invalid input, when it is no recording, one of another version, or cut short; those of the
    /// input.
    pub fn begin(mut input: R) -> Result<Self, Error> {
        let mut first = Vec::new();
        let longest = FIRST_LINE.len() as u64 + 1;
        let read = input.by_ref().take(longest).read_until(b'\n', &mut first);
        read.map_err(unread)?;
        if first.strip_suffix(b"\n") != Some(FIRST_LINE.as_bytes()) {
            return Err(no_trace());
        }
        let mut reader = Self {
            input,
            line_number: 1,
            head: Head::default(),
            raw: Raw::default(),
        };
        let beginning: Beginning = reader.line()?;
        reader.head = beginning.head;
        reader.raw = Raw {
            header_page: beginning.header_page,
            formats: beginning.formats,
            page_bytes: beginning.page_bytes,
            calls: beginning.calls,
            functions: beginning.functions,
            marker: beginning.marker,
            pages: Vec::new(),
        };
        Ok(reader)
    }

    /// What was known at the beginning.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The descriptions of the pages. It has no pages.
    pub fn raw(&self) -> &Raw {
        &self.raw
    }

    /// What was known at the beginning, and the descriptions of the pages.
    pub fn into_beginning(self) -> (Head, Raw) {
        (self.head, self.raw)
    }

    /// Reads the next part. Nothing comes after the end.
    ///
    /// # Errors
    /// Invalid input, when it is cut short or cannot be understood; those of the input.
    pub fn part(&mut self) -> Result<Part, Error> {
        let (complete_until_ns, bytes) = match self.line()? {
            Line::Waits(waits) => return Ok(Part::Waits(waits)),
            Line::End(head) => return Ok(Part::End(head)),
            Line::Pages {
                complete_until_ns,
                bytes,
            } => (complete_until_ns, bytes),
        };
        let mut pages = Vec::new();
        for (processor, length) in bytes {
            let mut own = Vec::new();
            let read = self.input.by_ref().take(length).read_to_end(&mut own);
            if (read.map_err(unread)? as u64) < length {
                return Err(cut_short());
            }
            pages.push((ProcessorId(processor), own));
        }
        Ok(Part::Portion(Portion {
            pages,
            complete_until: complete_until_ns.map(Instant::from_nanos),
        }))
    }

    fn line<T: for<'a> Deserialize<'a>>(&mut self) -> Result<T, Error> {
        /// A beginning has the format of each event, some hundred kilobytes at most.
        const LONGEST: u64 = 64 << 20;
        let mut line = Vec::new();
        let limited = self.input.by_ref().take(LONGEST);
        { limited }.read_until(b'\n', &mut line).map_err(unread)?;
        self.line_number += 1;
        if line.pop() != Some(b'\n') {
            return Err(cut_short());
        }
        serde_json::from_slice(&line).map_err(|error| {
            let number = self.line_number;
            Error::invalid_input(format!("line {number} of the recording's text: {error}"))
        })
    }
}

fn unread(error: io::Error) -> Error {
    Error::system(format!("cannot be read: {error}"))
}

fn cut_short() -> Error {
    Error::invalid_input("the recording is cut short")
}
