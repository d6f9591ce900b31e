//! The buffers of a log, each with the records of one processor.
//!
//! A buffer begins with a `WMI_BUFFER_HEADER`. Microsoft documents its first part as `WNODE_HEADER`
//! (<https://learn.microsoft.com/en-us/windows/win32/etw/wnode-header>); the rest is described at
//! <https://www.geoffchappell.com/studies/windows/km/ntoskrnl/inc/api/ntwmi/wmi_buffer_header/index.htm>.

use super::bytes::Bytes;
use punctual::Error;

/// The size of the header.
pub(super) const HEADER: usize = 72;

/// Events or whole buffers before this one are missing (`ETW_BUFFER_FLAG_EVENTS_LOST`, `_BUFFER_LOST`).
pub(super) const LOST: u16 = 0x0002 | 0x0004;
/// The processor's number has 16 bits, and not 8 (`ETW_BUFFER_FLAG_PROC_INDEX`, since Windows 8).
pub(super) const WIDE_PROCESSOR: u16 = 0x0020;
/// The records are compressed (`ETW_BUFFER_FLAG_COMPRESSED`).
const COMPRESSED: u16 = 0x0040;

/// The type of the first buffer, which has the header of the log (`ETW_BUFFER_TYPE_HEADER`).
pub(super) const HEADER_TYPE: u16 = 4;

/// Windows has no larger buffers: `BufferSize` of `EVENT_TRACE_PROPERTIES` is at most 16 MiB.
///
/// <https://learn.microsoft.com/en-us/windows/win32/api/evntrace/ns-evntrace-event_trace_properties>
const MOST: usize = 16 << 20;

/// How compressed buffers are compressed: in the state of the first buffer (`COMPRESSION_FORMAT_*`).
pub(super) const LZNT1: u16 = 2;
pub(super) const XPRESS: u16 = 3;
pub(super) const XPRESS_HUFFMAN: u16 = 4;

/// Places in the header.
pub(super) mod at {
    pub(in super::super) const SIZE: usize = 0;
    pub(in super::super) const SAVED: usize = 4;
    pub(in super::super) const SEQUENCE: usize = 24;
    pub(in super::super) const PROCESSOR: usize = 40;
    pub(in super::super) const STATE: usize = 44;
    pub(in super::super) const FILLED: usize = 48;
    pub(in super::super) const FLAGS: usize = 52;
    pub(in super::super) const TYPE: usize = 54;
}

/// One buffer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Buffer<'a> {
    pub(super) processor: u16,
    pub(super) sequence: u64,
    /// Whether events before this buffer are missing.
    pub(super) lost_before: bool,
    /// How many bytes of records there are, if they are compressed.
    pub(super) unpacked_size: Option<usize>,
    pub(super) records: &'a [u8],
}

/// All buffers, in the order of the file.
///
/// # Errors
/// If the bytes do not begin with a whole buffer of a log. A last buffer that is cut short is read as far
/// as it goes.
pub(super) fn buffers(log: &[u8]) -> Result<Vec<Buffer<'_>>, Error> {
    let first = Bytes(log);
    if first.u16(at::TYPE) != Some(HEADER_TYPE) {
        return Err(Error::invalid_input(
            "it does not begin with the header of a Windows event log (.etl)",
        ));
    }
    let (mut buffers, mut rest) = (Vec::new(), log);
    while rest.len() >= HEADER {
        let (buffer, size) = one(rest)?;
        buffers.push(buffer);
        rest = rest.get(size..).unwrap_or_default();
    }
    Ok(buffers)
}

/// How the buffers of a log are compressed, if they are.
pub(super) fn compression(log: &[u8]) -> u16 {
    Bytes(log).u16(at::STATE).unwrap_or_default()
}

/// The first buffer of these bytes, and its size.
fn one(bytes: &[u8]) -> Result<(Buffer<'_>, usize), Error> {
    let header = Bytes(bytes);
    let field = |at| header.u32(at).unwrap_or_default() as usize;
    let (size, filled) = (field(at::SIZE), field(at::FILLED));
    let unpacked = field(at::SAVED).min(MOST).saturating_sub(HEADER);
    if size < HEADER {
        return Err(Error::invalid_input(format!(
            "it has a buffer of {size} bytes, which is less than its header has"
        )));
    }
    let flags = header.u16(at::FLAGS).unwrap_or_default();
    let is_compressed = flags & COMPRESSED != 0;
    // What is filled counts the header.
    let end = if is_compressed {
        size
    } else {
        filled.min(size)
    };
    let end = end.min(bytes.len());
    let processor = match flags & WIDE_PROCESSOR {
        0 => header.u8(at::PROCESSOR).map(u16::from),
        _ => header.u16(at::PROCESSOR),
    };
    let buffer = Buffer {
        processor: processor.unwrap_or_default(),
        sequence: header.u64(at::SEQUENCE).unwrap_or_default(),
        lost_before: flags & LOST != 0,
        unpacked_size: is_compressed.then_some(unpacked),
        records: bytes.get(HEADER..end).unwrap_or_default(),
    };
    Ok((buffer, size))
}
