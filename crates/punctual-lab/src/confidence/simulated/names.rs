//! Which call stands behind the name of a method, a way or a call.

use punctual_windows::Rules;
use punctual_windows::choices::HighResolution;
use punctual_windows::confidence::Call;
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

/// The call, whether it fires again and again, and whether its waits keep a schedule.
type Row = (&'static str, Call, bool, bool);

const ROWS: [Row; 33] = [
    ("sleep", Call::Ordinary, false, false),
    ("wait", Call::Ordinary, false, false),
    ("wait-object", Call::Ordinary, false, false),
    ("nt-delay", Call::Ordinary, false, false),
    ("sleep-spin", Call::Ordinary, false, true),
    ("feedback", Call::Ordinary, false, true),
    ("waitable", Call::Waitable, false, false),
    ("waitable-due", Call::Waitable, false, false),
    ("waitable-early", Call::Waitable, false, false),
    ("waitable-abs", Call::Waitable, false, true),
    ("waitable-cycle", Call::Waitable, true, true),
    ("high-resolution", Call::HighResolution, false, false),
    ("high-res", Call::HighResolution, false, false),
    ("high-res-due", Call::HighResolution, false, false),
    ("high-res-early", Call::HighResolution, false, false),
    ("high-res-abs", Call::HighResolution, false, true),
    ("high-res-cycle", Call::HighResolution, true, true),
    ("high-res-mmcss", Call::HighResolution, false, false),
    ("timer-queue", Call::TimerQueue, true, true),
    ("queue-once", Call::TimerQueue, false, false),
    ("timer-queue-once", Call::TimerQueue, false, false),
    ("pool-timer", Call::Pool, true, true),
    ("pool-once", Call::Pool, false, false),
    ("pool-timer-once", Call::Pool, false, false),
    ("time-set-event", Call::Multimedia, true, true),
    ("set-timer", Call::Message, true, true),
    ("std-sleep", Call::Ordinary, false, false),
    ("punctual-coarse", Call::HighResolution, false, true),
    ("punctual", Call::HighResolution, false, true),
    ("punctual-exact", Call::HighResolution, false, true),
    ("ticker", Call::HighResolution, false, true),
    ("ticker-coarse", Call::HighResolution, false, true),
    ("spin", Call::Clock, false, true),
];

/// What Punctual requests where there are no high-resolution timers.
const REQUEST: Duration = Duration::from_millis(1);

impl Named {
    /// On a version with these rules.
    pub(super) fn of(name: &str, rules: &Rules) -> Option<Self> {
        let (name, call, is_periodic, keeps_schedule) =
            ROWS.into_iter().find(|(known, ..)| *known == name)?;
        let ours = name.starts_with("punctual") || name.starts_with("ticker");
        let falls_back = ours && rules.high_resolution == HighResolution::Absent;
        Some(Self {
            call: if falls_back { Call::Ordinary } else { call },
            is_periodic,
            keeps_schedule,
            request: falls_back.then_some(REQUEST),
        })
    }
}
