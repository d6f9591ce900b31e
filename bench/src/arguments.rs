//! The command line.

use crate::conditions;
use crate::emulating::{self, resumed};
use crate::record::arguments::Recordings;
use crate::replay::trace;
use crate::share;
use crate::simulation::memory;
use crate::timers;
use crate::truth::{awake, condition, subject};
use crate::waiting;
use crate::waiting::load::{self, Work};
use crate::watching;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use clap::{Args, Parser, Subcommand};
use punctual::margin::{Budget, LateRate};
use std::path::PathBuf;

/// Compares Punctual with its peers: lateness, processor time, and the speed of timers and simulation.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub subject: Subject,
}

#[derive(Debug, Subcommand)]
pub enum Subject {
    /// Measures periodic waits with Punctual and its peers.
    ///
    /// All contenders take turns in short blocks in one run, so that a disturbance of the machine affects all of them
    /// alike. Nothing else should run meanwhile. Then Punctual is configured for spin_sleep's own share of late waits,
    /// and both are measured again.
    ///
    /// This takes about twenty minutes, two of them idle. Go's ticker and cyclictest are included if they are
    /// installed.
    Waiting(waiting::Flags),

    #[command(flatten)]
    Conditions(conditions::Command),

    /// Replays recorded wake-up latencies through Punctual's margin and its peers' rules.
    ///
    /// Each rule is compared with the best fixed margin that would have had no more late waits, which is known only
    /// afterwards. The same files give the same figures on every machine.
    Margin(Replaying),

    /// Records what waits meet on this machine under a load, for `margin` to replay.
    ///
    /// Waits with the default slice of the scheduler and with the shortest, and with seven margins, take turns in short
    /// blocks in one run. Nothing but the load should run meanwhile. This takes a minute at 1 kHz. It prints the name
    /// of the file.
    Record(Recordings),

    /// Measures the speed of Punctual's simulator and its peers.
    ///
    /// The engine and its peers run the same workload in turns, on one thread of this machine. Nothing else should run
    /// meanwhile. Then the full simulated Windows is measured: sleeps per second, a day of a 1 kHz loop, and the memory
    /// for longer runs.
    ///
    /// This takes about a minute. SimPy is included if Python has it.
    Simulation(Simulating),

    /// Compares Punctual's driver with tokio: timers from 1, 4 and 10 threads, and 100,000 tasks.
    ///
    /// Both take turns in one run. Nothing else should run meanwhile. Most timers never fire, so the first figure is
    /// how many can be started and cancelled per second. The second is the processor time to wake many sleeping tasks,
    /// and their lateness. This takes a minute.
    Driver(Driving),

    /// Measures the speed of Punctual's timer queue and its peers.
    ///
    /// All take turns at the same workload, on one thread of this machine. Nothing else should run meanwhile. Each
    /// number of timers is printed as soon as it is measured. Ctrl-C prints the results so far.
    ///
    /// This takes about four minutes, most of them for 10 million timers, and two gigabytes of memory.
    Timers(Keeping),

    /// Measures how fast traces are read, and how much later a traced loop wakes.
    ///
    /// The loop waits in turns, with and without a trace of the kernel. Nothing else should run meanwhile. Tracing
    /// needs root and tracefs; reading needs neither. This takes a quarter of a minute.
    Explain(Explaining),

    /// Measures how much later a program wakes while a watch runs, and what the watch uses.
    ///
    /// The program waits in turns, with and without a watch and its flight recorder, which needs root and tracefs.
    /// Nothing else should run meanwhile. This takes a minute and a half.
    Watch(watching::Flags),

    /// Measures what it costs a program to run under the timer rules of a Windows.
    ///
    /// Calls, threads, redis and nginx take turns with and without, and under a tracer that does nothing. This takes a
    /// minute and a half.
    Emulate(emulating::Flags),

