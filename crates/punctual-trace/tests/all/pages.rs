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

/// The fields that every event has, in its format.
pub const COMMON: &str = "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
    \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\
    \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

/// How a switch of threads is written, as an event of this number, as Linux 6.18 prints it.
pub fn switch_format(number: u16) -> String {
    format!(
        "name: sched_switch\nID: {number}\nformat:\n{COMMON}\
         \tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\
         \tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n\
         \tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n\
         \tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n\
         \tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n\
         \tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n\
         \tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n"
    )
}

/// The fields that every event has.
pub fn common(kind: u16, running: u32) -> Vec<u8> {
    let mut bytes = u32::from(kind).to_le_bytes().to_vec();
    bytes.extend(running.to_le_bytes());
    bytes
}
