//! The kernel's events that tell which threads ran, which became ready, and what interrupted them.
//!
//! Their payloads are documented one by one, from
//! <https://learn.microsoft.com/en-us/windows/win32/etw/nt-kernel-logger-constants> on. Later versions
//! only add fields behind those of earlier ones, so a version that is higher than documented is read as
//! the highest that is.

use super::bytes::Bytes;
use super::class::Class;
use super::kinds::{
    DPC, END, IMAGE, IMAGE_LOADED, INTERRUPT, MESSAGE_INTERRUPT, PERFINFO, PROCESS, READY,
    RUNDOWN_AT_END, RUNDOWN_AT_START, START, SWITCH, THREAD, THREADED_DPC, TIMER_DPC,
};
use super::record::Record;

/// What one of them says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    Switch {
        next: u32,
        previous: u32,
        next_priority: i8,
        previous_priority: i8,
        previous_state: u8,
    },
    Ready {
        thread: u32,
        in_dpc: bool,
    },
    /// An interrupt or DPC is done. It began at this time on the log's clock.
    Served {
        began_ticks: u64,
        routine: u64,
        is_dpc: bool,
    },
    /// A thread that began, ends, or was there.
    Thread {
        process: u32,
        thread: u32,
        ends: bool,
    },
    Process {
        process: u32,
        name: Box<str>,
    },
    /// The code of a program, library or driver.
    Image {
        base: u64,
        size: u64,
        file: Box<str>,
    },
    /// Something is missing before this, on this processor.
    Lost,
}

/// What a record says; nothing if it is of no kind that matters, or cut short.
pub(super) fn said(record: &Record<'_>) -> Option<Said> {
    let Class::Kernel {
        group,
        kind,
        version,
    } = record.class
    else {
        return None;
    };
    let (payload, is_wide) = (record.payload, record.is_wide);
    match (group, kind) {
        (THREAD, SWITCH) if version >= 2 => switch(payload),
        (THREAD, READY) if version >= 2 => ready(payload),
        (THREAD, START..=RUNDOWN_AT_END) => thread(payload, version, kind == END),
        (PERFINFO, THREADED_DPC | DPC | TIMER_DPC) => served(payload, is_wide, true),
        (PERFINFO, INTERRUPT | MESSAGE_INTERRUPT) => served(payload, is_wide, false),
        (PROCESS, START..=RUNDOWN_AT_END) => process(payload, version, is_wide),
        (IMAGE, RUNDOWN_AT_START..=RUNDOWN_AT_END | IMAGE_LOADED) => {
            image(payload, version, is_wide)
        }
        _ => None,
    }
}

/// Whether a record is of a kind that matters, so that it counts if it cannot be read.
pub(super) fn matters(class: Class) -> bool {
    let Class::Kernel { group, kind, .. } = class else {
        return false;
    };
    matches!(
        (group, kind),
        (THREAD, SWITCH | READY)
            | (PERFINFO, THREADED_DPC..=TIMER_DPC | MESSAGE_INTERRUPT)
            | (THREAD | PROCESS, START..=RUNDOWN_AT_END)
    )
}

/// <https://learn.microsoft.com/en-us/windows/win32/etw/cswitch>
fn switch(payload: Bytes<'_>) -> Option<Said> {
    Some(Said::Switch {
        next: payload.u32(0)?,
        previous: payload.u32(4)?,
        next_priority: payload.u8(8)?.cast_signed(),
        previous_priority: payload.u8(9)?.cast_signed(),
        previous_state: payload.u8(14)?,
    })
}

/// <https://learn.microsoft.com/en-us/windows/win32/etw/readythread>
fn ready(payload: Bytes<'_>) -> Option<Said> {
    const IN_DPC: u8 = 0x1;
    Some(Said::Ready {
        thread: payload.u32(0)?,
        in_dpc: payload.u8(6)? & IN_DPC != 0,
    })
}

/// <https://learn.microsoft.com/en-us/windows/win32/etw/dpc>, `isr`
fn served(payload: Bytes<'_>, is_wide: bool, is_dpc: bool) -> Option<Said> {
    Some(Said::Served {
        began_ticks: payload.u64(0)?,
        routine: payload.pointer(8, is_wide)?,
        is_dpc,
    })
}

/// <https://learn.microsoft.com/en-us/windows/win32/etw/thread-typegroup1>; the first version has the
/// thread before its process.
fn thread(payload: Bytes<'_>, version: u16, ends: bool) -> Option<Said> {
    let (first, second) = (payload.u32(0)?, payload.u32(4)?);
    let (process, thread) = match version {
        0 => (second, first),
        _ => (first, second),
    };
    Some(Said::Thread {
        process,
        thread,
        ends,
    })
}

/// <https://learn.microsoft.com/en-us/windows/win32/etw/process-typegroup1>. From version 3 on there is
/// one more address before the user, and from version 4 on flags.
fn process(payload: Bytes<'_>, version: u16, is_wide: bool) -> Option<Said> {
    let pointer = if is_wide { 8 } else { 4 };
    let user_at = match version {
        0 => return None,
        1 | 2 => pointer + 16,
        3 => 2 * pointer + 16,
        _ => 2 * pointer + 20,
    };
    let (name, _) = payload.text(behind_user(payload, user_at, pointer)?)?;
    Some(Said::Process {
        process: payload.u32(pointer)?,
        name: name.into(),
    })
}

