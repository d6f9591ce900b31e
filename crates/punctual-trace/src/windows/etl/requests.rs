//! Which process asked for which timer interval: events of the provider Microsoft-Windows-Kernel-Power, which lists
//! all requests when a recording begins or ends, and tells of each that changes.
//!
//! Their layouts are in the provider's manifest, which every Windows prints
//! (`wevtutil gp Microsoft-Windows-Kernel-Power /ge`).

use super::bytes::{Bytes, Guid};
use super::class::Class;
use super::record::Record;

/// Microsoft-Windows-Kernel-Power, 331c3b3a-2005-44c2-ac5e-77220c37d6b4.
const KERNEL_POWER: Guid = Guid([
    0x3a, 0x3b, 0x1c, 0x33, 0x05, 0x20, 0xc2, 0x44, 0xac, 0x5e, 0x77, 0x22, 0x0c, 0x37, 0xd6, 0xb4,
]);
/// `SystemTimeResolutionChange`, from its version 1 on.
const CHANGE: u16 = 63;
/// `SystemTimeResolutionRequestRundown`.
const RUNDOWN: u16 = 97;

const NANOS_PER_UNIT: u64 = 100;

/// A request for a timer interval.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimerRequest {
    /// The program, as the kernel names it.
    pub program: String,
    /// Its process.
    pub process: u32,
    /// The interval in nanoseconds.
    pub interval_ns: u64,
}

/// The request that a record tells of: interval, process, and a name with its length.
pub(super) fn request(record: &Record<'_>) -> Option<TimerRequest> {
    let Class::Provider {
        provider: KERNEL_POWER,
        id,
        version,
    } = record.class
    else {
        return None;
    };
    match (id, version) {
        (CHANGE, 1..) | (RUNDOWN, _) => read(record.payload),
        _ => None,
    }
}

fn read(payload: Bytes<'_>) -> Option<TimerRequest> {
    let length = usize::from(payload.u16(8)?);
    let name = Bytes(payload.0.get(10..)?.get(..2 * length)?);
    Some(TimerRequest {
        interval_ns: u64::from(payload.u32(0)?) * NANOS_PER_UNIT,
        process: payload.u32(4)?,
        program: name.wide_text(0)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(id: u16, version: u8, payload: &[u8]) -> Option<TimerRequest> {
        request(&Record {
            class: Class::Provider {
                provider: KERNEL_POWER,
                id,
                version,
            },
            ticks: Some(0),
            is_wide: true,
            payload: Bytes(payload),
        })
    }

    #[test]
    fn a_request_has_an_interval_a_process_and_a_name() {
        let mut payload = 10_000_u32.to_le_bytes().to_vec();
        payload.extend(4_242_u32.to_le_bytes());
        payload.extend(8_u16.to_le_bytes());
        payload.extend("game.exe".encode_utf16().flat_map(u16::to_le_bytes));
        let expected = TimerRequest {
            program: "game.exe".to_owned(),
            process: 4_242,
            interval_ns: 1_000_000,
        };
        assert_eq!(of(RUNDOWN, 0, &payload), Some(expected.clone()));
        // What follows the name is another field.
        payload.extend([7; 4]);
        assert_eq!(of(CHANGE, 1, &payload), Some(expected));
        assert_eq!(of(CHANGE, 0, &payload), None);
        assert_eq!(of(CHANGE, 1, &payload[..20]), None);
    }
}
