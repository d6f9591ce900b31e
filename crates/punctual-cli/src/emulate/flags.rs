//! The flags of `punctual run`.

use crate::flags::{parse_count, parse_interval};
use punctual_command::failure::Failure;
use punctual_command::flags::parse_whole;
use punctual_data::quantity::{self, parse_duration};
use punctual_emulate::run::Question;
use punctual_emulate::windows::{Conditions, LONGEST, Personas};
use punctual_lab::conditions::Companion;
use punctual_lab::simulated::SimulatedMachine;
use punctual_windows::Version;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Run a program as if it waited on a Windows.
///
/// Every timed wait of the program and of all that it starts ends when that version of Windows would
/// have ended it. The program is any Linux program, unchanged. Nothing else of it changes: it still runs
/// here, as fast as here.
///
/// Which call of Windows a wait stands for depends on the program's runtime. It is recognised from the
/// executable, or named by --persona.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct RunArgs {
    /// The Windows: windows-xp, windows-7, windows-8, windows-10-1909, windows-10-2004 or windows-11
    ///
    /// Settings and rules may follow the name, as in windows-10-2004,default-interval=15.6ms. 'punctual
    /// windows rules' lists them.
    #[arg(
        long = "as",
        value_name = "VERSION",
        required_unless_present = "compare"
    )]
    pub version: Option<SimulatedMachine>,

    /// Run it once under each of these, and show how its waits differ
    #[arg(long, value_name = "VERSION,VERSION", value_delimiter = ',', num_args = 1,
        conflicts_with_all = ["version", "repeat", "json", "record"])]
    pub compare: Vec<SimulatedMachine>,

    /// Whose waits they are, by the names that 'punctual windows personas' lists; 'auto' recognises the runtime from
    /// each executable, and with 'none' each call stands for the nearest of Windows
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub persona: Personas,

    /// What else has requested a timer interval: requester=2ms (another process) or driver=1ms; may be
    /// given several times
    ///
    /// After a requester's interval may follow, between commas, what decides on Windows 11 whether its
    /// request counts: hidden, honour and ignore, as in requester=1ms,hidden,honour.
    #[arg(long, value_name = "WHO", value_parser = parse_companion)]
    pub with: Vec<Companion>,

    /// Each process of the program itself requests this timer interval as long as it runs
    #[arg(long, value_name = "INTERVAL", value_parser = parse_interval)]
    pub request: Option<Duration>,

    /// Nobody sees or hears the program: Windows 11 then ignores its requests
    #[arg(long)]
    pub hidden: bool,

    /// By how much a wait may be lengthened at most [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub longest: Option<Duration>,

    /// The time from the program's start to the next tick [default: drawn from the seed]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, conflicts_with = "repeat")]
    pub phase: Option<Duration>,

    /// The seed of the machine's chance: of the ticks' phase, and of the latency of interrupts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_whole::<u64>)]
    pub seed: u64,

    /// Run it this many times, each with another phase of the ticks
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub repeat: Option<u64>,

    /// Repeat only until it fails, and print the phase with which it did
    #[arg(long, requires = "repeat")]
    pub until_fails: bool,

    /// Write what its waits have been to a file, as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write how late its waits were to a recording, which 'compare' and 'report' read
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    /// Print no summary after its end
    #[arg(long, short)]
    pub quiet: bool,

    /// The program and its arguments
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "PROGRAM"
    )]
    pub command: Vec<OsString>,
}

const EXAMPLES: &str = "Examples:
  punctual run --as windows-10-2004 -- python3 -m pytest
  punctual run --as windows-10-2004 --with requester=1ms -- ./server
  punctual run --compare windows-10-1909,windows-10-2004 -- ./program
  punctual run --as windows-11 --repeat 20 --until-fails -- cargo test

Exit status: the program's; 128 and the signal's number if one ended it;
125 if it cannot be run under a Windows here; 126 if it cannot be run at all;
127 if there is no such program.";

fn parse_companion(text: &str) -> Result<Companion, String> {
    match text
        .parse()
        .map_err(|error: punctual::Error| error.to_string())?
    {
        Companion::Sleepers { .. } => Err(
            "sleepers would be processes of the real machine; write requester=2ms or driver=1ms"
                .to_owned(),
        ),
        companion => Ok(companion),
    }
}

impl RunArgs {
    /// What is asked of each Windows, one after another.
    pub fn questions(&self) -> impl Iterator<Item = Question> {
        self.machines().map(|machine| {
            let rules = machine.rules;
            let conditions = Conditions {
                parameters: machine.parameters,
                companions: self.with.clone(),
                request: self.request,
                hidden: self.hidden,
                seed: self.seed,
                longest: self.longest.unwrap_or(LONGEST),
                personas: self.persona.clone(),
                ..Conditions::new(Version {
                    rules,
                    ..machine.version
                })
            };
            let mut question = Question {
                machine: machine.clone(),
                conditions,
                command: self.command.clone(),
            };
            let phase = self.phase.unwrap_or_else(|| question.drawn_phase(0));
            question.conditions.phase = phase;
            question
        })
    }

    fn machines(&self) -> impl Iterator<Item = &SimulatedMachine> {
        self.version.iter().chain(&self.compare)
    }

    /// Refuses what cannot be.
    pub fn check(&self) -> Result<(), Failure> {
        if let Some(first) = self.compare.first()
            && self.compare.iter().all(|one| one == first)
        {
            let problem = format!("{first} with what? write {first},windows-11");
            return Err(Failure::flag("--compare", problem));
        }
        for machine in self.machines() {
            let longest = machine.parameters.default_interval;
            if self.phase.is_some_and(|phase| phase > longest) {
                let most = quantity::show(longest);
                let problem = format!("ticks come each {most}; write at most that");
                return Err(Failure::flag("--phase", problem));
            }
        }
        Ok(())
    }
}
