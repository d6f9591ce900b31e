//! The records of a buffer. Each begins with one of several headers, which its third byte tells.
//!
//! The headers are described at
//! <https://www.geoffchappell.com/studies/windows/km/ntoskrnl/api/etw/tracelog/index.htm>.

use super::bytes::Bytes;
use super::class::Class;

/// The kinds of header (`TRACE_HEADER_TYPE_*`): of 32-bit systems, and of 64-bit systems.
pub(super) const SYSTEM: [u8; 2] = [1, 2];
const COMPACT: [u8; 2] = [3, 4];
pub(super) const PERFINFO: [u8; 2] = [16, 17];
const EVENT: [u8; 2] = [18, 19];
const FULL: [u8; 2] = [10, 20];
const INSTANCE: [u8; 2] = [11, 21];
const WIDE: [u8; 6] = [2, 4, 17, 19, 20, 21];

/// The fourth byte of a header: `TRACE_HEADER_FLAG` and `TRACE_HEADER_EVENT_TRACE`.
pub(super) const FLAGS: u8 = 0xc0;
/// The same of a message, which has no header type.
const MESSAGE_FLAGS: u8 = 0x90;

/// A record of the kernel may have counters of the processor behind its header: how many, and whether
/// one more follows (`TRACE_HEADER_PMC_COUNTERS_MASK`, `TRACE_HEADER_PEBS_INDEX_FLAG`).
const COUNTERS: u16 = 0x0700;
const ONE_COUNTER: u16 = 0x0100;
const ONE_MORE: u16 = 0x8000;

/// There is more behind the header than the payload (`EVENT_HEADER_FLAG_EXTENDED_INFO`).
const EXTENDED: u16 = 0x0001;

/// Records begin at multiples of this.
pub(super) const ALIGNMENT: usize = 8;

/// One record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record<'a> {
    pub(super) class: Class,
    /// In units of the log's clock, if its header has a time.
    pub(super) ticks: Option<u64>,
    /// Whether it comes from a 64-bit system.
    pub(super) is_wide: bool,
    pub(super) payload: Bytes<'a>,
}

/// The records of a buffer, up to its end or to bytes that are no record.
pub(super) struct Records<'a> {
    rest: &'a [u8],
}

impl<'a> Records<'a> {
    pub(super) fn of(buffer: &'a [u8]) -> Self {
        Self { rest: buffer }
    }

    /// What could not be read. Zeroes and ones fill the end of a buffer.
    pub(super) fn unread(&self) -> &'a [u8] {
        let is_filling = |byte: &u8| matches!(byte, 0 | 0xff);
        match self.rest.iter().all(is_filling) {
            true => &[],
            false => self.rest,
        }
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let (record, size) = read(Bytes(self.rest))?;
        let next = size.next_multiple_of(ALIGNMENT);
        self.rest = self.rest.get(next..).unwrap_or_default();
        Some(record)
    }
}

/// The first record of these bytes, and its size.
fn read(bytes: Bytes<'_>) -> Option<(Record<'_>, usize)> {
    let (kind, flags) = (bytes.u8(2)?, bytes.u8(3)?);
    if flags != FLAGS && flags != MESSAGE_FLAGS {
        return None;
    }
    let is_kernel = flags == FLAGS
        && [SYSTEM, COMPACT, PERFINFO]
            .iter()
            .any(|of| of.contains(&kind));
    let size = usize::from(bytes.u16(if is_kernel { 4 } else { 0 })?);
    let whole = Bytes(bytes.0.get(..size)?);
    let record = match flags {
        FLAGS => with_header(whole, kind)?,
        _ => other(whole, kind),
    };
    Some((record, size.max(ALIGNMENT)))
}

