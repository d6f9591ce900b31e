//! Perfetto's format, as far as tracks and slices need it: protocol buffers, written by hand.
//!
//! The numbers of the fields are those of `protos/perfetto/trace/` in Perfetto's sources.

use punctual::Instant;
use std::io::{self, Write};

/// A heading with tracks below it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group(u64);

/// A line of slices and instants in the order of time, none of which overlap.
#[derive(Debug)]
pub(super) struct Track {
    uuid: u64,
    /// How far it is written.
    end: Instant,
}

/// Writes packets, one after the other.
pub(super) struct Packets<'a> {
    out: &'a mut dyn Write,
    /// How many tracks and groups there are: each is numbered.
    tracks: u64,
    packet: Message,
}

/// All packets come from one writer.
const SEQUENCE: u64 = 1;

/// `Trace.packet`.
const PACKET: u32 = 1;

mod trace_packet {
    pub const TIMESTAMP: u32 = 8;
    pub const TRUSTED_PACKET_SEQUENCE_ID: u32 = 10;
    pub const TRACK_EVENT: u32 = 11;
    pub const TRACK_DESCRIPTOR: u32 = 60;
}

mod track_descriptor {
    pub const UUID: u32 = 1;
    pub const NAME: u32 = 2;
    pub const PARENT_UUID: u32 = 5;
    pub const CHILD_ORDERING: u32 = 11;
    pub const SIBLING_ORDER_RANK: u32 = 12;
    /// `ChildTracksOrdering.EXPLICIT`: children are shown by their ranks.
    pub const EXPLICIT: u64 = 3;
}

mod track_event {
    pub const TYPE: u32 = 9;
    pub const TRACK_UUID: u32 = 11;
    pub const NAME: u32 = 23;
    pub const SLICE_BEGIN: u64 = 1;
    pub const SLICE_END: u64 = 2;
    pub const INSTANT: u64 = 3;
}

impl<'a> Packets<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self {
            out,
            tracks: 0,
            packet: Message::default(),
        }
    }

    pub(super) fn group(&mut self, name: &str) -> io::Result<Group> {
        let uuid = self.describe(None, name)?;
        Ok(Group(uuid))
    }

    pub(super) fn track(&mut self, group: Group, name: &str) -> io::Result<Track> {
        let uuid = self.describe(Some(group), name)?;
        let end = Instant::ZERO;
        Ok(Track { uuid, end })
    }

    /// Something that happened at once. It comes no sooner than what its track has already.
    pub(super) fn instant(&mut self, track: &mut Track, at: Instant, name: &str) -> io::Result<()> {
        track.end = track.end.max(at);
        self.event(track, track.end, track_event::INSTANT, Some(name))
    }

    /// Something that lasted. What its track has already is not written over.
    pub(super) fn slice(
        &mut self,
        track: &mut Track,
        from: Instant,
        to: Instant,
        name: &str,
    ) -> io::Result<()> {
        match self.begin(track, from, to, name)? {
            Some(_) => self.end(track, to),
            None => Ok(()),
        }
    }

    /// Begins what lasts until `to` and has others within, and says when. `None` if nothing is left
    /// of it.
    pub(super) fn begin(
        &mut self,
        track: &mut Track,
        from: Instant,
        to: Instant,
        name: &str,
    ) -> io::Result<Option<Instant>> {
        let from = from.max(track.end);
        if to <= from {
            return Ok(None);
        }
        self.event(track, from, track_event::SLICE_BEGIN, Some(name))?;
        track.end = to;
        Ok(Some(from))
    }

    /// A slice within one that has begun.
    pub(super) fn within(
        &mut self,
        track: &Track,
        from: Instant,
        to: Instant,
        name: &str,
    ) -> io::Result<()> {
        self.event(track, from, track_event::SLICE_BEGIN, Some(name))?;
        self.event(track, to, track_event::SLICE_END, None)
    }

    /// Ends what has begun.
    pub(super) fn end(&mut self, track: &Track, at: Instant) -> io::Result<()> {
        self.event(track, at, track_event::SLICE_END, None)
    }

    fn describe(&mut self, group: Option<Group>, name: &str) -> io::Result<u64> {
        self.tracks += 1;
        let mut descriptor = Message::default();
        descriptor.number(track_descriptor::UUID, self.tracks);
        descriptor.bytes(track_descriptor::NAME, name.as_bytes());
        match group {
            Some(Group(parent)) => descriptor.number(track_descriptor::PARENT_UUID, parent),
            None => descriptor.number(track_descriptor::CHILD_ORDERING, track_descriptor::EXPLICIT),
        }
        descriptor.number(track_descriptor::SIBLING_ORDER_RANK, self.tracks);
        self.packet
            .bytes(trace_packet::TRACK_DESCRIPTOR, &descriptor.0);
        self.send()?;
        Ok(self.tracks)
    }

    fn event(
        &mut self,
        track: &Track,
        at: Instant,
        kind: u64,
        name: Option<&str>,
    ) -> io::Result<()> {
        let mut event = Message::default();
        event.number(track_event::TYPE, kind);
        event.number(track_event::TRACK_UUID, track.uuid);
        if let Some(name) = name {
            event.bytes(track_event::NAME, name.as_bytes());
        }
        self.packet.number(trace_packet::TIMESTAMP, at.as_nanos());
        self.packet.bytes(trace_packet::TRACK_EVENT, &event.0);
        self.send()
    }

    fn send(&mut self) -> io::Result<()> {
        self.packet
            .number(trace_packet::TRUSTED_PACKET_SEQUENCE_ID, SEQUENCE);
        let mut field = Message::default();
        field.bytes(PACKET, &self.packet.0);
        self.packet.0.clear();
        self.out.write_all(&field.0)
    }
}

/// A message of protocol buffers: <https://protobuf.dev/programming-guides/encoding/>.
#[derive(Debug, Default)]
struct Message(Vec<u8>);

impl Message {
    fn number(&mut self, field: u32, number: u64) {
        const VARINT: u64 = 0;
        self.varint(u64::from(field) << 3 | VARINT);
        self.varint(number);
    }

    fn bytes(&mut self, field: u32, bytes: &[u8]) {
        const LENGTH_DELIMITED: u64 = 2;
        self.varint(u64::from(field) << 3 | LENGTH_DELIMITED);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// Seven bits a byte, the least significant first; all but the last have the eighth bit.
    fn varint(&mut self, mut number: u64) {
        const MORE: u8 = 0x80;
        loop {
            let seven = (number & 0x7f) as u8;
            number >>= 7;
            if number == 0 {
                self.0.push(seven);
                return;
            }
            self.0.push(seven | MORE);
        }
    }
}
