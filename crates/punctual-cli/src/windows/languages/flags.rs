//! The flags of the table of languages.

use crate::flags::{MachineName, parse_count};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use punctual_command::failure::Failure;
use punctual_command::flags::{FormatArgs, parse_whole};
use punctual_data::quantity::parse_duration;
use punctual_lab::calls::When;
use punctual_lab::conditions::Companion;
use punctual_lab::languages::Question;
use punctual_lab::personas::named;
use std::time::Duration;

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
