//! Faults of an operating system that programs must survive, drawn from a seed.
//!
//! [`Faulty`] is a machine that puts them between a program and another machine. It keeps every promise of
//! [`Os`](punctual::os::Os), and no more than that: what it does, a real system may do.
//!
//! ```
//! use punctual::{Os, Sleeper};
//! use punctual_sim::faults::{FaultKind, Faults, Faulty};
//! use punctual_sim::{Plain, Setup, simulate};
//! use std::time::Duration;
//!
//! // A hundred machines, each with other faults.
//! let mut early_ends = 0;
//! for seed in 0..100 {
//!     let run = simulate(Setup::swarm(seed), Plain::default(), move |os| {
//!         let os = Faulty::on(os, seed, Faults::swarm(seed));
//!         let mut sleeper = Sleeper::on(os.clone());
//!         for _ in 0..20 {
//!             let deadline = os.now() + Duration::from_millis(1);
//!             assert!(sleeper.sleep_until(deadline).woke >= deadline);
//!         }
//!         os.counts().of(FaultKind::EarlyEnd)
//!     })?;
//!     early_ends += run.value;
//! }
//! assert!(early_ends > 100);
//! # Ok::<(), punctual_sim::Error>(())
//! ```

mod clock;
mod os;
mod state;
mod swarm;

use crate::NoiseSource;
use crate::random::{Random, Spread};
use std::time::Duration;

pub use os::Faulty;

/// How often a fault comes, and how long it lasts. The default is never.
///
/// ```
/// use punctual_sim::faults::Fault;
/// use punctual_sim::random::Spread;
/// use std::time::Duration;
///
/// // One call of a hundred takes 1 ms longer.
/// let slow = Fault::one_in(100, Spread::exactly(Duration::from_millis(1)));
/// assert_ne!(slow, Fault::NEVER);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fault {
    /// Zero: never.
    one_in: u64,
    size: Spread,
}

impl Fault {
    /// A fault that never comes.
    pub const NEVER: Self = Self {
        one_in: 0,
        size: Spread::NONE,
    };

    /// A fault that comes at one of so many opportunities, on average. Zero is never, one is always.
    pub fn one_in(opportunities: u64, size: Spread) -> Self {
        Self {
            one_in: opportunities,
            size,
        }
    }

    /// Its size in nanoseconds, if it comes at this opportunity.
    fn draw(&self, random: &mut Random) -> Option<u64> {
        if self.one_in == 0 || random.between(1, self.one_in) != 1 {
            return None;
        }
        Some(self.size.draw_nanos(random))
    }
}

/// The faults of a [`Faulty`] machine. By default it has none.
///
/// Time that is stolen from threads is no fault of this kind, but [`Setup::noise`](crate::Setup::noise)
/// and [`Setup::loads`](crate::Setup::loads) of the machine below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Faults {
    /// A wait ends, for no reason, so long after it began, like a spurious wake-up of a futex or a wait
    /// that a signal ends.
    pub early_ends: Fault,
    /// A bell that ended a wait of a thread wakes the same thread once more, so long after it waits again.
    /// The bell itself is not rung again.
    pub repeated_wakes: Fault,
    /// The system's timer ends a wait so much later.
    pub late_timers: Fault,
    /// A thread wakes so long after a bell that it waits for was rung.
    pub late_bells: Fault,
    /// A wait that a bell ended reports that it was ended by time. The size means nothing.
    pub unsaid_bells: Fault,
    /// A call takes so much longer. It may do so before it has its effect, or after.
    pub slow_calls: Fault,
    /// A thread cannot be started. The size means nothing.
    pub refused_threads: Fault,
    /// The clock shows only multiples of this. Zero: every nanosecond.
    pub clock_grain: Duration,
    /// The clock stands still, and then shows the right time again.
    pub clock_stalls: Option<NoiseSource>,
    /// The clock jumps ahead, as if the machine had been suspended. The lengths are those of the jumps.
    pub clock_jumps: Option<NoiseSource>,
}

/// The kinds of [`Faults`].
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

    fn add(&mut self, kind: FaultKind, times: u64) {
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
