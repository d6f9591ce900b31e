//! Calls that wait, and lengths in their units.

use super::step::Wait;
use crate::NANOS_PER_UNIT;
use serde::Deserialize;

pub(super) const NANOS_PER_MILLISECOND: u64 = 1_000_000;
const NANOS_PER_MICROSECOND: u64 = 1_000;

/// A Windows call that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Call {
    Ordinary,
    Port,
    Waitable,
    /// With a tolerable delay of 5 %, and at least 32 ms, on a length in milliseconds.
    WaitableTolerant,
    HighResolution,
    HighResolutionOrPort,
    TimeSetEvent,
    Pool,
    Message,
    Queue,
    Select,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Rounding {
    #[default]
    Up,
    Down,
}

/// A call, and how a length becomes its argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Amount {
    pub(super) call: Call,
    #[serde(default)]
    pub(super) rounding: Rounding,
    /// The least argument, in the call's unit.
    #[serde(default)]
    pub(super) least: u64,
    /// Whether a timer counts whole microseconds rather than units of 100 ns.
    #[serde(default)]
    pub(super) in_microseconds: bool,
    /// Whether one timer is set again and again.
    #[serde(default)]
    pub(super) keeps_timer: bool,
}

impl Rounding {
    pub(super) fn divide(self, nanos: u64, unit: u64) -> u64 {
        match self {
            Self::Up => nanos.div_ceil(unit),
            Self::Down => nanos / unit,
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
        }
    }
}

impl Amount {
    /// The same, rounded in this way.
    pub(super) fn rounded(self, rounding: Rounding) -> Self {
        Self { rounding, ..self }
    }

    /// The wait of this length.
    pub(super) fn wait(self, nanos: u64) -> Wait {
        let in_milliseconds = || self.milliseconds(nanos);
        let is_new = !self.keeps_timer;
        match self.call {
            Call::Ordinary => Wait::Ordinary {
                milliseconds: in_milliseconds(),
            },
            Call::Port => Wait::Port {
                milliseconds: in_milliseconds(),
            },
            Call::Message => Wait::Message {
                milliseconds: in_milliseconds(),
            },
            Call::Queue => Wait::Queue {
                milliseconds: in_milliseconds(),
            },
            Call::TimeSetEvent => Wait::TimeSetEvent {
                milliseconds: in_milliseconds(),
                resolution_ms: 1,
                is_periodic: true,
            },
            Call::Waitable => Wait::Waitable {
                units: self.units(nanos),
                is_new,
                tolerable_delay_ms: 0,
            },
            Call::WaitableTolerant => tolerant(in_milliseconds()),
            Call::HighResolution => Wait::HighResolution {
                units: self.units(nanos),
                is_new,
            },
            Call::HighResolutionOrPort => Wait::HighResolutionOrPort {
                units: self.units(nanos),
                // The port's timeout is the one that Go gives it.
                milliseconds: milliseconds((nanos / NANOS_PER_MILLISECOND).max(1)),
            },
            Call::Pool => Wait::Pool {
                units: self.units(nanos),
            },
            Call::Select => Wait::Select {
                microseconds: self.amount(nanos, NANOS_PER_MICROSECOND),
            },
        }
    }

    /// Whether the wait of this length is none: the thread gives up its turn.
    pub(super) fn is_none(self, nanos: u64) -> bool {
        matches!(self.call, Call::Ordinary | Call::Port) && self.milliseconds(nanos) == 0
    }

    fn milliseconds(self, nanos: u64) -> u32 {
        milliseconds(self.amount(nanos, NANOS_PER_MILLISECOND))
    }

    fn units(self, nanos: u64) -> u64 {
        match self.in_microseconds {
            true => self.amount(nanos, NANOS_PER_MICROSECOND) * 10,
            false => self.amount(nanos, NANOS_PER_UNIT),
        }
    }

    fn amount(self, nanos: u64, unit: u64) -> u64 {
        self.rounding.divide(nanos, unit).max(self.least)
    }
}

/// A timeout that is not for ever.
fn milliseconds(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX).min(u32::MAX - 1)
}

/// What Boost.Thread asks for.
fn tolerant(milliseconds: u32) -> Wait {
    const UNITS_PER_MILLISECOND: u64 = 10_000;
    const LEAST_DELAY_MS: u32 = 32;
    Wait::Waitable {
        units: u64::from(milliseconds) * UNITS_PER_MILLISECOND,
        is_new: true,
        tolerable_delay_ms: (milliseconds / 20).max(LEAST_DELAY_MS),
    }
}

impl Call {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Ordinary => "Sleep or a wait",
            Self::Port => "completion port",
            Self::Waitable => "waitable timer",
            Self::WaitableTolerant => "waitable timer, tolerant",
            Self::HighResolution => "high-resolution timer",
            Self::HighResolutionOrPort => "high-resolution timer or port",
            Self::TimeSetEvent => "timeSetEvent",
            Self::Pool => "thread-pool timer",
            Self::Message => "SetTimer",
            Self::Queue => "timer-queue timer",
            Self::Select => "select",
        }
    }
}
