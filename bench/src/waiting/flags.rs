//! What can be asked of it.

use super::contenders::NAMES;
use super::load::Load;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub struct Flags {
    /// Prints one JSON object instead of tables.
    #[arg(long)]
    pub json: bool,

    /// Takes three minutes instead of twenty. The figures are too rough to publish.
    #[arg(long)]
    pub quick: bool,

    /// How many times a second to wait; may be given several times. Loads other than `idle` and `busy`
    /// are measured at 1000, or at the fastest of those given.
    #[arg(
        long = "rate",
        value_name = "HERTZ",
        default_values_t = [100, 1_000, 4_000],
        value_parser = RangedU64ValueParser::<u32>::new().range(1..=10_000)
    )]
    pub rates: Vec<u32>,

    /// The load on the machine; may be given several times.
    #[arg(long = "load", value_name = "LOAD", value_enum, default_values_t = Load::value_variants().iter().copied())]
    pub loads: Vec<Load>,

    /// Who takes part; may be given several times [default: everyone]. The curve, and the comparison at
    /// the same late share, need everyone.
    #[arg(long = "contender", value_name = "NAME", value_parser = PossibleValuesParser::new(NAMES))]
    pub contenders: Vec<String>,

    /// How long each contender waits at each rate and load, without warm-up [default: 2.5 s
    /// below 500 Hz, 2 s below 2 kHz or 10 s under load, 1 s beyond].
    #[arg(long, value_parser = parse_seconds)]
    pub seconds: Option<f64>,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    // A minute for each of some thirty contenders is half an hour at each rate and load.
    const BOUNDS: std::ops::RangeInclusive<f64> = 0.1..=60.0;
    match text.parse() {
        Ok(seconds) if BOUNDS.contains(&seconds) => Ok(seconds),
        _ => Err(format!(
            "not a number of seconds from {} to {}",
            BOUNDS.start(),
            BOUNDS.end()
        )),
    }
}