/// Where the field behind a user (`Sid`) begins: a word of zeroes if there is none, or two addresses and
/// the security identifier itself, whose second byte tells how many numbers it has.
///
/// <https://learn.microsoft.com/en-us/windows/win32/etw/event-tracing-mof-qualifiers>
fn behind_user(payload: Bytes<'_>, at: usize, pointer: usize) -> Option<usize> {
    if payload.u32(at)? == 0 {
        return Some(at + 4);
    }
    let sid = at + 2 * pointer;
    let numbers = usize::from(payload.u8(sid + 1)?);
    Some(sid + 8 + 4 * numbers)
}

/// <https://learn.microsoft.com/en-us/windows/win32/etw/image-load>: base and size, then, from version 2
/// on, process, checksum, time, a word, the default base, four words, and the file.
fn image(payload: Bytes<'_>, version: u16, is_wide: bool) -> Option<Said> {
    let pointer = if is_wide { 8 } else { 4 };
    let file_at = match version {
        0 => return None,
        1 => 2 * pointer + 4,
        _ => 3 * pointer + 32,
    };
    Some(Said::Image {
        base: payload.pointer(0, is_wide)?,
        size: payload.pointer(pointer, is_wide)?,
        file: payload.wide_text(file_at)?.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(group: u8, kind: u8, version: u16, payload: &[u8]) -> Record<'_> {
        Record {
            class: Class::Kernel {
                group,
                kind,
                version,
            },
            ticks: Some(0),
            is_wide: true,
            payload: Bytes(payload),
        }
    }

    /// From the tests of snail-server (MIT), which took them from logs of Windows 10 and 11.
    mod published {
        pub(super) const SWITCH: &str = "c03b000048550000090800001f0001021f00000085530000";
        pub(super) const THREAD: &str = "000000000000000000b0453003f8ffff0040453003f8ffff00000000000000000000000000000000\
             010000000000000060d4222e03f8ffff00000000000000000000000000050000490064006c006500\
             20005400680072006500610064000000";
        pub(super) const PROCESS: &str = "c0802a5b01bfffff7025000080040000000000000301000000403dc40100000000000000c0abecd2\
             0dd0ffff0000000000000000010100000000000512000000576d6950727653452e6578650043003a\
             005c00570049004e0044004f00570053005c00730079007300740065006d00330032005c00770062\
             0065006d005c0077006d006900700072007600730065002e0065007800650020002d0045006d0062\
             0065006400640069006e006700000000000000";
        pub(super) const IMAGE: &str = "0000e02d03f8ffff00700401000000000000000057e4b700935a7bf5000100000000000000000000\
             000000000000000000000000000000005c00530079007300740065006d0052006f006f0074005c00\
             730079007300740065006d00330032005c006e0074006f0073006b0072006e006c002e0065007800\
             65000000";
    }

    fn bytes(hexadecimal: &str) -> Vec<u8> {
        let digits = hexadecimal.as_bytes().chunks(2);
        let byte = |digits: &[u8]| u8::from_str_radix(str::from_utf8(digits).unwrap(), 16).unwrap();
        digits.map(byte).collect()
    }

    #[test]
    fn a_switch_of_windows_10() {
        let payload = bytes(published::SWITCH);
        let expected = Said::Switch {
            next: 15296,
            previous: 21832,
            next_priority: 9,
            previous_priority: 8,
            previous_state: 1,
        };
        for version in 2..=6 {
            let record = record(THREAD, SWITCH, version, &payload);
            assert_eq!(said(&record), Some(expected.clone()));
        }
        assert_eq!(said(&record(THREAD, SWITCH, 4, &payload[..14])), None);
        assert_eq!(said(&record(THREAD, SWITCH, 1, &payload)), None);
    }

    #[test]
    fn a_thread_a_process_and_the_kernel_of_windows_11() {
        let payload = bytes(published::THREAD);
        let thread = Said::Thread {
            process: 0,
            thread: 0,
            ends: false,
        };
        let said_of = |group, kind, version, payload| said(&record(group, kind, version, payload));
        assert_eq!(said_of(THREAD, RUNDOWN_AT_START, 4, &payload), Some(thread));
        let payload = bytes(published::PROCESS);
        let process = Said::Process {
            process: 9584,
            name: "WmiPrvSE.exe".into(),
        };
        assert_eq!(said_of(PROCESS, START, 4, &payload), Some(process));
        let payload = bytes(published::IMAGE);
        let image = Said::Image {
            base: 18_446_735_291_271_086_080,
            size: 17_068_032,
            file: r"\SystemRoot\system32\ntoskrnl.exe".into(),
        };
        assert_eq!(said_of(IMAGE, RUNDOWN_AT_START, 3, &payload), Some(image));
    }

    #[test]
    fn a_process_with_and_without_a_user() {
        let name = |payload: &[u8]| match said(&record(PROCESS, START, 4, payload)) {
            Some(Said::Process { process, name }) => (process, name),
            other => panic!("{other:?}"),
        };
        let mut head = vec![0; 8];
        head.extend(72_u32.to_le_bytes());
        // Parent, session, exit status, directory, flags.
        head.extend([0; 12 + 8 + 4]);
        let nameless = [&head[..], &[0; 4], b"game.exe\0"].concat();
        assert_eq!(name(&nameless), (72, "game.exe".into()));
        let mut user = vec![1; 16];
        user.extend([1, 2, 0, 0, 0, 0, 0, 5]);
        user.extend([0; 2 * 4]);
        let of_user = [&head[..], &user, b"game.exe\0"].concat();
        assert_eq!(name(&of_user), (72, "game.exe".into()));
    }
}