    /// Makes timed calls when asked to: what `emulate` starts.
    #[command(name = emulating::calls::SUBCOMMAND, hide = true)]
    BeSteered,

    /// Runs a program under a tracer that only lets it go on: what `emulate` compares with.
    #[command(name = resumed::SUBCOMMAND, hide = true)]
    BeResumed(resumed::Program),

    /// Waits, and logs its wake-ups: what `explain --truth` starts.
    #[command(name = subject::SUBCOMMAND, hide = true)]
    BeExplained(subject::Program),

    /// Disturbs the process that has started it: what `explain --truth` starts.
    #[command(name = subject::DISTURBER, hide = true)]
    Disturb { condition: String },

    /// Keeps a processor from idling: what `explain --truth` starts.
    #[command(name = awake::SUBCOMMAND, hide = true)]
    KeepAwake { processor: usize },

    /// Simulates a loop for a while and prints its peak memory: what `simulation` starts.
    #[command(name = memory::SUBCOMMAND, hide = true)]
    SimulateMinutes { minutes: u64 },

    /// Works until its input ends: what `waiting --load busy` and others start.
    #[command(name = load::SUBCOMMAND, hide = true)]
    Work {
        #[arg(value_enum)]
        work: Work,
    },

    /// Works for some milliseconds: what `waiting --load compile` starts again and again.
    #[command(name = load::UNIT_SUBCOMMAND, hide = true)]
    CompileUnit { unit: u64 },
}

#[derive(Debug, Args)]
pub struct Simulating {
    /// Prints one JSON object instead of tables.
    #[arg(long)]
    pub json: bool,

    /// Takes ten seconds instead of a minute, and computes a day from an hour. The figures are too rough to publish.
    #[arg(long)]
    pub quick: bool,
}

#[derive(Debug, Args)]
pub struct Driving {
    /// Prints one JSON object instead of tables.
    #[arg(long)]
    pub json: bool,

    /// Takes twenty seconds. The figures are too rough to publish.
    #[arg(long)]
    pub quick: bool,
}

#[derive(Debug, Args)]
pub struct Keeping {
    /// Prints one JSON object instead of tables.
    #[arg(long)]
    pub json: bool,

    /// Takes a minute, with a tenth of the operations on 10 million timers. The figures are too rough to publish.
    #[arg(long)]
    pub quick: bool,

    /// How many timers to keep; may be given several times [default: 1000, 10000, 100000, 1000000 and 10000000].
    #[arg(
        long = "timers",
        value_name = "COUNT",
        value_parser = RangedU64ValueParser::<u64>::new().range(1..=100_000_000)
    )]
    pub timers: Vec<u64>,

    /// A peer to compare with Punctual; may be given several times [default: all].
    #[arg(
        long = "structure",
        value_name = "NAME",
        value_parser = PossibleValuesParser::new(timers::peers())
    )]
    pub structures: Vec<String>,

    /// Leaves one more timer in each queue. Some queues are faster after they were empty.
    #[arg(long)]
    pub never_empty: bool,
}

#[derive(Debug, Args)]
pub struct Explaining {
    /// Prints one JSON object instead of tables.
    #[arg(long)]
    pub json: bool,

    /// Takes six seconds. The figures are too rough to publish.
    #[arg(long)]
    pub quick: bool,

    /// Compares the explanations with a reference: programs that know their own wake-ups are traced by
    /// Punctual and by perf at the same time. Takes two and a half minutes, needs root and perf, and exits with 1
    /// if they agree about fewer than 99 % of the wake-ups of any condition.
    #[arg(long, conflicts_with = "quick")]
    pub truth: bool,

