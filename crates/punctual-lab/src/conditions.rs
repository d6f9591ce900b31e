//! What else happens during a measurement, as data: the load, the companions, and the standing of
//! the waiting process, and the priority and the slice of its thread.

mod companion;

pub use companion::{Companion, MOST_WORK, SLEEP_MILLIS};
pub use punctual_windows::{Standing, Throttling};

use punctual::{Error, os};
use punctual_data::quantity::{parse_duration, write_duration};
use punctual_data::{as_text, named};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroUsize;
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

/// Why no program on a real machine can be hidden.
pub(crate) fn not_hidden() -> Error {
    Error::unsupported(
        "Windows decides by a program's windows whether it is hidden, and Punctual has none; \
         only a simulated process can be said to be hidden",
    )
}

/// Checks that a process on a real machine can have this standing. `has_interval` says whether the system has a timer
/// interval that programs can request.
pub(crate) fn as_process(standing: Standing, has_interval: bool) -> Result<(), Error> {
    if !has_interval {
        return Err(Error::unsupported(
            "only Windows 11 has a rule for the requests of hidden processes",
        ));
    }
    match standing.hidden {
        true => Err(not_hidden()),
        false => Ok(()),
    }
}

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
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    fn any_load() -> impl Strategy<Value = Load> {
        let processes = proptest::option::of(1..=MOST_PROCESSES);
        prop_oneof![
            Just(Load::None),
            processes.prop_map(|count| Load::Cpu {
                processes: count.and_then(NonZeroUsize::new),
            }),
            Just(Load::Switch),
            Just(Load::Memory),
            Just(Load::Timers),
            "[^\0]*[^\0\\s][^\0]*".prop_map(Load::Command),
        ]
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(load in any_load()) {
            prop_assert_eq!(&load.to_string().parse::<Load>().unwrap(), &load);
            let json = serde_json::to_string(&load).unwrap();
            prop_assert_eq!(serde_json::from_str::<Load>(&json).unwrap(), load);
        }

        #[test]
        fn any_text_is_read_as_itself_or_refused_in_a_sentence(text in ".*") {
            match text.parse::<Load>() {
                Ok(load) => prop_assert_eq!(load.to_string(), text.replace("cpu:+", "cpu:")),
                Err(error) => prop_assert!(error.is_invalid_input()),
            }
        }
    }

    #[test]
    fn refusals_say_what_would_be_right() {
        let check = |text: &str, expected: &str| {
            let message = text.parse::<Load>().unwrap_err().to_string();
            assert!(message.contains(expected), "{text:?}: {message}");
        };
        check("cpu:0", "N from 1 to 1024, or cpu for one per processor");
        check("cpu:1025", "N from 1 to 1024");
        check("cpu:", "cpu:N");
        check("cpu:-1", "cpu:N");
        check("command", "command:'make -j4'");
        check("command: ", "command:'make -j4'");
        check("command:a\0", "zero byte");
        check("disk", "there is no load \"disk\"");
        check(
            "",
            "none, cpu, cpu:N, switch, memory, timers or command:'…'",
        );
        check("switch:2", "there is no load \"switch:2\"");
        check("CPU", "there is no load \"CPU\"");
    }

    #[test]
    fn a_recording_with_a_bad_load_is_refused() {
        assert!(serde_json::from_str::<Load>("\"cpu:0\"").is_err());
    }
}
