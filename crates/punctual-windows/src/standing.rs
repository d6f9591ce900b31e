//! What decides on Windows 11 whether a process's requests for a timer interval count (C7).

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

/// How a process stands with Windows: whether anybody sees or hears it, and what it has told Windows to
/// do with its requests. As text it is words between commas: `hidden,honour`.
///
/// Windows 11 does not honour the requests of a process that is hidden, unless the process has told it
/// to. Other versions do not care.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "std", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "std", serde(default))]
pub struct Standing {
    /// Whether its windows are hidden, covered or minimised, and it makes no sound.
    pub hidden: bool,
    /// What it has told Windows; `None` if it leaves that to Windows.
    pub throttling: Option<Throttling>,
}

/// What a process tells Windows to do with its requests, by `SetProcessInformation` with
/// `IGNORE_TIMER_RESOLUTION`. Versions before Windows 11 do not know it and refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "std", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "std", serde(rename_all = "snake_case"))]
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
}

impl Throttling {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Honour, Self::Ignore];

    /// `PROCESS_POWER_THROTTLING_IGNORE_TIMER_RESOLUTION`, from `processthreadsapi.h`.
    pub const IGNORE_TIMER_RESOLUTION: u32 = 0x4;

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Honour => "honour",
            Self::Ignore => "ignore",
        }
    }

    /// What the two masks of `PROCESS_POWER_THROTTLING_STATE` say.
    ///
    /// The flag in the control mask alone means *honour my requests*. Public code that sets it in
    /// both, to opt out of throttling, asks to have its requests ignored.
    pub const fn from_masks(control: u32, state: u32) -> Option<Self> {
        if control & Self::IGNORE_TIMER_RESOLUTION == 0 {
            None
        } else if state & Self::IGNORE_TIMER_RESOLUTION == 0 {
            Some(Self::Honour)
        } else {
            Some(Self::Ignore)
        }
    }
}

impl FromStr for Throttling {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|word| word.name() == text);
        named.ok_or_else(|| format!("'{text}' is nothing to tell Windows; write honour or ignore"))
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
    type Err = String;

    /// Reads words between commas. `minimised` is another word for `hidden`, and `opted-out` for
    /// `honour`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut standing = Self::default();
        for word in text.split(',').map(str::trim) {
            let is_new = match word {
                "hidden" | "minimised" => !core::mem::replace(&mut standing.hidden, true),
                "opted-out" => standing.throttling.replace(Throttling::Honour).is_none(),
                _ => {
                    let said = word.parse().map_err(|_| unknown(word))?;
                    standing.throttling.replace(said).is_none()
                }
            };
            if !is_new {
                return Err(format!(
                    "'{word}' says the same again, or the opposite; say it once"
                ));
            }
        }
        Ok(standing)
    }
}

fn unknown(word: &str) -> String {
    format!(
        "'{word}' says nothing about a requester; write hidden, honour (it has opted out) or ignore"
    )
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
            assert!(refused.contains("once"), "{text}: {refused}");
        }
        for text in ["", "visible", "hidden,"] {
            let refused = text.parse::<Standing>().unwrap_err();
            assert!(refused.contains("write hidden"), "{text}");
        }
    }
}
