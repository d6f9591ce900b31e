//! Logs that others recorded on real Windows are walked to their ends.

use proptest::prelude::*;
use punctual_trace::windows::WindowsTrace;
use punctual_trace::windows::etl::{Class, Log, is_log};

#[test]
fn a_log_of_windows_10_is_walked_to_its_end() {
    let bytes = include_bytes!("../logs/lxcore.etl");
    assert!(is_log(bytes));
    let log = Log::read(bytes).unwrap();
    let head = log.head();
    assert_eq!(head.windows, (10, 0, 19_041));
    assert_eq!((head.processors, head.is_wide), (6, true));
    assert_eq!(head.timer_resolution, 156_250);
    assert_eq!((head.events_lost, head.buffers_lost), (0, 0));
    let census = log.census();
    assert_eq!((census.buffers, census.total()), (3, 4));
    assert_eq!((census.unread_bytes, census.unread_records), (0, 0));
    let providers = census.events().into_iter();
    let of_providers = providers.filter(|(class, _)| matches!(class, Class::Provider { .. }));
    assert_eq!(of_providers.map(|(_, count)| count).sum::<u64>(), 2);
}

/// The simplest packer: every byte is literal.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let pieces = bytes.chunks(32);
    pieces.flat_map(|piece| [&[0; 4], piece].concat()).collect()
}

fn put(bytes: &mut [u8], at: usize, field: &[u8]) {
    bytes[at..at + field.len()].copy_from_slice(field);
}

#[test]
fn a_packed_log_says_the_same() {
    const HEADER: usize = 72;
    const XPRESS: u8 = 3;
    const COMPRESSED: u8 = 0x40;
    let plain = include_bytes!("../logs/lxcore.etl");
    let (first, others) = plain.split_at(8_192);
    let mut log = first.to_vec();
    put(&mut log, 44, &[XPRESS]);
    for buffer in others.chunks(8_192) {
        let filled = u32::from_le_bytes(buffer[48..52].try_into().unwrap());
        let records = packed(&buffer[HEADER..filled as usize]);
        let mut header = buffer[..HEADER].to_vec();
        let size = u32::try_from(HEADER + records.len()).unwrap();
        put(&mut header, 0, &size.to_le_bytes());
        put(&mut header, 4, &filled.to_le_bytes());
        header[52] |= COMPRESSED;
        log.extend(header);
        log.extend(records);
    }
    let (packed, plain) = (Log::read(&log).unwrap(), Log::read(plain).unwrap());
    assert_eq!(packed.census(), plain.census());

    // Another way of packing is none that is read, and the message says which.
    for (format, name) in [(2, "LZNT1"), (4, "Huffman"), (9, "format 9")] {
        log[44] = format;
        let log = Log::read(&log).unwrap();
        let census = log.census();
        assert_eq!((census.packed_buffers, census.total()), (2, 2));
        let error = WindowsTrace::of_log(&log).unwrap_err();
        assert!(
            error.is_unsupported() && error.to_string().contains(name),
            "{error}"
        );
    }
}

#[test]
fn a_log_without_switches_says_what_to_record() {
    let log = Log::read(include_bytes!("../logs/lxcore.etl")).unwrap();
    let error = WindowsTrace::of_log(&log).unwrap_err().to_string();
    assert!(error.contains("wpr -start CPU"), "{error}");
}

#[test]
fn what_is_no_log_is_refused() {
    for bytes in [&b""[..], b"hello", &[0; 100]] {
        assert!(!is_log(bytes));
        assert!(Log::read(bytes).unwrap_err().is_invalid_input());
    }
}

proptest! {
    #[test]
    fn any_change_of_a_log_is_read_or_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        length in any::<prop::sample::Index>(),
    ) {
        let mut bytes = include_bytes!("../logs/lxcore.etl").to_vec();
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(length.index(bytes.len() + 1));
        if let Ok(log) = Log::read(&bytes) {
            let _ = WindowsTrace::of_log(&log);
        }
    }
}
