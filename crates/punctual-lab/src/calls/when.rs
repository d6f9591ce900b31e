//! How long waits last, and when each begins.

use punctual_data::{as_text, named, written};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Waits of given lengths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lengths {
    /// How long they wait, each length once.
    #[serde(rename = "lengths_ns", with = "written::many_nanos")]
    pub lengths: Vec<Duration>,
    /// When each wait begins.
    pub at: When,
    /// How many times each waiter waits for each length, without the warm-up.
    pub count: u64,
    /// How long the thread computes before each wait.
    #[serde(rename = "work_ns", with = "written::nanos")]
    pub work: Duration,
}

impl Lengths {
    /// How often each wait is made unless the question says otherwise: a share of one per cent then is ten.
    pub const COUNT: u64 = 1_000;

    /// In a tight loop, as often as usual.
    pub fn of(lengths: Vec<Duration>) -> Self {
        Self {
            lengths,
            at: When::default(),
            count: Self::COUNT,
            work: Duration::ZERO,
        }
    }
}

/// When each call begins. Written as a word.
///
/// ```
/// use punctual_lab::calls::When;
///
/// let when: When = "random".parse()?;
/// assert_eq!(when, When::Random);
/// assert_eq!(When::default().to_string(), "tight");
/// # Ok::<(), punctual::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum When {
    /// When the last call has returned.
    #[default]
    Tight,
    /// After computing for a random time, which is uniform between zero and the machine's
    /// [longest interval](crate::Machine::longest_interval).
    Random,
    /// Just after the machine's timer has [ticked](crate::Machine::await_tick).
    Aligned,
}

impl When {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Tight, Self::Random, Self::Aligned];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tight => "tight",
            Self::Random => "random",
            Self::Aligned => "aligned",
        }
    }
}

named!(When, "moment");

as_text!(When);
