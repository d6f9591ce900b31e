//! Unpacks buffers that Windows compressed by its plain variant of LZ77 (`COMPRESSION_FORMAT_XPRESS`).
//!
//! The format is specified in MS-XCA, section 2.4:
//! <https://learn.microsoft.com/en-us/openspecs/windows_protocols/ms-xca/>. Crates that read it have no
//! limit for what comes out, and a few bytes of it can claim four gigabytes.

use super::bytes::Bytes;

/// A length is in three bits, or else in as many more as it needs.
const SHORTEST: usize = 3;
const LONG: usize = 7;
const LONGER: usize = 15;
const LONGEST: usize = 255;

/// Unpacks this many bytes. Nothing if there are fewer, more, or something that is no such stream.
pub(super) fn unpack(packed: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut stream = Stream {
        packed: Bytes(packed),
        at: 0,
        half: None,
    };
    let mut unpacked = Vec::with_capacity(size);
    while unpacked.len() < size {
        let flags = stream.u32()?;
        for bit in (0..u32::BITS).rev() {
            if unpacked.len() == size {
                break;
            }
            if flags & (1 << bit) == 0 {
                unpacked.push(stream.u8()?);
                continue;
            }
            let (length, back) = stream.repetition()?;
            let from = unpacked.len().checked_sub(back)?;
            if length > size - unpacked.len() {
                return None;
            }
            // What is repeated may be longer than what there is yet.
            for index in from..from + length {
                unpacked.push(unpacked[index]);
            }
        }
    }
    Some(unpacked)
}

struct Stream<'a> {
    packed: Bytes<'a>,
    at: usize,
    /// A byte whose upper half is the next length.
    half: Option<u8>,
}

impl Stream<'_> {
    fn u8(&mut self) -> Option<u8> {
        let byte = self.packed.u8(self.at)?;
        self.at += size_of::<u8>();
        Some(byte)
    }

    fn u16(&mut self) -> Option<u16> {
        let word = self.packed.u16(self.at)?;
        self.at += size_of::<u16>();
        Some(word)
    }

    fn u32(&mut self) -> Option<u32> {
        let word = self.packed.u32(self.at)?;
        self.at += size_of::<u32>();
        Some(word)
    }

    /// How many bytes are repeated, and how far back they begin.
    fn repetition(&mut self) -> Option<(usize, usize)> {
        let word = usize::from(self.u16()?);
        let (mut length, back) = (word % 8, word / 8 + 1);
        if length == LONG {
            length += self.half_byte()?;
            if length == LONG + LONGER {
                length = self.long_length()?;
            }
        }
        Some((length + SHORTEST, back))
    }

    /// Two lengths share a byte.
    fn half_byte(&mut self) -> Option<usize> {
        if let Some(byte) = self.half.take() {
            return Some(usize::from(byte >> 4));
        }
        let byte = self.u8()?;
        self.half = Some(byte);
        Some(usize::from(byte & 0xf))
    }

    fn long_length(&mut self) -> Option<usize> {
        let more = usize::from(self.u8()?);
        if more < LONGEST {
            return Some(more + LONG + LONGER);
        }
        let whole = match self.u16()? {
            0 => usize::try_from(self.u32()?).ok()?,
            length => usize::from(length),
        };
        (whole >= LONG + LONGER).then_some(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the specification, section 3.
    #[test]
    fn the_published_examples() {
        let alphabet = b"abcdefghijklmnopqrstuvwxyz";
        let packed = [&[0x3f, 0, 0, 0], &alphabet[..]].concat();
        assert_eq!(unpack(&packed, 26).as_deref(), Some(&alphabet[..]));
        let packed = [
            0xff, 0xff, 0xff, 0x1f, 0x61, 0x62, 0x63, 0x17, 0x00, 0x0f, 0xff, 0x26, 0x01,
        ];
        assert_eq!(unpack(&packed, 300), Some(b"abc".repeat(100)));
    }

    #[test]
    fn what_claims_too_much_or_too_little_is_nothing() {
        let packed = [
            0xff, 0xff, 0xff, 0x1f, 0x61, 0x62, 0x63, 0x17, 0x00, 0x0f, 0xff, 0x26, 0x01,
        ];
        assert_eq!(unpack(&packed, 299), None);
        assert_eq!(unpack(&packed, 301), None);
        assert_eq!(unpack(&packed[..9], 300), None);
        // Back before the beginning.
        assert_eq!(unpack(&[0xff, 0xff, 0xff, 0xff, 0x17, 0], 10), None);
        assert_eq!(unpack(&[], 0), Some(Vec::new()));
    }
}
