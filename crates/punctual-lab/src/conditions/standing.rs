//! What decides on Windows 11 whether a process's requests for a timer interval count.

use punctual::Error;
use punctual::os::windows::{PowerThrottling, Win32, Win32Error};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How a process stands with Windows: whether anybody sees or hears it, and what it has told Windows to
/// do with its requests.
///
/// Windows 11 does not honour the requests of a process that is hidden, unless the process has told it
/// to. Other versions do not care.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Standing {
    /// Whether its windows are hidden, covered or minimised, and it makes no sound.
    pub hidden: bool,
    /// What it has told Windows; `None` if it leaves that to Windows.
    pub throttling: Option<Throttling>,
}

/// What a process tells Windows to do with its requests, by `SetProcessInformation` with
/// `IGNORE_TIMER_RESOLUTION`. Versions before Windows 11 do not know it and refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Throttling {
    /// To honour them even while the process is hidden: the process opts out of throttling.
    Honour,
    /// To ignore them.
    Ignore,
}

impl Standing {
    /// Whether it is that of a visible process that has told Windows nothing.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// Why no program on a real machine can be hidden.
    pub(crate) fn not_hidden() -> Error {
        Error::unsupported(
            "Windows decides by a program's windows whether it is hidden, and Punctual has none; \
             only a simulated process can be said to be hidden",
        )
    }

    /// Checks that a process on a real machine can have it. `has_interval` says whether the system has a
    /// timer interval that programs can request.
    pub(crate) fn as_process(&self, has_interval: bool) -> Result<(), Error> {
        if !has_interval {
            return Err(Error::unsupported(
                "only Windows 11 has a rule for the requests of hidden processes",
            ));
        }
        match self.hidden {
            true => Err(Self::not_hidden()),
            false => Ok(()),
        }
    }
}

impl Throttling {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Honour, Self::Ignore];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Honour => "honour",
            Self::Ignore => "ignore",
        }
    }

    /// The setting that tells it to Windows and leaves everything else as it was found.
    pub(crate) fn setting(self, found: PowerThrottling) -> PowerThrottling {
        let honouring = found.honouring_requests();
        let state_mask = match self {
            Self::Honour => honouring.state_mask,
            Self::Ignore => honouring.state_mask | PowerThrottling::IGNORE_TIMER_RESOLUTION,
        };
        PowerThrottling {
            state_mask,
            ..honouring
        }
    }

    /// Tells it to Windows, for the calling process.
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) before Windows 11.
    pub(crate) fn tell<W: Win32>(self, win32: &W) -> Result<(), Error> {
        let found = win32.get_process_information().unwrap_or_default();
        let told = win32.set_process_information(self.setting(found));
        told.map_err(|error| match error {
            Win32Error::PROC_NOT_FOUND | Win32Error::INVALID_PARAMETER => {
                Error::unsupported("this Windows does not know it; Windows 11 does")
            }
            error => Error::system(format!("SetProcessInformation failed: {error}")),
        })
    }
}

impl FromStr for Throttling {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let named = Self::ALL.into_iter().find(|word| word.name() == text);
        named.ok_or_else(|| {
            Error::invalid_input(format!(
                "'{text}' is nothing to tell Windows; write honour or ignore"
            ))
        })
    }
}

impl fmt::Display for Throttling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// As words after a companion: `,hidden,honour`. Nothing if it is usual.
impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.hidden {
            f.write_str(",hidden")?;
        }
        let said = self.throttling;
        said.map_or(Ok(()), |throttling| write!(f, ",{throttling}"))
    }
}

impl FromStr for Standing {
    type Err = Error;

    /// Reads words between commas. `minimised` is another word for `hidden`, and `opted-out` for
    /// `honour`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let mut standing = Self::default();
        for word in text.split(',').map(str::trim) {
            let is_new = match word {
                "hidden" | "minimised" => !std::mem::replace(&mut standing.hidden, true),
                "opted-out" => standing.throttling.replace(Throttling::Honour).is_none(),
                _ => {
                    let said = word.parse().map_err(|_| unknown(word))?;
                    standing.throttling.replace(said).is_none()
                }
            };
            if !is_new {
                return Err(Error::invalid_input(format!(
                    "'{word}' says the same again, or the opposite; say it once"
                )));
            }
        }
        Ok(standing)
    }
}

fn unknown(word: &str) -> Error {
    Error::invalid_input(format!(
        "'{word}' says nothing about a requester; write hidden, honour (it has opted out) or ignore"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_written_as_they_are_read() {
        for (text, written) in [
            ("hidden", ",hidden"),
            ("minimised", ",hidden"),
            ("ignore", ",ignore"),
            ("opted-out,hidden", ",hidden,honour"),
        ] {
            let standing: Standing = text.parse().unwrap();
            assert_eq!(standing.to_string(), written);
        }
        assert!(Standing::default().is_usual() && Standing::default().to_string().is_empty());
    }

    #[test]
    fn words_that_contradict_each_other_are_refused() {
        for text in ["hidden,minimised", "honour,ignore", "opted-out,honour"] {
            let refused = text.parse::<Standing>().unwrap_err();
            assert!(refused.to_string().contains("once"), "{text}: {refused}");
        }
        for text in ["", "visible", "hidden,"] {
            let refused = text.parse::<Standing>().unwrap_err();
            assert!(refused.to_string().contains("write hidden"), "{text}");
        }
    }

    #[test]
    fn what_was_found_stays_apart_from_the_one_flag() {
        let found = PowerThrottling {
            control_mask: 1,
            state_mask: 1,
        };
        let masks = |throttling: Throttling| {
            let setting = throttling.setting(found);
            (setting.control_mask, setting.state_mask)
        };
        assert_eq!(masks(Throttling::Honour), (5, 1));
        assert_eq!(masks(Throttling::Ignore), (5, 5));
    }
}
