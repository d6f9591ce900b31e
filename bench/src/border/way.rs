//! What is asked of each language.

use std::time::Duration;

/// A way of waiting that every language has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// A sleeper as it ships.
    Sleeper,
    /// A sleeper with a fixed margin, which nearly always spins: the end of a spin varies least.
    Margin,
    /// A ticker as it ships.
    Ticker,
}

/// Long enough to be in time nearly always, here and on machines that wake later.
pub const MARGIN: Duration = Duration::from_micros(150);

impl Way {
    pub const ALL: [Self; 3] = [Self::Sleeper, Self::Margin, Self::Ticker];

    pub fn name(self) -> &'static str {
        match self {
            Self::Sleeper => "sleeper",
            Self::Margin => "sleeper, margin of 150 µs",
            Self::Ticker => "ticker",
        }
    }
}
