//! The commands that need simulated machines.

use crate::companion;
use crate::intervals::{self, Intervals};
use crate::slacks::{self, Slacks};
use punctual_lab::Companion;
use punctual_lab::evidence::RuleChange;
use punctual_lab::simulated::SimulatedMachine;
use punctual_lab::simulated::sweep::By;

/// Repeat "The Great Rule Change" on simulated machines.
///
/// Another process asks for an interval between timer interrupts: 1 ms, 2 ms, and so on. This one
/// asks for nothing and measures what it gets: the interval in force, the step of timeGetTime, and
/// how long Sleep(1) takes, the way the article's own program does. Up to Windows 10 1909 everybody
/// gets what somebody asked for; from 2004 on, only who asked. Everything is simulated, in virtual
/// time, and takes less than a second.
///
/// One machine is shown in full, several side by side. Values that no publication states are
/// marked: they are what the simulation's rules predict.
///
/// With --native it sweeps what this machine has: on Linux, the timer slack of the thread that
/// sleeps, by which the kernel may end its waits later; on Windows, the interval.
#[derive(Debug, clap::Args)]
#[command(after_long_help = SWEEP_EXAMPLES)]
pub struct SweepArgs {
    /// A simulated machine; may be given several times [default: all that 'punctual machines'
    /// lists]
    ///
    /// Hardware and settings may follow: windows-10-2004,processors=2,clock-error=20ppm,noise=5us/1ms.
    /// 'punctual machines' lists them.
    #[arg(long, value_name = "MACHINE")]
    pub on: Vec<SimulatedMachine>,

    /// Sweep what this machine itself has: timer slack on Linux, in about five seconds; the interval
    /// on Windows, in half a minute
    #[arg(long, conflicts_with_all = ["on", "with", "seed"])]
    pub native: bool,

    /// The timer slacks to try: 50us, a list 1ns,50us, or a range 1us..1ms in steps of 1, 2 and 5;
    /// may be given several times [default: 1ns,10us..1ms]
    #[arg(long, value_name = "TIME", value_delimiter = ',', value_parser = slacks::parse, requires = "native")]
    pub slack: Vec<Slacks>,

    /// Who asks for the interval: another process, the one that sleeps, or its parent on its
    /// children's behalf
    #[arg(long, value_enum, value_name = "WHO", default_value_t = ByArg::Other)]
    pub by: ByArg,

    /// What is asked for: 2ms, a list 1ms,2ms, or a range 1ms..15ms in steps of
    /// 1 ms; may be given several times [default: 1ms..15ms]
    #[arg(long, value_name = "TIME", value_delimiter = ',', value_parser = intervals::parse)]
    pub interval: Vec<Intervals>,

    /// Who else is on the machines: sleepers=20 (other programs' threads), driver=1ms or
    /// requester=2ms (who ask for an interval, too); may be given several times
    #[arg(long, value_name = "WHO", value_parser = companion::parse)]
    pub with: Vec<Companion>,

    /// The seed of all chance: the same seed gives the same output
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Print what was measured as JSON instead of a table and a curve
    #[arg(long)]
    pub json: bool,
}

/// Who asks for the interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ByArg {
    /// Another process
    Other,
    /// The process that sleeps, itself
    #[value(name = "self")]
    Own,
    /// The process that started it; no version hands its request on
    Parent,
}

impl From<ByArg> for By {
    fn from(by: ByArg) -> Self {
        match by {
            ByArg::Other => Self::Other,
            ByArg::Own => Self::Own,
            ByArg::Parent => Self::Parent,
        }
    }
}

const SWEEP_EXAMPLES: &str = "\
Examples:
  punctual sweep
  punctual sweep --on windows-10-1909 --on windows-10-2004
  punctual sweep --on windows-10-2004 --by self
  punctual sweep --on windows-10-2004 --with sleepers=20
  punctual sweep --on windows-7 --on windows-7,default-interval=15.6ms
  punctual sweep --on windows-11 --interval 0.5ms,1ms..4ms --json
  punctual sweep --native --slack 1ns,50us,100us..1ms";

/// List the simulated machines and the rules in which they differ.
///
/// A machine is a version of Windows with the rules by which it ends timed waits, and hardware and
/// settings, which can be changed behind its name. The rules are fitted to published measurements;
/// --long says to which.
#[derive(Debug, clap::Args)]
#[command(after_long_help = MACHINES_EXAMPLES)]
pub struct MachinesArgs {
    /// Say of each rule what it decides and which published cases fix it
    #[arg(long)]
    pub long: bool,

    /// Print the list as JSON instead of tables
    #[arg(long, conflicts_with = "long")]
    pub json: bool,
}

const MACHINES_EXAMPLES: &str = "\
Examples:
  punctual machines
  punctual machines --long
  punctual sweep --on windows-7,default-interval=15.6ms,processors=2";

/// Replay published measurements of Windows on simulated machines.
///
/// Shows what others have measured on Windows XP to 11 beside what the same programs get on simulated
/// machines, case by case. The rules by which those machines end waits were fitted to these numbers:
/// where a number and a rule disagree, the rule is wrong, and the case stays in the table, failing.
///
/// Change a rule to see which numbers break. Takes a few seconds; the same every time.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EVIDENCE_EXAMPLES)]
pub struct EvidenceArgs {
    /// Replay with a rule changed on every version, as in due-time=coarse; may be given several
    /// times
    ///
    /// A name or value that does not exist is answered with those that do.
    #[arg(long, value_name = "RULE=VALUE")]
    pub rule: Vec<RuleChange>,

    /// A case to replay, by its id; may be given several times [default: all of them]
    #[arg(long, value_name = "ID")]
    pub case: Vec<String>,

    /// Only the cases of one source: DOC, GRC, SIL, SVI or VD
    #[arg(long, value_name = "NAME")]
    pub source: Option<String>,

    /// Print every statement of every case as JSON instead of a table
    #[arg(long)]
    pub json: bool,
}

const EVIDENCE_EXAMPLES: &str = "\
Examples:
  punctual evidence
  punctual evidence --source VD
  punctual evidence --rule due-time=coarse
  punctual evidence --case grc-2004-8 --rule request-reach=machine --json

Exit status: 0 nothing fails but what is expected to, 1 the run failed,
2 the command line is wrong, 3 a published number does not come out.";
