//! What a child process is told to do: the argument of the hidden subcommand.

use crate::conditions::{Load, Throttling};
use punctual::Error;
use punctual_data::written;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

/// The work of one child process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Part {
    /// One process of a load.
    Load(Load),
    /// `requester:NANOSECONDS` or `requester:NANOSECONDS:honour`: requests a timer interval.
    Requester {
        #[serde(with = "written::nanos")]
        interval: Duration,
        throttling: Option<Throttling>,
    },
    /// `sleepers:THREADS:NUMBER`: threads of another program, and the number of the companion.
    Sleepers { threads: NonZeroUsize, number: u32 },
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

impl FromStr for Part {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        serde_json::from_str(text).map_err(|_| {
            Error::invalid_input(format!(
                "{text:?} does not name the work of a child process"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let parts = [
            Part::Load(Load::Command("requester:1".to_owned())),
            Part::Requester {
                interval: Duration::from_micros(500),
                throttling: None,
            },
            Part::Requester {
                interval: Duration::from_micros(500),
                throttling: Some(Throttling::Ignore),
            },
            Part::Sleepers {
                threads: NonZeroUsize::MIN,
                number: 7,
            },
        ];
        for part in parts {
            assert_eq!(part.to_string().parse::<Part>().unwrap(), part);
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        for text in [
            r#"{"load":"fast"}"#,
            r#"{"requester":{"interval":"1ms","throttling":null}}"#,
            r#"{"requester":{"interval":1,"throttling":"hidden"}}"#,
            r#"{"sleepers":{"threads":0,"number":1}}"#,
            r#"{"sleepers":{"threads":1}}"#,
            "sleepers",
            "",
        ] {
            assert!(
                text.parse::<Part>().unwrap_err().is_invalid_input(),
                "{text}"
            );
        }
    }
}
