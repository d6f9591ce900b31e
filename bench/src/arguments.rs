//! The command line.

use crate::driver;
use crate::emulating;
use crate::explaining;
use crate::margin;
use crate::record;
use crate::simulation::{self, model};
use crate::timers;
use crate::truth::{self, subject};
use crate::waiting;
use crate::waiting::load;
use crate::watching;
use clap::{Args, Parser, Subcommand};
use punctual_lab::children::CHILD_SUBCOMMAND;

/// Compares Punctual with its peers: lateness, processor time, and the speed of timers and simulation.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
pub struct Arguments {
    /// Prints one JSON object instead of tables.
    #[arg(long, global = true)]
    pub json: bool,

    #[command(subcommand)]
    pub subject: Subject,
}

#[derive(Debug, Subcommand)]
pub enum Subject {
    /// Measures periodic waits with Punctual and its peers, alone or in many threads of one process.
    ///
    /// All contenders take turns in short blocks in one run, so that a disturbance of the machine affects all of them
    /// alike. Nothing else should run meanwhile. Then Punctual is configured for spin_sleep's own share of late waits,
    /// and both are measured again. With several threads the answer is under how many conditions Punctual is worse than
    /// without a spin. Ctrl-C prints the results so far.
    ///
    /// This takes about twenty minutes, two of them idle. Go's ticker and cyclictest are included if they are
    /// installed.
    Waiting(waiting::Plan),

    /// Replays recorded wake-up latencies through Punctual's margin and its peers' rules.
    ///
    /// Each rule is compared with the best fixed margin that would have had no more late waits, which is known only
    /// afterwards. The same files give the same figures on every machine.
    Margin(margin::Plan),

    /// Records what waits meet on this machine, for `margin` to replay.
    ///
    /// Waits with the default slice of the scheduler and with the shortest, and with seven margins, take turns in short
    /// blocks in one run. Nothing but the load should run meanwhile. This takes a minute at 1 kHz. It prints the name
    /// of the file.
    Record(record::Plan),

    /// Measures the speed of Punctual's simulator and its peers.
    ///
    /// The engine and its peers run the same workload in turns, on one thread of this machine. Nothing else should run
    /// meanwhile. Then the full simulated Windows is measured: sleeps per second, a day of a 1 kHz loop, and the memory
    /// for longer runs.
    ///
    /// This takes about a minute. SimPy is included if Python has it.
    Simulation(simulation::Plan),

    /// Compares Punctual's driver with tokio: timers from 1, 4 and 10 threads, and 100,000 tasks.
    ///
    /// Both take turns in one run. Nothing else should run meanwhile. Most timers never fire, so the first figure is
    /// how many can be started and cancelled per second. The second is the processor time to wake many sleeping tasks,
    /// and their lateness. This takes a minute.
    Driver(driver::Plan),

    /// Measures the speed of Punctual's timer queue and its peers.
    ///
    /// All take turns at the same workload, on one thread of this machine. Nothing else should run meanwhile. Ctrl-C
    /// prints the results so far.
    ///
    /// This takes about four minutes, most of them for 10 million timers, and two gigabytes of memory.
    Timers(timers::Plan),

    /// Measures how fast traces are read, and how much later a traced loop wakes.
    ///
    /// The loop waits in turns, with and without a trace of the kernel. Nothing else should run meanwhile. Tracing
    /// needs root and tracefs; reading needs neither. This takes a quarter of a minute.
    Explain(Explaining),

    /// Measures how much later a program wakes while a watch runs, and what the watch uses.
    ///
    /// The program waits in turns, with and without a watch and its flight recorder, which needs root and tracefs.
    /// Nothing else should run meanwhile. This takes a minute and a half.
    Watch(watching::Plan),

    /// Measures what it costs a program to run under the timer rules of a Windows.
    ///
    /// Calls, threads, redis and nginx take turns with and without, and under a tracer that does nothing. This takes a
    /// minute and a half.
    Emulate(emulating::Plan),

    #[command(flatten)]
    Child(Child),
}

/// What is started to be measured, or to disturb what is.
#[derive(Debug, Subcommand)]
pub enum Child {
    /// Makes timed calls: what `emulate` starts.
    #[command(name = emulating::calls::SUBCOMMAND, hide = true)]
    BeSteered(emulating::calls::Work),

    /// Runs a program under a tracer that only lets it go on: what `emulate` compares with.
    #[command(name = emulating::RESUMED, hide = true)]
    BeResumed(emulating::Program),

    /// Waits, and logs its wake-ups: what `explain --truth` starts.
    #[command(name = subject::SUBCOMMAND, hide = true)]
    BeExplained(subject::Program),

    /// Simulates a loop for a while and prints its peak memory: what `simulation` starts.
    #[command(name = model::SUBCOMMAND, hide = true)]
    SimulateMinutes { minutes: u64 },

    /// Sends datagrams to itself: what `--load network` starts.
    #[command(name = load::SENDER, hide = true)]
    SendDatagrams,

    /// Is a process of a load.
    #[command(name = CHILD_SUBCOMMAND, hide = true)]
    BeLoad { part: String },
}

/// What `explain` is asked for.
#[derive(Debug, Args)]
pub struct Explaining {
    #[command(flatten)]
    pub plan: explaining::Plan,

    /// Compares the explanations with a reference: programs that know their own wake-ups are traced by
    /// Punctual and by perf at the same time. Takes two and a half minutes, needs root and perf, and exits with 1
    /// if they agree about fewer than 99 % of the wake-ups of any condition.
    #[arg(long, conflicts_with = "quick")]
    pub truth: bool,

    #[command(flatten)]
    pub compared: truth::Plan,
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
            "waiting --threads 0",
            "waiting --beat off",
            "margin --requested 60%",
            "margin --budget much",
            "margin --period 1",
            "margin --period 0 --trace some-1ms.txt",
            "record",
            "record some/where",
            "record mine --load heavy",
            "record busy --rate 0",
            "record busy --rounds 0",
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
}
