//! A page of the kernel's ring buffer: a time stamp, a length, and events with the time that passed
//! between them.
//!
//! The layout is described by `include/linux/ring_buffer.h` and the files `events/header_page` and
//! `events/header_event`.

use super::format::Field;
use punctual::{Error, Instant};

/// Where a page keeps its own fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLayout {
    timestamp: Field,
    commit: Field,
    data: usize,
}

/// Of the length field: the bytes of events. Above it are flags.
const LENGTH_BITS: u64 = (1 << 27) - 1;
/// Events before this page were lost (`RB_MISSED_EVENTS`).
const MISSED_EVENTS: u64 = 1 << 31;

/// The types of records that are no events; up to [`LONGEST_SHORT`], the type is a length in words.
const LONGEST_SHORT: u32 = 28;
const PADDING: u32 = 29;
const TIME_EXTEND: u32 = 30;
const TIME_STAMP: u32 = 31;

/// How many bits of time a record's head has; a time extension has the ones above.
const DELTA_BITS: u32 = 27;
/// An absolute time stamp lacks its highest bits: those stay as they were.
const TIME_STAMP_BITS: u32 = 59;

/// An event as it lies in a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'a> {
    /// When it happened.
    pub at: Instant,
    /// Its fields.
    pub data: &'a [u8],
}

impl PageLayout {
    /// Reads `events/header_page`.
    ///
    /// # Errors
    /// Invalid input, when a field is missing or cannot be read.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let fields: Vec<_> = text
            .lines()
            .filter_map(|line| Field::parse(line.trim().strip_prefix("field:")?))
            .collect();
        let find = |name: &str| {
            let found = fields.iter().find(|field| field.name == name).cloned();
            found.ok_or_else(|| Error::invalid_input(format!("header_page has no field {name}")))
        };
        Ok(Self {
            timestamp: find("timestamp")?,
            commit: find("commit")?,
            data: find("data")?.offset,
        })
    }

    /// When a page's first event happened; `None` if it is too short to say so.
    pub fn begins(&self, page: &[u8]) -> Option<Instant> {
        let at = self.timestamp.number(page)?;
        Some(Instant::from_nanos(at.cast_unsigned()))
    }
}

/// Gives every event of a page to `each`, in order. Returns whether events were lost before the
/// page.
///
/// # Errors
/// Invalid input, when the page contradicts itself. What came before the contradiction was given.
pub fn records<'a>(
    page: &'a [u8],
    layout: &PageLayout,
    mut each: impl FnMut(Record<'a>),
) -> Result<bool, Error> {
    let head = layout
        .timestamp
        .number(page)
        .zip(layout.commit.number(page));
    let (timestamp, commit) = head.ok_or_else(|| malformed("is too short for its head"))?;
    let commit = commit.cast_unsigned();
    let length = usize::try_from(commit & LENGTH_BITS).unwrap_or(usize::MAX);
    let data = page.get(layout.data..).and_then(|data| data.get(..length));
    let mut reader = Reader {
        data: data.ok_or_else(|| malformed("is shorter than it says"))?,
        now: timestamp.cast_unsigned(),
    };
    while let Some(data) = reader.next()? {
        let at = Instant::from_nanos(reader.now);
        each(Record { at, data });
    }
    Ok(commit & MISSED_EVENTS != 0)
}

struct Reader<'a> {
    data: &'a [u8],
    now: u64,
}

impl<'a> Reader<'a> {
    /// The next event, with `now` set to when it happened.
    fn next(&mut self) -> Result<Option<&'a [u8]>, Error> {
        while !self.data.is_empty() {
            let head = self.word()?;
            let (kind, delta) = (head & 31, u64::from(head >> (32 - DELTA_BITS)));
            match kind {
                TIME_STAMP => {
                    let stamp = (u64::from(self.word()?) << DELTA_BITS) + delta;
                    let high = self.now >> TIME_STAMP_BITS << TIME_STAMP_BITS;
                    self.now = high | (stamp & ((1 << TIME_STAMP_BITS) - 1));
                }
                TIME_EXTEND => {
                    let high = u64::from(self.word()?) << DELTA_BITS;
                    self.now = self.now.wrapping_add(high + delta);
                }
                // The rest of the page was never written.
                PADDING if delta == 0 => return Ok(None),
                PADDING => {
                    self.now = self.now.wrapping_add(delta);
                    // The length counts the word that holds it.
                    let length = self.word()?;
                    self.take(beyond_its_own_word(length)?)?;
                }
                _ => {
                    self.now = self.now.wrapping_add(delta);
                    let length = match kind {
                        0 => beyond_its_own_word(self.word()?)?,
                        1..=LONGEST_SHORT => kind * 4,
                        _ => return Err(malformed("has a record of no known type")),
                    };
                    return self.take(length).map(Some);
                }
            }
        }
        Ok(None)
    }

    fn word(&mut self) -> Result<u32, Error> {
        let (word, rest) = self.data.split_first_chunk().ok_or_else(cut_short)?;
        self.data = rest;
        Ok(u32::from_le_bytes(*word))
    }

    fn take(&mut self, length: u32) -> Result<&'a [u8], Error> {
        let taken = self.data.split_at_checked(length as usize);
        let (taken, rest) = taken.ok_or_else(cut_short)?;
        self.data = rest;
        Ok(taken)
    }
}

fn beyond_its_own_word(length: u32) -> Result<u32, Error> {
    let wrong = || malformed("has a record of no length");
    length.checked_sub(4).ok_or_else(wrong)
}

fn cut_short() -> Error {
    malformed("ends within a record")
}

fn malformed(what: &str) -> Error {
    Error::invalid_input(format!("a page of the trace {what}"))
}
