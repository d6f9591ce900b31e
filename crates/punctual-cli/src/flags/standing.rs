//! How the waiting program stands with Windows.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use punctual_lab::conditions::{Standing, Throttling};

/// The flags of every command whose program waits.
#[derive(Debug, clap::Args)]
pub struct StandingArgs {
    /// The waiting program is hidden: no window of its own is to be seen, and it makes no sound
    ///
    /// Windows 11 does not honour the requests of a hidden program for a timer interval. Covered and
    /// minimised windows count as hidden. Only simulated programs can be said to be hidden.
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, visible_alias = "minimised")]
    pub hidden: bool,

    /// What the waiting program tells Windows to do with its requests, by SetProcessInformation
    ///
    /// Windows before 11 does not know it. A simulated program goes on without it.
    #[arg(long, value_name = "WHAT", value_parser = throttling())]
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
