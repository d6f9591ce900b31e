//! What rules can stand on, and the rules that every version has alike.

/// What a rule of one version stands on, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// It was measured on this version.
    MeasuredHere,
    /// It was measured on another version, whose rule is the same.
    MeasuredElsewhere,
    /// It is documented, and nobody has measured it.
    Documented,
    /// It is inferred: the simplest rule that nothing contradicts.
    Inferred,
    /// One published case measures it on this version, and another contradicts it.
    Disputed,
    /// A published case contradicts it.
    Contradicted,
}

impl Basis {
    /// The words for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::MeasuredHere => "measured",
            Self::MeasuredElsewhere => "measured on another version",
            Self::Documented => "documented",
            Self::Inferred => "inferred",
            Self::Disputed => "disputed",
            Self::Contradicted => "contradicted",
        }
    }
}

/// A rule that every version has alike, so that [`Rules`](crate::Rules) has no choice for
/// it: its name, and what it says.
pub const FIXED: [(&str, &str); 10] = [
    (
        ARBITRATION,
        "the smallest request of all processes decides about the interval",
    ),
    (
        PERIODIC_WAITABLE,
        "a periodic waitable timer keeps a schedule, as a timer queue does",
    ),
    (LAST_TICK, "most clocks stand at the last tick"),
    (TICK_COUNT, "GetTickCount moves by the default interval"),
    (SELECT, "Winsock's select waits like a sleep"),
    (MESSAGE_TIMER, "the tick at which a message timer is due"),
    (TIME_SET_EVENT, "timeSetEvent holds a request of its own"),
    (POOL_TIMER, "a timer of the thread pool waits like a sleep"),
    (
        SCHEDULING,
        "which thread of several gets a processor, and when",
    ),
    (COSTS, "what calls, interrupts and switches of threads cost"),
];

/// C1.
pub(super) const ARBITRATION: &str = "arbitration";
/// C4.
pub(super) const LAST_TICK: &str = "clock-at-tick";
/// C4.
pub(super) const TICK_COUNT: &str = "tick-count";
pub(super) const SELECT: &str = "select";
/// C8.
pub(super) const PERIODIC_WAITABLE: &str = "periodic-waitable";
/// C11.
pub(super) const MESSAGE_TIMER: &str = "message-timer";
/// C12.
pub(super) const TIME_SET_EVENT: &str = "time-set-event";
pub(super) const POOL_TIMER: &str = "pool-timer";
pub(super) const SCHEDULING: &str = "scheduling";
pub(super) const COSTS: &str = "call-cost";
