//! Simulates the waits of languages, on as many threads as there are processors.

use crate::flags::{MachineName, parse_count};
use crate::show::View;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use punctual_command::failure::Failure;
use punctual_command::flags::{FormatArgs, parse_whole};
use punctual_command::progress::Progress;
use punctual_command::stop::Stop;
use punctual_data::quantity::parse_duration;
use punctual_lab::calls::When;
use punctual_lab::conditions::Companion;
use punctual_lab::languages::{self, Question};
use punctual_lab::personas::named;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The number of machines that fit side by side in 80 columns.
const MOST_MACHINES: usize = 6;

/// Runs the command.
pub fn languages(args: &LanguagesArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let question = args.question()?;
    check(&question)?;
    let guard = stop.guard_while_computing();
    let cells = question.personas.len() * question.machines.len();
    let watched = Arc::new(Watched {
        progress: Progress::of("simulating", cells as u64),
        done: AtomicU64::new(0),
        stop: stop.clone(),
    });
    let mut recording = languages::run(&question, watched).map_err(Failure::run)?;
    recording.interrupted = guard.end();
    crate::show::in_format(args.format, &View(&recording))?;
    Ok(stop.status())
}

/// Refuses what would not fit, before anything runs.
fn check(question: &Question) -> Result<(), Failure> {
    if question.machines.len() > MOST_MACHINES {
        let problem = format!("at most {MOST_MACHINES} machines fit side by side");
        return Err(Failure::flag("--on", problem));
    }
    twice("--on", &question.machines)?;
    twice("--persona", &question.personas)
}

fn twice(flag: &'static str, names: &[String]) -> Result<(), Failure> {
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            return Err(Failure::flag(flag, format!("'{name}' is given twice")));
        }
    }
    Ok(())
}

/// Shows progress, and stops on request.
struct Watched {
    progress: Progress,
    done: AtomicU64,
    stop: Stop,
}

impl languages::Observer for Watched {
    /// Threads end their cells in any order.
    fn reach(&self, done: u64) {
        let most = self.done.fetch_max(done, Ordering::Relaxed).max(done);
        self.progress.reach(most);
    }

    fn stops(&self) -> bool {
        self.stop.is_asked_for()
    }
}

/// Which waits to put side by side.
#[derive(Debug, clap::Args)]
pub struct LanguagesArgs {
    /// How long the programs ask to wait: 1ms, 500us, 20ms
    #[arg(value_name = "LENGTH", default_value = "1ms", value_parser = length)]
    pub length: Duration,

    /// A simulated machine; may be given several times [default: all versions]
    ///
    /// Settings and rules may follow the name: windows-10-2004,processors=2,due-time=coarse.
    /// 'punctual windows rules' lists them.
    #[arg(long, value_name = "MACHINE")]
    pub on: Vec<MachineName>,

    /// A language's wait by its name in 'punctual windows personas'; may be given several times
    /// [default: those of the table]
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = persona)]
    pub persona: Vec<String>,

    /// What else runs on the machines: requester=2ms (another process that requests a timer
    /// interval), driver=1ms (a driver that requests one) or sleepers=20 (threads of another
    /// program); may be given several times
    #[arg(long, value_name = "WHO")]
    pub with: Vec<Companion>,

    /// When each wait begins: when the last has ended (tight), after computing for a random time
    /// (random), or just after a tick (aligned)
    #[arg(long, value_name = "WHEN", default_value = "tight", value_parser = when())]
    pub at: When,

    /// The number of waits behind each mean
    #[arg(long, value_name = "N", default_value_t = Question::COUNT, value_parser = parse_count)]
    pub count: u64,

    /// The seed of all random numbers; the same seed gives the same output
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_whole::<u64>)]
    pub seed: u64,

    #[command(flatten)]
    pub format: FormatArgs,
}

/// The longest wait: with the usual count, a day of virtual time.
const LONGEST: Duration = Duration::from_secs(60);

fn length(text: &str) -> Result<Duration, String> {
    let length = parse_duration(text)?;
    if length > LONGEST {
        return Err(format!("'{text}' is too long to simulate; the most is 60s"));
    }
    Ok(length)
}

fn persona(text: &str) -> Result<String, String> {
    named(text).map(|persona| persona.id.to_owned())
}

fn when() -> impl TypedValueParser<Value = When> {
    PossibleValuesParser::new(When::ALL.map(When::name)).try_map(|name| name.parse::<When>())
}

impl LanguagesArgs {
    /// The question.
    pub fn question(&self) -> Result<Question, Failure> {
        let usual = Question::of(self.length);
        let machines: Vec<_> = self.on.iter().map(ToString::to_string).collect();
        let or = |given: Vec<String>, usual| if given.is_empty() { usual } else { given };
        Ok(Question {
            machines: or(machines, usual.machines),
            personas: or(self.persona.clone(), usual.personas),
            with: self.with.clone(),
            at: self.at,
            count: self.count,
            seed: self.seed,
            length: self.length,
        })
    }
}
