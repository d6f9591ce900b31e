//! Everyone who is compared: one file each.

mod asynchronous;
mod cyclictest;
mod go;
mod punctual;
mod pure_spin;
mod spin_sleep;
mod standard;
mod tokio;
pub mod unspun;

use super::grid::{Block, Outcome};
use crate::failure::Failure;
use crate::go::Program;
use std::time::Duration;

pub use self::punctual::Punctual;
pub use go::PROGRAM as GO_PROGRAM;
pub use spin_sleep::{Call, SpinSleep};
pub use unspun::Unspun;

/// A way of waiting that keeps what it has learned from block to block.
pub trait Contender {
    fn name(&self) -> String;

    /// Waits for each deadline of a block.
    fn wait(&mut self, block: Block) -> Result<Outcome, Failure>;
}

/// A contender that takes part, or one that cannot and why.
pub enum Entry {
    Present(Box<dyn Contender>),
    Absent { name: String, reason: String },
}

impl Entry {
    fn new(contender: impl Contender + 'static) -> Self {
        Self::Present(Box::new(contender))
    }
}

/// What Linux gives a thread that asks for nothing. Set for every contender that does not say
/// otherwise, so that figures do not depend on the slack that this process was started with.
pub const DEFAULT_SLACK: Duration = Duration::from_micros(50);

/// The least that can be asked for; zero would mean the default.
pub const LEAST_SLACK: Duration = Duration::from_nanos(1);

pub const PUNCTUAL: &str = "punctual";
pub const OWN_START: &str = "punctual, own start";
pub const SLICE_AS_FOUND: &str = "punctual, slice as found";
pub const COARSE: &str = "punctual, coarse";
pub const PURE_SPIN: &str = "pure spin";
pub const NO_SPIN: &str = "no spin, slack 1 ns";

/// The names of everyone, whether they can take part or not.
pub const NAMES: [&str; 15] = [
    PUNCTUAL,
    OWN_START,
    SLICE_AS_FOUND,
    COARSE,
    "spin_sleep, slack 50 µs",
    "spin_sleep, slack 1 ns",
    "SpinSleeper, slack 50 µs",
    "SpinSleeper, slack 1 ns",
    "std::thread::sleep",
    "tokio",
    "async-io",
    "Go, time.Ticker",
    "cyclictest",
    NO_SPIN,
    PURE_SPIN,
];

/// Everyone, in the order of the table.
pub fn everyone(go: &Program) -> Vec<Entry> {
    vec![
        Entry::new(Punctual::default()),
        Entry::new(Punctual::with_own_start()),
        Entry::new(Punctual::with_slice_as_found()),
        Entry::new(Punctual::coarse()),
        Entry::new(SpinSleep::new(Call::Sleep, DEFAULT_SLACK)),
        Entry::new(SpinSleep::new(Call::Sleep, LEAST_SLACK)),
        Entry::new(SpinSleep::new(Call::SleepUntil, DEFAULT_SLACK)),
        Entry::new(SpinSleep::new(Call::SleepUntil, LEAST_SLACK)),
        Entry::new(standard::ThreadSleep),
        tokio::enter(),
        Entry::new(asynchronous::AsyncIo),
        go::enter(go),
        cyclictest::enter(),
        Entry::new(Unspun),
        Entry::new(pure_spin::PureSpin),
    ]
}

/// A slack as names carry it.
fn slack_name(slack: Duration) -> String {
    if slack.as_micros() > 0 {
        format!("slack {} µs", slack.as_micros())
    } else {
        format!("slack {} ns", slack.as_nanos())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_can_be_asked_for_by_name() {
        let everyone = everyone(&Program::absent("not built")).into_iter();
        let names = everyone.map(|entry| match entry {
            Entry::Present(contender) => contender.name(),
            Entry::Absent { name, .. } => name,
        });
        assert_eq!(names.collect::<Vec<_>>(), NAMES);
    }
}
