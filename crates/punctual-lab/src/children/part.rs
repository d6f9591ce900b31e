//! What a child process is told to do: the argument of the hidden subcommand.

use crate::conditions::{Load, Throttling};
use punctual::Error;
use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

/// The work of one child process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// One process of a load.
    Load(Load),
    /// `requester:NANOSECONDS` or `requester:NANOSECONDS:honour`: requests a timer interval.
    Requester {
        interval: Duration,
        throttling: Option<Throttling>,
    },
    /// `sleepers:THREADS:NUMBER`: threads of another program, and the number of the companion.
    Sleepers { threads: NonZeroUsize, number: u32 },
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(load) => write!(f, "{load}"),
            Self::Requester {
                interval,
                throttling,
            } => {
                write!(f, "requester:{}", interval.as_nanos())?;
                throttling.map_or(Ok(()), |throttling| write!(f, ":{throttling}"))
            }
            Self::Sleepers { threads, number } => write!(f, "sleepers:{threads}:{number}"),
        }
    }
}

impl FromStr for Part {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut words = text.splitn(3, ':');
        let words = [words.next(), words.next(), words.next()];
        let companion = match words {
            [Some("requester"), Some(nanos), throttling] => requester(nanos, throttling),
            [Some("sleepers"), Some(threads), Some(number)] => sleepers(threads, number),
            _ => return text.parse().map(Self::Load),
        };
        companion.ok_or_else(|| {
            Error::invalid_input(format!(
                "{text:?} does not name the work of a child process"
            ))
        })
    }
}

fn requester(nanos: &str, throttling: Option<&str>) -> Option<Part> {
    let interval = Duration::from_nanos(nanos.parse().ok()?);
    let throttling = throttling.map(str::parse).transpose().ok()?;
    Some(Part::Requester {
        interval,
        throttling,
    })
}

fn sleepers(threads: &str, number: &str) -> Option<Part> {
    let (threads, number) = (threads.parse().ok()?, number.parse().ok()?);
    Some(Part::Sleepers { threads, number })
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
            "requester:",
            "requester:1ms",
            "requester:1:hidden",
            "sleepers:0:1",
            "sleepers:1:",
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
