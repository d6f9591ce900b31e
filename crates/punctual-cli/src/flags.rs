//! Flags that several commands have, and how their values are read.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use punctual::Period;
use punctual::margin::{Budget, LateRate};
use punctual_command::flags::{RARE, parse_whole};
use punctual_data::quantity::{self, parse_share};
use punctual_lab::conditions::{Companion, Load, Priority, Slice, Standing, Throttling};
use punctual_lab::question::{Conditions, Simulated};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The groups of flags that several commands have.
pub const CONDITIONS: &str = "Conditions";
pub const OUTPUT: &str = "Output";

/// The shortest period that can be measured: reading the clock and counting take up to a
/// microsecond.
const SHORTEST_PERIOD: Duration = Duration::from_micros(1);

/// Reads a period that can be measured.
pub fn parse_period(text: &str) -> Result<Period, String> {
    let period = quantity::parse_period(text)?;
    if period.to_duration() < SHORTEST_PERIOD {
        return Err(format!(
            "'{text}' is too short to measure; the least is 1us"
        ));
    }
    Ok(period)
}

/// Reads a number of times.
pub fn parse_count(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(format!(
            "'{text}' is not a number of times; write 1 or more"
        )),
    }
}

/// Reads a timer interval that can be requested.
pub fn parse_interval(text: &str) -> Result<Duration, String> {
    let interval = quantity::parse_duration(text)?;
    if interval.is_zero() {
        return Err("an interval of zero cannot be requested; write one such as 1ms".to_owned());
    }
    Ok(interval)
}

/// What stands below the list of what simulated machines offer.
#[cfg(feature = "sim")]
pub const PERSONAS_TOO: &str = "\nOn simulated machines also the waits of languages, such as \
                                python-3.10: see 'punctual windows personas'.\n";

// The conditions of a wait: load, companions, and the scheduling of the waiting thread.

/// The flags of `measure` and `explain`.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = CONDITIONS)]
pub struct ConditionArgs {
    /// The load to run meanwhile: none, cpu, cpu:N, switch, memory, timers, or
    /// command:'SHELL COMMAND'
    ///
    /// cpu spins on every processor, or on N of them. switch changes threads as fast as it can.
    /// memory reads and writes more than the caches hold. timers makes hundreds of short sleeps.
    /// command runs your own command. A load is a separate process and ends with this one.
    /// Simulated machines have all of them but memory and command.
    #[arg(long, value_name = "LOAD", default_value = "none")]
    pub load: Load,

    /// What else runs on the machine: sleepers=20 (threads of another program, which sleep for 1 to
    /// 40 ms), requester=2ms (another process that requests a timer interval), or driver=1ms (a
    /// driver that requests one); may be given several times
    ///
    /// Every machine has sleepers. On this machine they are a separate process, which ends with
    /// this one.
    ///
    /// After a requester's interval may follow, between commas, what decides on Windows 11 whether its
    /// request counts: hidden (or minimised), honour (or opted-out) and ignore, as in
    /// requester=1ms,hidden,honour. Only simulated requesters can be hidden.
    #[arg(long, value_name = "WHO", hide_short_help = RARE)]
    pub with: Vec<Companion>,

    #[command(flatten)]
    pub standing: StandingArgs,

    /// The priority of the waiting thread; above normal needs a privilege
    #[arg(long, value_name = "PRIORITY", default_value = "normal", value_parser = priority())]
    pub priority: Priority,

    /// The slice of the waiting thread, 0.1ms to 100ms, or default (Linux 6.12 or later); two to compare
    /// them: default,0.1ms
    ///
    /// The slice is how long a thread may compute before the system looks whose turn it is. On a busy
    /// machine, a thread with a short one gets its turn sooner. Of two, everything is tried with the first
    /// and once more with the second, in turns; the table marks the second with ~. Without this flag,
    /// Punctual's own ways of waiting set a short slice themselves; with it, they leave the slice alone.
    #[arg(long, value_name = "SLICE", value_delimiter = ',', hide_short_help = RARE)]
    pub slice: Vec<Slice>,

    /// Keep the waiting thread on one processor
    #[arg(long, value_name = "PROCESSOR", value_parser = parse_whole::<usize>)]
    pub pin: Option<usize>,
}

fn priority() -> impl TypedValueParser<Value = Priority> {
    let named = |priority: Priority| {
        let help = match priority {
            Priority::Normal => "Unchanged",
            Priority::High => "Ahead of ordinary threads (Linux: nice -11)",
            Priority::Realtime => "Ahead of every ordinary thread, always (Linux: SCHED_FIFO)",
        };
        PossibleValue::new(priority.name()).help(help)
    };
    PossibleValuesParser::new(Priority::ALL.map(named)).try_map(|name| name.parse::<Priority>())
}

