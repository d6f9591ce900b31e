//! What a faulty machine has done, and was asked to do.

/// The kinds of [`Faults`](super::Faults).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// A wait ended for no reason.
    EarlyEnd,
    /// A wait ended because an earlier one had been ended by a bell.
    RepeatedWake,
    /// A timer was late.
    LateTimer,
    /// A thread woke late from a bell.
    LateBell,
    /// A wait did not report the bell that ended it.
    UnsaidBell,
    /// A call took long.
    SlowCall,
    /// A thread was not started.
    RefusedThread,
    /// A reading of the clock was cut off.
    CoarseReading,
    /// The clock stood still.
    ClockStall,
    /// The clock jumped.
    ClockJump,
}

impl FaultKind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::EarlyEnd,
        Self::RepeatedWake,
        Self::LateTimer,
        Self::LateBell,
        Self::UnsaidBell,
        Self::SlowCall,
        Self::RefusedThread,
        Self::CoarseReading,
        Self::ClockStall,
        Self::ClockJump,
    ];
}

/// How often each fault came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FaultCounts([u64; FaultKind::ALL.len()]);

impl FaultCounts {
    /// How often this one came.
    pub fn of(&self, kind: FaultKind) -> u64 {
        self.0[kind as usize]
    }

    pub(super) fn add(&mut self, kind: FaultKind, times: u64) {
        self.0[kind as usize] += times;
    }
}

/// The calls that a thread has made, to bound the work of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Calls {
    /// Readings of the clock. A spin counts as one.
    pub readings: u64,
    /// Waits of the system.
    pub waits: u64,
    /// Those that ended before their instants and did not report a bell. A program must wait once more for
    /// each of them, and for no other reason.
    pub early_ends: u64,
}

impl Calls {
    /// Those that were made since an earlier moment.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            readings: self.readings - earlier.readings,
            waits: self.waits - earlier.waits,
            early_ends: self.early_ends - earlier.early_ends,
        }
    }
}
