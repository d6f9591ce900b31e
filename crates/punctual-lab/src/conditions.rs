//! What else happens during a measurement, as data: the load, the companions, and the standing of
//! the waiting process, and the priority and the slice of its thread.

mod companion;
mod load;
pub(crate) mod standing;

pub use companion::{Companion, MOST_WORK, SLEEP_MILLIS};
pub use load::Load;
pub use punctual_windows::{Standing, Throttling};

use punctual::{Error, os};
use punctual_data::quantity::{parse_duration, write_duration};
use punctual_data::{as_text, named};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

// The priority of the waiting thread, as a question holds it.

/// The priority of the waiting thread. Written as `normal`, `high` or `realtime`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Priority {
    /// Unchanged.
    #[default]
    Normal,
    /// [`punctual::Priority::High`].
    High,
    /// [`punctual::Priority::Realtime`].
    Realtime,
}

impl Priority {
    /// All priorities.
    pub const ALL: [Self; 3] = [Self::Normal, Self::High, Self::Realtime];

    /// What the thread is raised to; `None` if it is not raised.
    pub fn raised(self) -> Option<punctual::Priority> {
        match self {
            Self::Normal => None,
            Self::High => Some(punctual::Priority::High),
            Self::Realtime => Some(punctual::Priority::Realtime),
        }
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::High => "high",
            Self::Realtime => "realtime",
        }
    }
}

named!(Priority, "priority");

// The slice of the waiting thread, as a question holds it.

/// The slice of the waiting thread: how long it may compute before the system looks whose turn it is.
/// Written as `default` or as a duration.
///
/// ```
/// use punctual_lab::conditions::Slice;
/// use std::time::Duration;
///
/// let slice: Slice = "0.1ms".parse()?;
/// assert_eq!(slice, Slice::Of(Duration::from_micros(100)));
/// assert_eq!(slice.to_string(), "100us");
/// assert!("1s".parse::<Slice>().is_err());
/// # Ok::<(), punctual::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Slice {
    /// As it is: that of the system, unless the user has set one.
    Default,
    /// This long.
    Of(Duration),
}

/// The word for a slice that is not changed.
const DEFAULT: &str = "default";

impl Slice {
    /// The most slices of one question: two are compared.
    pub const MOST: usize = 2;

    /// What is set; `None` if nothing is.
    pub fn set(self) -> Option<Duration> {
        match self {
            Self::Default => None,
            Self::Of(slice) => Some(slice),
        }
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.pad(DEFAULT),
            Self::Of(slice) => f.pad(&write_duration(*slice)),
        }
    }
}

impl FromStr for Slice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if text == DEFAULT {
            return Ok(Self::Default);
        }
        let slice = parse_duration(text)
            .map_err(|problem| Error::invalid_input(format!("{problem}, or '{DEFAULT}'")))?;
        if (os::Slice::SHORTEST..=os::Slice::LONGEST).contains(&slice) {
            return Ok(Self::Of(slice));
        }
        Err(Error::invalid_input(format!(
            "there is no slice of {}; write one from {} to {}, or '{DEFAULT}'",
            write_duration(slice),
            write_duration(os::Slice::SHORTEST),
            write_duration(os::Slice::LONGEST)
        )))
    }
}

as_text!(Slice);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_system_has_is_refused_with_what_there_is() {
        for wrong in ["", "short", "99us", "100.001ms", "0s", "1"] {
            let problem = wrong.parse::<Slice>().unwrap_err();
            assert!(problem.is_invalid_input(), "{wrong}");
            assert!(
                problem.to_string().contains("default"),
                "{wrong}: {problem}"
            );
        }
        let problem = "1s".parse::<Slice>().unwrap_err().to_string();
        assert!(problem.contains("100us to 100ms"), "{problem}");
    }

    #[test]
    fn what_is_written_is_read_back() {
        for text in ["default", "100us", "1.4ms", "100ms"] {
            assert_eq!(text.parse::<Slice>().unwrap().to_string(), text);
        }
    }
}
