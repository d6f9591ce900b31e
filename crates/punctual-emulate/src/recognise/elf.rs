//! The parts of an executable that say what it is.

use object::elf::{DT_NEEDED, FileHeader64, SHT_DYNSYM};
use object::read::elf::{Dyn, FileHeader, ProgramHeader, SectionHeader, SectionTable, Sym};
use object::{Endianness, ReadRef};

/// The most bytes of a section that are searched: the read-only data of large programs is tens of
/// megabytes, and a process must not wait for long because it begins.
const MOST_SEARCHED: u64 = 16 << 20;

/// A 64-bit executable for Linux.
pub(super) struct Elf<'a, R: ReadRef<'a>> {
    data: R,
    header: &'a FileHeader64<Endianness>,
    endian: Endianness,
    sections: SectionTable<'a, FileHeader64<Endianness>, R>,
}

impl<'a, R: ReadRef<'a>> Elf<'a, R> {
    /// Reads the headers; nothing if it is no such file.
    pub(super) fn read(data: R) -> Option<Self> {
        let header = FileHeader64::<Endianness>::parse(data).ok()?;
        let endian = header.endian().ok()?;
        let sections = header.sections(endian, data).ok()?;
        Some(Self {
            data,
            header,
            endian,
            sections,
        })
    }

    /// A section, or its beginning if it is very long.
    pub(super) fn section(&self, name: &str) -> Option<&'a [u8]> {
        let (_, section) = self
            .sections
            .section_by_name(self.endian, name.as_bytes())?;
        let (offset, size) = section.file_range(self.endian)?;
        self.data
            .read_bytes_at(offset, size.min(MOST_SEARCHED))
            .ok()
    }

    /// The libraries that it is linked with.
    pub(super) fn needed(&self) -> Vec<String> {
        let found = self.sections.dynamic(self.endian, self.data);
        let Ok(Some((entries, strings))) = found else {
            return Vec::new();
        };
        let Ok(strings) = self.sections.strings(self.endian, self.data, strings) else {
            return Vec::new();
        };
        let needed = entries
            .iter()
            .filter(|entry| entry.tag(self.endian) == DT_NEEDED);
        let names = needed.filter_map(|entry| entry.string(self.endian, strings).ok());
        names
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect()
    }

    /// Whether it exports a symbol of this name.
    pub(super) fn exports(&self, name: &str) -> bool {
        let Ok(symbols) = self.sections.symbols(self.endian, self.data, SHT_DYNSYM) else {
            return false;
        };
        let is_it = |symbol: &&_| {
            let found = Sym::name(*symbol, self.endian, symbols.strings());
            !Sym::is_undefined(*symbol, self.endian) && found == Ok(name.as_bytes())
        };
        symbols.iter().any(|symbol| is_it(&symbol))
    }

    /// So many bytes that are loaded at this address.
    pub(super) fn at(&self, address: u64, length: u64) -> Option<&'a [u8]> {
        let segments = self.header.program_headers(self.endian, self.data).ok()?;
        segments.iter().find_map(|segment| {
            let start: u64 = segment.p_vaddr(self.endian);
            let within = address.checked_sub(start)?;
            let size: u64 = segment.p_filesz(self.endian);
            let end = within.checked_add(length)?;
            let offset: u64 = segment.p_offset(self.endian);
            (end <= size).then_some(())?;
            self.data
                .read_bytes_at(offset.checked_add(within)?, length)
                .ok()
        })
    }
}

/// Where a text begins in bytes.
pub(super) fn find(text: &[u8], bytes: &[u8]) -> Option<usize> {
    // Most bytes are not the first of it.
    let first = *text.first()?;
    let mut from = 0;
    while let Some(at) = bytes[from..].iter().position(|byte| *byte == first) {
        if bytes[from + at..].starts_with(text) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

/// The number that text begins with.
pub(super) fn leading_number(text: &str) -> Option<u32> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
