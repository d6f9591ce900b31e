//! Writes pages of tracefs, for tests.

pub const HEADER_PAGE: &str = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\
    \tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\
    \tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\
    \tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";

/// The simplest writer of pages: every event with a time extension before it.
pub fn page(start: u64, events: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let mut data = Vec::new();
    for (delta, bytes) in events {
        let extension = 30 | (u32::try_from(delta & 0x7ff_ffff).unwrap() << 5);
        data.extend(extension.to_le_bytes());
        data.extend(u32::try_from(delta >> 27).unwrap().to_le_bytes());
        // A record of any length says it in a word that counts itself.
        data.extend(0_u32.to_le_bytes());
        data.extend(u32::try_from(bytes.len() + 4).unwrap().to_le_bytes());
        data.extend(bytes);
    }
    let mut page = start.to_le_bytes().to_vec();
    page.extend(u64::try_from(data.len()).unwrap().to_le_bytes());
    page.extend(data);
    page
}
