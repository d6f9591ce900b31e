//! The settings of Punctual's own waits.

use punctual::margin::{Budget, LateRate};
use punctual_data::quantity::parse_share;

/// The flags of `measure` and `pace`.
#[derive(Debug, clap::Args)]
pub struct LearningArgs {
    /// The share of waits that Punctual may end late, in method 'punctual' or way 'ticker'
    /// [default: 1%]
    #[arg(long, value_name = "SHARE", value_parser = parse_late_rate)]
    pub late_rate: Option<LateRate>,

    /// The share of time that Punctual may spend spinning, in method 'punctual' or way 'ticker'
    /// [default: 5%]
    #[arg(long, value_name = "SHARE", value_parser = parse_budget)]
    pub budget: Option<Budget>,
}

fn parse_late_rate(text: &str) -> Result<LateRate, String> {
    LateRate::new(parse_share(text)?).map_err(|error| error.to_string())
}

fn parse_budget(text: &str) -> Result<Budget, String> {
    Budget::new(parse_share(text)?).map_err(|error| error.to_string())
}
