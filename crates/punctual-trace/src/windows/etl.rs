//! Windows' own logs (`.etl`), as `wpr` and `xperf` record them, read without any of Windows' tools.
//!
//! A log has buffers, each with the records of one processor. The reader uses the kernel's context
//! switches, ready threads, DPCs and interrupts, and the lists of processes, threads and code; it walks
//! over all other records and counts them.

mod buffer;
mod bytes;
mod census;
mod class;
mod head;
mod kernel;
mod kinds;
mod record;
mod requests;
mod rows;
mod write;
mod xpress;

pub use bytes::Guid;
pub use census::Census;
pub use class::Class;
pub use head::Head;
pub use requests::TimerRequest;
pub use write::write;

use buffer::Buffer;
use census::Counting;
use kernel::Said;
use punctual::Error;
use record::{Record, Records};
use std::collections::BTreeSet;

/// What a log says of the kernel, in the order in which it happened.
#[derive(Debug, Clone)]
pub struct Log {
    head: Head,
    compression: u16,
    census: Census,
    requests: BTreeSet<TimerRequest>,
    lines: Vec<Line>,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    /// In nanoseconds since the recording began.
    at_ns: u64,
    processor: u16,
    said: Said,
}

impl Log {
    /// Reads a log.
    ///
    /// # Errors
    /// If the bytes do not begin with the header of a log. Records that cannot be read are
    /// [counted](Census), and don't make the others unreadable.
    pub fn read(log: &[u8]) -> Result<Self, Error> {
        let mut buffers = buffer::buffers(log)?;
        let head = head(&buffers)?;
        let mut reader = Reader {
            compression: buffer::compression(log),
            head,
            counting: Counting::default(),
            requests: BTreeSet::new(),
            lines: Vec::new(),
        };
        // Records of one processor are in order within a buffer, and buffers by their numbers.
        buffers.sort_by_key(|buffer| (buffer.processor, buffer.sequence));
        for buffer in &buffers {
            reader.take(buffer);
        }
        reader.lines.sort_by_key(|line| line.at_ns);
        Ok(Self {
            head: reader.head,
            compression: reader.compression,
            census: reader.counting.finish(),
            requests: reader.requests,
            lines: reader.lines,
        })
    }

    /// What the log says of itself.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// What is in it.
    pub fn census(&self) -> &Census {
        &self.census
    }

    /// The requests for timer intervals that it tells of, each once.
    pub fn requests(&self) -> impl Iterator<Item = &TimerRequest> {
        self.requests.iter()
    }
}

/// Whether these bytes look like a log.
pub fn is_log(bytes: &[u8]) -> bool {
    bytes.len() >= buffer::HEADER && buffer::buffers(&bytes[..buffer::HEADER]).is_ok()
}

/// The first record of the first buffer.
fn head(buffers: &[Buffer<'_>]) -> Result<Head, Error> {
    let first = buffers.first().map(|buffer| Records::of(buffer.records));
    let first = first.and_then(|mut records| records.next());
    let Some(Record {
        class: Class::Kernel {
            group: 0, kind: 0, ..
        },
        ticks: Some(ticks),
        payload,
        ..
    }) = first
    else {
        return Err(Error::invalid_input("its first record is not its header"));
    };
    Head::read(payload, ticks)
}

struct Reader {
    compression: u16,
    head: Head,
    counting: Counting,
    requests: BTreeSet<TimerRequest>,
    lines: Vec<Line>,
}

impl Reader {
    fn take(&mut self, buffer: &Buffer<'_>) {
        self.counting.census.buffers += 1;
        if buffer.lost_before {
            self.counting.census.buffers_after_losses += 1;
        }
        match buffer.unpacked_size {
            None => self.records(buffer, buffer.records),
            Some(size) => {
                let is_known = self.compression == buffer::XPRESS;
                let unpacked = is_known.then(|| xpress::unpack(buffer.records, size));
                match unpacked.flatten() {
                    Some(records) => self.records(buffer, &records),
                    None => self.counting.census.packed_buffers += 1,
                }
            }
        }
    }

    fn records(&mut self, buffer: &Buffer<'_>, bytes: &[u8]) {
        let mut records = Records::of(bytes);
        let mut lost = buffer.lost_before;
        for record in &mut records {
            if std::mem::take(&mut lost) {
                self.tell(buffer.processor, record.ticks, Said::Lost);
            }
            self.record(buffer.processor, &record);
        }
        self.counting.census.unread_bytes += records.unread().len() as u64;
    }

    fn record(&mut self, processor: u16, record: &Record<'_>) {
        self.counting.count(record.class);
        self.requests.extend(requests::request(record));
        match kernel::said(record) {
            Some(said) => self.tell(processor, record.ticks, said),
            None if kernel::matters(record.class) => {
                self.counting.census.unread_records += 1;
                self.tell(processor, record.ticks, Said::Lost);
            }
            None => {}
        }
    }

    fn tell(&mut self, processor: u16, ticks: Option<u64>, said: Said) {
        self.lines.push(Line {
            at_ns: ticks.map_or(0, |ticks| self.head.clock.nanos(ticks)),
            processor,
            said,
        });
    }
}