    /// What happens to the program; may be given several times [default: all].
    #[arg(
        long = "condition",
        value_name = "NAME",
        requires = "truth",
        value_parser = PossibleValuesParser::new(condition::names())
    )]
    pub conditions: Vec<String>,

    /// How many waits the program makes, all its threads together. Its report has no more than 10,000.
    #[arg(
        long,
        value_name = "NUMBER",
        requires = "truth",
        default_value_t = 400,
        value_parser = RangedU64ValueParser::<usize>::new().range(2..=10_000)
    )]
    pub count: usize,

    /// The command `punctual` [default: of this repository, as `cargo build --release` makes it].
    #[arg(long, value_name = "FILE", requires = "truth")]
    pub punctual: Option<PathBuf>,

    /// Keeps the recordings, logs and explanations in this folder.
    #[arg(long, value_name = "FOLDER", requires = "truth")]
    pub keep: Option<PathBuf>,
}

impl Explaining {
    /// The command that explains.
    pub fn punctual(&self) -> PathBuf {
        let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/release/punctual");
        self.punctual.clone().unwrap_or_else(|| built.into())
    }
}

#[derive(Debug, Args)]
pub struct Replaying {
    /// Prints one JSON object instead of tables.
    #[arg(long)]
    pub json: bool,

    /// A file of latencies in nanoseconds, one per line, or one that `record` made; may be given several
    /// times [default: the recordings that come with Punctual].
    #[arg(long = "trace", value_name = "FILE")]
    pub traces: Vec<PathBuf>,

    /// The period of the traces' waits in milliseconds [default: from the end of the file's name, such as -16ms.txt].
    #[arg(long, value_name = "MILLISECONDS", requires = "traces", value_parser = parse_period)]
    pub period: Option<u64>,

    /// A share of waits that may be late, such as 1% or 0.01; may be given several times.
    #[arg(
        long,
        value_name = "SHARE",
        default_values = ["10%", "3%", "1%", "0.3%"],
        value_parser = parse_late_rate
    )]
    pub requested: Vec<LateRate>,

    /// The share of the time that Punctual may spin, such as 5%, or `none`; may be given several times.
    #[arg(
        long = "budget",
        value_name = "SHARE",
        default_values = ["5%", "none"],
        value_parser = parse_budget
    )]
    pub budgets: Vec<Budget>,
}

fn parse_period(text: &str) -> Result<u64, String> {
    trace::period_from_millis(text)
        .ok_or_else(|| "not a number of milliseconds, such as 1 or 16.7".to_owned())
}

fn parse_late_rate(text: &str) -> Result<LateRate, String> {
    LateRate::new(share::parse(text)?).map_err(|error| error.to_string())
}

fn parse_budget(text: &str) -> Result<Budget, String> {
    let share = if text == "none" {
        1.0
    } else {
        share::parse(text)?
    };
    Budget::new(share).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn arguments_are_well_formed() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn bad_input_is_refused() {
        for refused in [
            "waiting --rate 0",
            "waiting --rate 20000",
            "waiting --load heavy",
            "waiting --contender nobody",
            "waiting --seconds 0",
            "waiting --seconds NaN",
            "conditions --condition quiet",
            "conditions --rounds 0",
            "margin --requested 60%",
            "margin --budget much",
            "margin --period 1",
            "margin --period 0 --trace some-1ms.txt",
            "simulation --seconds 1",
            "timers --timers 0",
            "timers --timers many",
            "timers --structure punctual",
            "timers --structure heap",
            "explain --condition idle",
            "explain --count 100",
            "explain --truth --quick",
            "explain --truth --condition asleep",
            "explain --truth --count 1",
            "explain --truth --count 10001",
            "emulate --rounds 3",
            "sleeping",
        ] {
            let arguments = ["bench"].into_iter().chain(refused.split(' '));
            let error = Arguments::try_parse_from(arguments).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{refused}");
        }
    }

    #[test]
    fn no_budget_is_the_whole_of_the_time() {
        assert_eq!(
            parse_budget("none"),
            Budget::new(1.0).map_err(|error| error.to_string())
        );
        assert_eq!(parse_budget("5%").map(Budget::share), Ok(0.05));
    }
}
