//! Go's build information, which `go version` reads, too.
//!
//! <https://pkg.go.dev/debug/buildinfo>

use super::elf::{Elf, leading_number};
use object::ReadRef;

const MAGIC: &[u8] = b"\xff Go buildinf:";
/// After the magic: the size of a pointer, flags.
const FLAGS_AT: usize = 15;
/// The flag of Go 1.18 and later: the strings follow the header.
const INLINE: u8 = 2;
const HEADER: usize = 32;
/// Where older versions have the address of the version's string header.
const POINTER_AT: usize = 16;
const POINTER: u64 = 8;
/// Far longer than any version.
const MOST: u64 = 200;

/// The minor version of Go 1 that built it, if Go did.
pub(super) fn minor<'a>(elf: &Elf<'a, impl ReadRef<'a>>) -> Option<u32> {
    let info = elf.section(".go.buildinfo")?;
    if !info.starts_with(MAGIC) {
        return None;
    }
    let version = match info.get(FLAGS_AT)? & INLINE {
        0 => pointed_at(elf, info)?,
        _ => {
            // A variable-length integer of one byte is as much as a version needs.
            let length = usize::from(*info.get(HEADER)?);
            info.get(HEADER + 1..)?.get(..length)?
        }
    };
    minor_of(std::str::from_utf8(version).ok()?)
}

fn pointed_at<'a>(elf: &Elf<'a, impl ReadRef<'a>>, info: &[u8]) -> Option<&'a [u8]> {
    let header = number(info.get(POINTER_AT..)?)?;
    let address = number(elf.at(header, POINTER)?)?;
    let length = number(elf.at(header.checked_add(POINTER)?, POINTER)?)?;
    elf.at(address, length.min(MOST))
}

fn number(bytes: &[u8]) -> Option<u64> {
    let bytes: [u8; 8] = bytes.get(..8)?.try_into().ok()?;
    Some(u64::from_le_bytes(bytes))
}

/// Go's own programs are built with versions such as `devel go1.23-5e8a731569`.
fn minor_of(version: &str) -> Option<u32> {
    let (_, minor) = version.split_once("go1.")?;
    leading_number(minor)
}

#[test]
fn versions_of_all_kinds_are_read() {
    assert_eq!(minor_of("go1.22.1"), Some(22));
    assert_eq!(minor_of("go1.9"), Some(9));
    assert_eq!(minor_of("devel go1.23-5e8a731569 X:foo"), Some(23));
    assert_eq!(minor_of("devel +abc"), None);
}