impl ConditionArgs {
    /// The conditions of a question.
    pub fn conditions(&self) -> Conditions {
        Conditions {
            load: self.load.clone(),
            with: self.with.clone(),
            standing: self.standing.standing(),
            priority: self.priority,
            pin: self.pin,
            slices: self.slice.clone(),
        }
    }
}

// The settings of Punctual's own waits.

/// The flags of `measure`.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Punctual's own waits")]
pub struct LearningArgs {
    /// The share of waits that Punctual may end late, in methods 'punctual' and 'ticker'
    /// [default: 1%]
    #[arg(long, value_name = "SHARE", value_parser = parse_late_rate, hide_short_help = RARE)]
    pub late_rate: Option<LateRate>,

    /// The share of time that Punctual may spend spinning, in methods 'punctual' and 'ticker'
    /// [default: 5%]
    #[arg(long, value_name = "SHARE", value_parser = parse_budget, hide_short_help = RARE)]
    pub budget: Option<Budget>,
}

fn parse_late_rate(text: &str) -> Result<LateRate, String> {
    LateRate::new(parse_share(text)?).map_err(|error| error.to_string())
}

fn parse_budget(text: &str) -> Result<Budget, String> {
    Budget::new(parse_share(text)?).map_err(|error| error.to_string())
}

// The machine to ask.

/// The flags of every command that can ask a simulated machine.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Simulated machines")]
pub struct OnArgs {
    /// Use a simulated machine, in virtual time: windows-xp, windows-7, windows-8, windows-10-1909,
    /// windows-10-2004 or windows-11
    ///
    /// Settings and rules may follow the name: windows-10-2004,processors=2,noise=5us/1ms or
    /// windows-10-2004,due-time=coarse. 'punctual windows rules' lists them.
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "MACHINE")]
    pub on: Option<MachineName>,

    /// The seed of a simulated machine's random numbers
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_whole::<u64>, requires = "on", hide_short_help = RARE)]
    pub seed: u64,
}

impl OnArgs {
    /// The choice as a question holds it.
    pub fn simulated(&self) -> Option<Simulated> {
        self.on.as_ref().map(|machine| machine.seeded(self.seed))
    }
}

/// The name of a simulated machine with its settings, in normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineName(String);

impl MachineName {
    /// The machine with this seed of its random numbers.
    pub fn seeded(&self, seed: u64) -> Simulated {
        Simulated {
            machine: self.0.clone(),
            seed,
        }
    }
}

impl FromStr for MachineName {
    type Err = String;

    #[cfg(feature = "sim")]
    fn from_str(text: &str) -> Result<Self, String> {
        let machine: punctual_lab::simulated::SimulatedMachine = text.parse()?;
        Ok(Self(machine.to_string()))
    }

    #[cfg(not(feature = "sim"))]
    fn from_str(_: &str) -> Result<Self, String> {
        Err(crate::unsimulated::REASON.to_owned())
    }
}

impl fmt::Display for MachineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

// How the waiting program stands with Windows.

/// The flags of every command whose program waits.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = CONDITIONS)]
pub struct StandingArgs {
    /// The waiting program is hidden: no window of its own is to be seen, and it makes no sound
    ///
    /// Windows 11 does not honour the requests of a hidden program for a timer interval. Covered and
    /// minimised windows count as hidden. Only simulated programs can be said to be hidden.
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, visible_alias = "minimised", hide_short_help = RARE)]
    pub hidden: bool,

    /// What the waiting program tells Windows to do with its requests, by SetProcessInformation
    ///
    /// Windows before 11 does not know it. A simulated program goes on without it.
    #[arg(long, value_name = "WHAT", value_parser = throttling(), hide_short_help = RARE)]
    pub throttling: Option<Throttling>,
}

fn throttling() -> impl TypedValueParser<Value = Throttling> {
    let named = |throttling: Throttling| {
        let help = match throttling {
            Throttling::Honour => "To honour them even while it is hidden: it opts out",
            Throttling::Ignore => "To ignore them",
        };
        let value = PossibleValue::new(throttling.name()).help(help);
        match throttling {
            Throttling::Honour => value.alias("opted-out"),
            Throttling::Ignore => value,
        }
    };
    PossibleValuesParser::new(Throttling::ALL.map(named)).try_map(|name| match name.as_str() {
        "opted-out" => Ok(Throttling::Honour),
        name => name.parse(),
    })
}

impl StandingArgs {
    /// The standing, as a question holds it.
    pub fn standing(&self) -> Standing {
        Standing {
            hidden: self.hidden,
            throttling: self.throttling,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_that_cannot_be_measured_is_refused() {
        assert!(parse_period("999ns").unwrap_err().contains("least is 1us"));
        assert!(parse_period("1us").is_ok());
    }
}