fn with_header(whole: Bytes<'_>, kind: u8) -> Option<Record<'_>> {
    let is_wide = WIDE.contains(&kind);
    let (class, time_at, payload_at) = if SYSTEM.contains(&kind) {
        (of_kernel(whole, u16::MAX)?, 16, 32)
    } else if COMPACT.contains(&kind) {
        (of_kernel(whole, u16::MAX)?, 16, 24)
    } else if PERFINFO.contains(&kind) {
        (
            of_kernel(whole, !(COUNTERS | ONE_MORE))?,
            8,
            16 + counters(whole)?,
        )
    } else if EVENT.contains(&kind) {
        (provider(whole)?, 16, behind_event_header(whole)?)
    } else if FULL.contains(&kind) {
        (classic(whole)?, 16, 48)
    } else if INSTANCE.contains(&kind) {
        (classic(whole)?, 16, 72)
    } else {
        return Some(other(whole, kind));
    };
    Some(Record {
        class,
        ticks: Some(whole.u64(time_at)?),
        is_wide,
        payload: whole.from(payload_at)?,
    })
}

fn other(whole: Bytes<'_>, kind: u8) -> Record<'_> {
    Record {
        class: Class::Other(kind),
        ticks: None,
        is_wide: false,
        payload: whole,
    }
}

fn of_kernel(whole: Bytes<'_>, version_bits: u16) -> Option<Class> {
    Some(Class::Kernel {
        group: whole.u8(7)?,
        kind: whole.u8(6)?,
        version: whole.u16(0)? & version_bits,
    })
}

/// The size of the counters behind a header.
fn counters(whole: Bytes<'_>) -> Option<usize> {
    let bits = whole.u16(0)?;
    let count = (bits & COUNTERS) / ONE_COUNTER + u16::from(bits & ONE_MORE != 0);
    Some(usize::from(count) * size_of::<u64>())
}

fn provider(whole: Bytes<'_>) -> Option<Class> {
    Some(Class::Provider {
        provider: whole.guid(24)?,
        id: whole.u16(40)?,
        version: whole.u8(42)?,
    })
}

/// Where the payload begins. How long what comes before it is with extended data is not documented, so
/// such a payload is left out.
fn behind_event_header(whole: Bytes<'_>) -> Option<usize> {
    const EVENT_HEADER: usize = 80;
    match whole.u16(4)? & EXTENDED {
        0 => Some(EVENT_HEADER),
        _ => Some(whole.0.len()),
    }
}

fn classic(whole: Bytes<'_>) -> Option<Class> {
    Some(Class::Classic {
        provider: whole.guid(24)?,
        kind: whole.u8(4)?,
        version: whole.u16(6)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A switch with two counters of the processor behind its header, and one with one more; from the tests
    /// of snail-server (MIT), the first from a log of Windows 11. The payload is 24 zeroes here.
    #[test]
    fn counters_stand_between_a_header_and_its_payload() {
        let two = [
            0x04, 0x02, 0x11, 0xc0, 0x38, 0x00, 0x24, 0x05, 0xff, 0x2e, 0xfc, 0xcd, 0x61, 0x01,
            0x00, 0x00, 0x38, 0x0f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xb8, 0x24, 0x00, 0x00,
            0x00, 0x00, 0x00, 0x00,
        ];
        let mut three = two.to_vec();
        three[1] = 0x82;
        three[4] = 0x40;
        three.extend([0; 8]);
        for mut bytes in [two.to_vec(), three] {
            bytes.extend([0; 24]);
            let mut records = Records::of(&bytes);
            let record = records.next().unwrap();
            let switch = Class::Kernel {
                group: 5,
                kind: 36,
                version: 4,
            };
            assert_eq!((record.class, record.is_wide), (switch, true));
            assert_eq!(record.ticks, Some(0x161_cdfc_2eff));
            assert_eq!(record.payload.0, [0; 24]);
            assert!(records.next().is_none() && records.unread().is_empty());
        }
    }

    #[test]
    fn bytes_that_are_no_record_are_left_over() {
        let mut records = Records::of(&[1; 40]);
        assert!(records.next().is_none());
        assert_eq!(records.unread().len(), 40);
    }
}
