//! The load on a machine during a measurement, as data. [Child processes](crate::children) make it.

use punctual::Error;
use punctual_data::as_text;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

/// The most processes that `cpu:N` allows: more than the processors of any machine on sale, and few
/// enough to keep a machine usable.
const MOST_PROCESSES: usize = 1024;

/// The load on the machine. Written as `cpu:4`.
///
/// ```
/// use punctual_lab::conditions::Load;
///
/// let load: Load = "cpu:4".parse()?;
/// assert_eq!(load.to_string(), "cpu:4");
/// assert!("cpu:0".parse::<Load>().is_err());
/// # Ok::<(), punctual::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Load {
    /// No load.
    #[default]
    None,
    /// `cpu`, `cpu:N`: processes that never give up their processor. The default is one per
    /// processor.
    Cpu {
        /// The number of processes; `None` for one per processor.
        processes: Option<NonZeroUsize>,
    },
    /// `switch`: two threads that wake each other all the time.
    Switch,
    /// `memory`: one process that streams through more memory than the caches hold. There is only
    /// one, so that it competes for memory and not for processors.
    Memory,
    /// `timers`: many threads with short sleeps of varying lengths.
    Timers,
    /// `command:'…'`: a shell command that runs until the load ends.
    Command(String),
}

impl FromStr for Load {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text.split_once(':') {
            None => named(text),
            Some(("cpu", count)) => cpu(count),
            Some(("command", command)) => given_command(command),
            Some(_) => Err(unknown(text)),
        }
    }
}

fn named(text: &str) -> Result<Load, Error> {
    match text {
        "none" => Ok(Load::None),
        "cpu" => Ok(Load::Cpu { processes: None }),
        "switch" => Ok(Load::Switch),
        "memory" => Ok(Load::Memory),
        "timers" => Ok(Load::Timers),
        "command" => given_command(""),
        _ => Err(unknown(text)),
    }
}

fn cpu(count: &str) -> Result<Load, Error> {
    let processes = count
        .parse()
        .ok()
        .filter(|count: &NonZeroUsize| count.get() <= MOST_PROCESSES);
    match processes {
        Some(_) => Ok(Load::Cpu { processes }),
        None => Err(Error::invalid_input(format!(
            "'cpu:{count}' does not give a number of processes: write cpu:N with N from 1 to \
             {MOST_PROCESSES}, or cpu for one per processor"
        ))),
    }
}

fn given_command(command: &str) -> Result<Load, Error> {
    if command.trim().is_empty() {
        return Err(Error::invalid_input(
            "the load command has no command: write one after the colon, as in \
             command:'make -j4'",
        ));
    }
    if command.contains('\0') {
        return Err(Error::invalid_input(
            "the load's command has a zero byte, which no system passes to a program",
        ));
    }
    Ok(Load::Command(command.to_owned()))
}

fn unknown(text: &str) -> Error {
    Error::invalid_input(format!(
        "there is no load {text:?}; write none, cpu, cpu:N, switch, memory, timers or \
         command:'…'"
    ))
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Cpu { processes: None } => f.write_str("cpu"),
            Self::Cpu {
                processes: Some(count),
            } => write!(f, "cpu:{count}"),
            Self::Switch => f.write_str("switch"),
            Self::Memory => f.write_str("memory"),
            Self::Timers => f.write_str("timers"),
            Self::Command(command) => write!(f, "command:{command}"),
        }
    }
}

as_text!(Load);

#[cfg(test)]
mod tests;
