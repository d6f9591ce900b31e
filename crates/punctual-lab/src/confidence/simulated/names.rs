//! Which call stands behind the name of a method, a way or a call.

use crate::machine::Keeping;
use crate::pace;
use punctual_windows::Rules;
use punctual_windows::choices::HighResolution;
use punctual_windows::confidence::Call;
use punctual_windows::mechanisms::{Ends, Mechanism};
use std::time::Duration;

/// What a name stands for, as far as confidence goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    pub(super) call: Call,
    pub(super) is_periodic: bool,
    /// Whether its waits end at times of a schedule, so that they may begin at any moment.
    pub(super) keeps_schedule: bool,
    /// The request that it makes itself.
    pub(super) request: Option<Duration>,
}

/// Loops that keep a schedule by more than one call, and what they wait with.
const LOOPS: [(&str, Call); 2] = [("feedback", Call::Ordinary), ("spin", Call::Clock)];

/// What Punctual requests where there are no high-resolution timers.
const REQUEST: Duration = Duration::from_millis(1);

impl Named {
    /// On a version with these rules.
    pub(super) fn of(name: &str, rules: &Rules) -> Option<Self> {
        if let Some((mechanism, keeping)) = pace::windows::by_method(name) {
            let keeps_schedule = !matches!(keeping, Keeping::Remainder { .. });
            return Some(Self::by(mechanism, keeps_schedule));
        }
        if let Some(mechanism) = Mechanism::named(name) {
            return Some(Self::by(mechanism, mechanism.ends != Ends::After));
        }
        if name.starts_with("punctual") || name.starts_with("ticker") {
            return Some(match rules.high_resolution {
                HighResolution::Present => Self::a_loop(Call::HighResolution, None),
                HighResolution::Absent => Self::a_loop(Call::Ordinary, Some(REQUEST)),
            });
        }
        let (_, call) = LOOPS.into_iter().find(|(known, _)| *known == name)?;
        Some(Self::a_loop(call, None))
    }

    fn by(mechanism: Mechanism, keeps_schedule: bool) -> Self {
        Self {
            call: mechanism.call,
            is_periodic: mechanism.ends == Ends::Periodically,
            keeps_schedule,
            request: None,
        }
    }

    fn a_loop(call: Call, request: Option<Duration>) -> Self {
        Self {
            call,
            is_periodic: false,
            keeps_schedule: true,
            request,
        }
    }
}
