//! Numbers and texts in a log: little-endian, at places that a header or a payload fixes.

/// Some bytes of a log. Reading beyond their end gives nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    fn array<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        let bytes = self.0.get(at..)?.get(..N)?;
        bytes.try_into().ok()
    }

    pub(super) fn u8(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    pub(super) fn u16(self, at: usize) -> Option<u16> {
        self.array(at).map(u16::from_le_bytes)
    }

    pub(super) fn u32(self, at: usize) -> Option<u32> {
        self.array(at).map(u32::from_le_bytes)
    }

    pub(super) fn u64(self, at: usize) -> Option<u64> {
        self.array(at).map(u64::from_le_bytes)
    }

    pub(super) fn guid(self, at: usize) -> Option<Guid> {
        self.array(at).map(Guid)
    }

    /// An address: 8 bytes on 64-bit systems, or else 4.
    pub(super) fn pointer(self, at: usize, is_wide: bool) -> Option<u64> {
        match is_wide {
            true => self.u64(at),
            false => self.u32(at).map(u64::from),
        }
    }

    /// A text of bytes that ends with a zero, and where the next field begins.
    pub(super) fn text(self, at: usize) -> Option<(String, usize)> {
        let bytes = self.0.get(at..)?;
        let length = bytes.iter().position(|&byte| byte == 0)?;
        let text = String::from_utf8_lossy(&bytes[..length]).into_owned();
        Some((text, at + length + 1))
    }

    /// A text of 16-bit characters that ends with a zero, or with the bytes.
    pub(super) fn wide_text(self, at: usize) -> Option<String> {
        let (units, _) = self.0.get(at..)?.as_chunks::<2>();
        let units = units.iter().map(|&unit| u16::from_le_bytes(unit));
        let units = units.take_while(|&unit| unit != 0);
        let characters = char::decode_utf16(units);
        Some(
            characters
                .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect(),
        )
    }

    /// What begins here.
    pub(super) fn from(self, at: usize) -> Option<Self> {
        self.0.get(at..).map(Self)
    }
}

/// The id of a provider of events, as it is in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guid(pub [u8; 16]);

impl std::fmt::Display for Guid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [a, b, c, d, e, g, h, i, rest @ ..] = self.0;
        let first = u32::from_le_bytes([a, b, c, d]);
        let (second, third) = (u16::from_le_bytes([e, g]), u16::from_le_bytes([h, i]));
        write!(f, "{first:08x}-{second:04x}-{third:04x}-")?;
        for (index, byte) in rest.iter().enumerate() {
            let dash = if index == 2 { "-" } else { "" };
            write!(f, "{dash}{byte:02x}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_beyond_the_end_gives_nothing() {
        let bytes = Bytes(&[1, 0, 0, 0, b'a', 0, 0]);
        assert_eq!(bytes.u32(0), Some(1));
        assert_eq!(bytes.u32(4), None);
        assert_eq!(bytes.u64(usize::MAX), None);
        assert_eq!(bytes.text(4), Some(("a".to_owned(), 6)));
        assert_eq!(Bytes(b"abc").text(0), None);
        assert_eq!(bytes.wide_text(4), Some("a".to_owned()));
        assert_eq!(bytes.pointer(0, false), Some(1));
    }

    #[test]
    fn an_id_is_shown_as_windows_shows_it() {
        let id = Guid([
            0x3a, 0x3b, 0x1c, 0x33, 0x05, 0x20, 0xc2, 0x44, 0xac, 0x5e, 0x77, 0x22, 0x0c, 0x37,
            0xd6, 0xb4,
        ]);
        assert_eq!(id.to_string(), "331c3b3a-2005-44c2-ac5e-77220c37d6b4");
    }
}
