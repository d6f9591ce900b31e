//! The first record of a log: what it says of itself (`TRACE_LOGFILE_HEADER`).
//!
//! <https://learn.microsoft.com/en-us/windows/win32/api/evntrace/ns-evntrace-trace_logfile_header>

use super::bytes::Bytes;
use crate::windows::row::LATEST_NS;
use punctual::Error;

/// The header of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The version of Windows: major, minor and build, such as 10, 0, 19041.
    pub windows: (u8, u8, u32),
    /// How many processors the machine had.
    pub processors: u32,
    /// Whether the system was a 64-bit one.
    pub is_wide: bool,
    /// The default timer interval, in units of 100 ns.
    pub timer_resolution: u32,
    /// How many buffers should be in the log.
    pub buffers_written: u32,
    /// How many events were lost.
    pub events_lost: u32,
    /// How many buffers were lost.
    pub buffers_lost: u32,
    /// When the recording began, in units of 100 ns since 1601.
    pub start_time: u64,
    pub(super) clock: Clock,
}

/// The clock of the time stamps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clock {
    /// The reading when the recording began.
    pub(super) start: u64,
    pub(super) per_second: u64,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            start: 0,
            per_second: UNITS_PER_SECOND,
        }
    }
}

/// The system clock counts units of 100 ns.
const UNITS_PER_SECOND: u64 = 10_000_000;
const NANOS_PER_SECOND: u128 = 1_000_000_000;

/// Places of fields. Behind two pointers and a time zone, of 176 bytes with what aligns it, come three
/// times.
pub(super) mod at {
    pub(in super::super) const MAJOR: usize = 4;
    pub(in super::super) const MINOR: usize = 5;
    pub(in super::super) const BUILD: usize = 8;
    pub(in super::super) const PROCESSORS: usize = 12;
    pub(in super::super) const TIMER_RESOLUTION: usize = 24;
    pub(in super::super) const BUFFERS_WRITTEN: usize = 36;
    pub(in super::super) const POINTER_SIZE: usize = 44;
    pub(in super::super) const EVENTS_LOST: usize = 48;
    pub(in super::super) const CPU_MEGAHERTZ: usize = 52;
    pub(in super::super) const POINTERS: usize = 56;
    pub(in super::super) const TIME_ZONE: usize = 176;
    /// From the end of the time zone on.
    pub(in super::super) const FREQUENCY: usize = 8;
    pub(in super::super) const START: usize = 16;
    pub(in super::super) const CLOCK: usize = 24;
    pub(in super::super) const BUFFERS_LOST: usize = 28;
}

/// What the time stamps are (`ReservedFlags`).
pub(super) const PERFORMANCE_COUNTER: u32 = 1;
const SYSTEM_TIME: u32 = 2;
const CYCLES: u32 = 3;

impl Head {
    /// Reads the payload of the first record, which was written at this time on the log's clock.
    ///
    /// # Errors
    /// If it is cut short or of an unknown kind.
    pub(super) fn read(payload: Bytes<'_>, ticks: u64) -> Result<Self, Error> {
        let cut = || Error::invalid_input("its header is cut short");
        let field = |at| payload.u32(at).ok_or_else(cut);
        let byte = |at| payload.u8(at).ok_or_else(cut);
        let pointer = match field(at::POINTER_SIZE)? {
            size @ (4 | 8) => size as usize,
            other => {
                let problem = format!("its header says that addresses have {other} bytes");
                return Err(Error::invalid_input(problem));
            }
        };
        let behind = at::POINTERS + 2 * pointer + at::TIME_ZONE;
        let long = |at| payload.u64(behind + at).ok_or_else(cut);
        Ok(Self {
            windows: (byte(at::MAJOR)?, byte(at::MINOR)?, field(at::BUILD)?),
            processors: field(at::PROCESSORS)?,
            is_wide: pointer == 8,
            timer_resolution: field(at::TIMER_RESOLUTION)?,
            buffers_written: field(at::BUFFERS_WRITTEN)?,
            events_lost: field(at::EVENTS_LOST)?,
            buffers_lost: field(behind + at::BUFFERS_LOST)?,
            start_time: long(at::START)?,
            clock: Clock {
                start: ticks,
                per_second: match field(behind + at::CLOCK)? {
                    PERFORMANCE_COUNTER => long(at::FREQUENCY)?,
                    SYSTEM_TIME => UNITS_PER_SECOND,
                    CYCLES => u64::from(field(at::CPU_MEGAHERTZ)?) * 1_000_000,
                    other => {
                        let problem = format!("its header says that its clock is of kind {other}");
                        return Err(Error::invalid_input(problem));
                    }
                },
            },
        })
    }
}

impl Clock {
    /// Nanoseconds since the recording began; zero for what was logged before.
    pub(super) fn nanos(self, ticks: u64) -> u64 {
        let since = u128::from(ticks.saturating_sub(self.start));
        let nanos = since * NANOS_PER_SECOND / u128::from(self.per_second.max(1));
        u64::try_from(nanos).map_or(LATEST_NS, |nanos| nanos.min(LATEST_NS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_become_nanoseconds_since_the_beginning() {
        let clock = Clock {
            start: 100,
            per_second: 10_000_000,
        };
        assert_eq!(clock.nanos(100), 0);
        assert_eq!(clock.nanos(101), 100);
        assert_eq!(clock.nanos(0), 0);
        let odd = Clock {
            start: 0,
            per_second: 2_109_960,
        };
        assert_eq!(odd.nanos(2_109_960), 1_000_000_000);
        assert_eq!(odd.nanos(u64::MAX), LATEST_NS);
    }
}
