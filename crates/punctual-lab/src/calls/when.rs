//! When each call begins.

use punctual::Error;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

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

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for When {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|when| when.name() == text);
        found.ok_or_else(|| {
            let words = Self::ALL.map(Self::name).join(", ");
            Error::invalid_input(format!("'{text}' is no such moment; write one of {words}"))
        })
    }
}

impl TryFrom<String> for When {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<When> for String {
    fn from(when: When) -> Self {
        when.to_string()
    }
}
