//! What a persona remembers between two events.

/// The state of a program: one thread that waits, and its runtime's requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct State {
    pub(super) stage: Stage,
    /// What the program asked for, as its entry takes it.
    pub(super) asked_ns: u64,
    /// When the wait is due on the persona's clock, or its schedule.
    pub(super) due_ns: u64,
    /// When the wait is over by the persona's arithmetic: due, or rounded.
    pub(super) end_ns: u64,
    /// What was left when the clock was last looked at.
    pub(super) left_ns: u64,
    /// How often this wait has been asked for.
    pub(super) round: u32,
    /// Whether the runtime's request for a timer interval is in force.
    pub(super) is_held: bool,
    /// Whether this Windows has refused a high-resolution timer.
    pub(super) is_refused: bool,
    /// Of a wait that probes: the longest probe, when the last one ended, and whether all are over.
    pub(super) longest_ns: u64,
    pub(super) probed_ns: u64,
    pub(super) is_probed: bool,
}

/// What the last thing asked was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// Nothing: the program does something else.
    #[default]
    Idle,
    /// What is done at the start of the program.
    Starting,
    /// A change of the request before a wait.
    Preparing,
    /// A wait.
    Waiting,
    /// The end of a request between two rounds.
    Between,
    /// A spin.
    Spinning,
    /// A change of the request after a wait.
    Leaving,
}
