//! The subcommand, and those of the processes that it starts.

use super::condition::{self, Condition};
use super::{Plan, neighbour, subject};
use crate::failure::Failure;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use clap::{Args, Subcommand};
use std::process;

/// What a shell calls the exit status of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Measures a loop at 1 kHz on a busy machine, with and without a short slice, under many conditions.
    ///
    /// The conditions are other processes: how many, of which class, session and control group. All take
    /// turns in one run. Nothing else should run meanwhile. Control groups and autogroup need root. Ctrl-C
    /// prints the results so far; it leaves no process and no group behind, and puts the setting of
    /// autogroup back.
    ///
    /// This takes four minutes.
    Conditions(Flags),

    /// Waits when told to: what `conditions` starts.
    #[command(name = subject::SUBCOMMAND, hide = true)]
    Subject(subject::Program),

    /// Spins when told to: what `conditions` starts.
    #[command(name = neighbour::SUBCOMMAND, hide = true)]
    Neighbour(neighbour::Program),
}

#[derive(Debug, Args)]
pub struct Flags {
    /// Prints one JSON object instead of a table.
    #[arg(long)]
    json: bool,

    /// A condition; may be given several times [default: all].
    #[arg(
        long = "condition",
        value_name = "NAME",
        value_parser = PossibleValuesParser::new(condition::names())
    )]
    conditions: Vec<String>,

    /// How many turns each condition has. In each, a loop waits 500 times with each slice.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 20,
        value_parser = RangedU64ValueParser::<u32>::new().range(1..=1_000)
    )]
    rounds: u32,
}

impl Flags {
    fn plan(&self) -> Plan {
        let is_chosen = |condition: &Condition| {
            let names = &self.conditions;
            names.is_empty() || names.iter().any(|name| name == condition.name)
        };
        Plan {
            conditions: condition::ALL.into_iter().filter(is_chosen).collect(),
            rounds: self.rounds,
        }
    }
}

impl Command {
    pub fn run(self) -> Result<(), Failure> {
        match self {
            Self::Conditions(flags) => measure(&flags),
            Self::Subject(program) => program.run(),
            Self::Neighbour(program) => program.run(),
        }
    }
}

fn measure(flags: &Flags) -> Result<(), Failure> {
    let report = flags.plan().run()?;
    if flags.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{report}");
    }
    if report.interrupted {
        process::exit(INTERRUPTED);
    }
    Ok(())
}
