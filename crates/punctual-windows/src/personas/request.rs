//! A runtime's request for a timer interval, and how long it holds it.

use super::amount::NANOS_PER_MILLISECOND;
use serde::Deserialize;

/// A request through `timeBeginPeriod`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Request {
    pub(super) milliseconds: u32,
    held: Held,
    /// The longest wait during which it is held, in milliseconds.
    at_most: Option<u64>,
    /// Whether waits of 10, 20, 30… ms do without.
    #[serde(default)]
    unless_tens: bool,
    /// Whether it is made anew for each round of a wait.
    #[serde(default)]
    pub(super) each_round: bool,
    /// Whether it is made only where there are no high-resolution timers.
    #[serde(default)]
    pub(super) only_without_timer: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Held {
    /// From the start of the program to its end, except during waits that are too long.
    Always,
    /// From just before each wait to just after it.
    DuringWaits,
}

impl Request {
    /// Whether it is in force during a wait of this length.
    pub(super) fn is_held_during(self, nanos: u64) -> bool {
        let is_short = |most| nanos <= most * NANOS_PER_MILLISECOND;
        let is_ten = nanos.div_ceil(NANOS_PER_MILLISECOND).is_multiple_of(10);
        self.at_most.is_none_or(is_short) && !(self.unless_tens && is_ten)
    }

    /// Whether it is in force between waits.
    pub(super) fn is_held_between(self) -> bool {
        self.held == Held::Always
    }

    pub(super) fn words(self) -> String {
        let held = match self.held {
            Held::Always => "always",
            Held::DuringWaits => "during waits",
        };
        let mut words = format!("{} ms {held}", self.milliseconds);
        if let Some(most) = self.at_most {
            words += &format!(" of at most {most} ms");
        }
        if self.unless_tens {
            words += " except of 10, 20, 30… ms";
        }
        if self.only_without_timer {
            words += ", where there are no high-resolution timers";
        }
        words
    }
}
