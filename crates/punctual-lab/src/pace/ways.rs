//! Ways that several machines have.

mod feedback;
mod ticker;
pub mod windows;

pub(crate) use feedback::feedback;
pub(crate) use ticker::ticker;

use crate::machine::{Keeping, Machine, Make, Offer, Way};
use punctual::{Margin, Sleeper};

/// The way that heeds a late rate and a budget.
pub const TICKER: &str = "ticker";

/// Punctual's own, which every machine has.
pub fn portable<M: Machine>() -> Vec<Way<M>> {
    vec![
        Way {
            name: TICKER,
            summary: "Punctual's Ticker: a schedule, a learned margin, a spin within a budget",
            keeping: Keeping::Itself,
            make: |os: &M, wishes| {
                let sleeper = Sleeper::on(os.clone()).aiming_at(wishes.late_rate, wishes.budget);
                Ok(ticker(sleeper, wishes.period))
            },
        },
        Way {
            name: "ticker-coarse",
            summary: "Punctual's Ticker without a spin",
            keeping: Keeping::Itself,
            make: |os: &M, wishes| {
                let sleeper = Sleeper::on(os.clone()).with_margin(Margin::coarse());
                Ok(ticker(sleeper, wishes.period))
            },
        },
    ]
}

/// How a method of this name is made.
///
/// # Panics
/// If there is none among them: the names are constants.
pub(crate) fn named<M>(offers: &[Offer<M>], name: &str) -> Make<M> {
    let offer = offers.iter().find(|offer| offer.name == name);
    offer
        .unwrap_or_else(|| panic!("there is no method {name}"))
        .make
}
