//! What of a program is explained.

use punctual::Period;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

use crate::event::ThreadId;

/// What of a program to explain. The default: the waits that timers ended, each from its own deadline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// The time between the program's deadlines, if it is periodic.
    #[serde(with = "fraction", default)]
    pub period: Option<Period>,
    /// Whether waits are explained that no timer ended.
    pub wakeups: bool,
    /// Whether frames are explained instead of waits. They need a period.
    pub frames: bool,
}

/// What of a periodic program was not explained.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// The threads with waits or frames that lie on no grid of the period. The lateness of such waits is
    /// counted as without a period, and such frames are left out.
    pub off_grid: BTreeSet<ThreadId>,
    /// How many waits or frames were left out, because another one belonged to the same deadline.
    pub others: u64,
    /// How many deadlines had no frame. The next frame is counted from the first of them.
    pub missed: u64,
}

/// A period as a fraction of nanoseconds.
mod fraction {
    use punctual::Period;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        period: &Option<Period>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        period.map(Period::to_nanos_fraction).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Period>, D::Error> {
        let fraction = Option::<(u64, u64)>::deserialize(from)?;
        let period = fraction.map(|(nanos, parts)| Period::try_from_nanos_fraction(nanos, parts));
        period.transpose().map_err(D::Error::custom)
    }
}
