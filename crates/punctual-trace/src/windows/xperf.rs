//! The text that `xperf -i trace.etl -a dumper` writes.
//!
//! Each line has fields between commas, and the first field is the kind of event. Header lines name the
//! fields of each kind. The fields differ between versions, so they are found by their names. The reader
//! uses `CSwitch`, `ReadyThread`, `DPC`, `DPCTmr`, `Interrupt`, `T-End` and the lines about lost events,
//! and ignores the rest.
//!
//! Time stamps are whole microseconds. That of a DPC or interrupt is its end, and its event carries the
//! time of entry (<https://learn.microsoft.com/en-us/windows/win32/etw/dpc>).

mod header;
mod rows;
mod write;

pub use write::write;

use super::row::Rows;
use punctual::Error;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Reads a text.
pub(super) fn read(text: &[u8]) -> Result<Rows, Error> {
    rows::read(&decode(text))
}

/// Whether these bytes look like such a text. It may still contain errors.
pub fn is_text(text: &[u8]) -> bool {
    let text = decode(&text[..text.len().min(LONGEST_HEADER)]);
    let kinds = text.lines().map(|line| line.split(',').next());
    let mut kinds = kinds.map(|kind| kind.unwrap_or_default().trim());
    kinds.any(|kind| kind == "BeginHeader" || kind == "CSwitch")
}

/// Texts begin with their header: some hundred lines of a hundred characters.
pub const LONGEST_HEADER: usize = 1 << 18;

/// How many lines there are of each kind. Header lines are not counted.
pub fn kinds(text: &[u8]) -> BTreeMap<String, u64> {
    let text = decode(text);
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    for line in text.lines() {
        let mut fields = line.split(',').map(str::trim);
        let kind = fields.next().unwrap_or_default();
        let is_event = fields.next().is_some_and(|at| at.parse::<u64>().is_ok());
        if is_event {
            *kinds.entry(kind.to_owned()).or_default() += 1;
        }
    }
    kinds
}

/// Windows' shells redirect into files of 16-bit characters. A mark at the beginning tells in which order
/// their bytes are.
fn decode(text: &[u8]) -> Cow<'_, str> {
    match text {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => String::from_utf8_lossy(text),
    }
}

fn wide(bytes: &[u8], unit: impl Fn([u8; 2]) -> u16) -> Cow<'_, str> {
    let (units, _) = bytes.as_chunks::<2>();
    let characters = char::decode_utf16(units.iter().map(|&bytes| unit(bytes)));
    let replaced = |character: Result<char, _>| character.unwrap_or(char::REPLACEMENT_CHARACTER);
    Cow::Owned(characters.map(replaced).collect())
}
