//! What a persona remembers between two events.

/// The state of a program: one thread that waits, and its runtime's requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct State {
    pub(super) stage: Stage,
    /// When the wait is over, on the persona's clock.
    pub(super) end_ns: u64,
    /// What the program asked for.
    pub(super) asked_ns: u64,
    /// How often this wait has been asked for.
    pub(super) round: u32,
    /// The request that is held, in milliseconds; 0 for none.
    pub(super) held_ms: u32,
    /// Whether this Windows has refused a high-resolution timer.
    pub(super) is_refused: bool,
}

/// What the last thing asked was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// Nothing: the program does something else.
    #[default]
    Idle,
    /// A request that outlives the wait.
    Starting,
    /// A request for the wait that comes now.
    Requesting,
    /// A wait.
    Waiting,
    /// A spin.
    Spinning,
    /// The end of a request.
    Releasing,
}
