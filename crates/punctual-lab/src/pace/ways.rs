//! Ways to keep a beat that several machines have.

mod feedback;
mod ticker;
pub mod windows;

pub(crate) use feedback::feedback;
pub(crate) use ticker::ticker;

use crate::machine::{Keeping, Machine, Make, Offer, Way};
use punctual::{Margin, Sleeper};

/// The way that late rate and budget apply to.
pub const TICKER: &str = "ticker";

/// Punctual's own ways. Every machine has them.
pub fn portable<M: Machine>() -> Vec<Way<M>> {
    vec![
        Way {
            name: TICKER,
            summary: "Punctual's Ticker: wakes early, then spins",
            keeping: Keeping::Itself,
            make: |os: &M, wishes| {
                let sleeper = Sleeper::on(os.clone()).aiming_at(wishes.late_rate, wishes.budget);
                Ok(ticker(sleeper.with_slice(wishes.slice), wishes.period))
            },
        },
        Way {
            name: "ticker-coarse",
            summary: "Punctual's Ticker without spinning",
            keeping: Keeping::Itself,
            make: |os: &M, wishes| {
                let sleeper = Sleeper::on(os.clone()).with_margin(Margin::coarse());
                Ok(ticker(sleeper.with_slice(wishes.slice), wishes.period))
            },
        },
    ]
}

/// Returns the function that makes the method with this name.
///
/// # Panics
/// If there is no such method. The names are constants.
pub(crate) fn named<M>(offers: &[Offer<M>], name: &str) -> Make<M> {
    let offer = offers.iter().find(|offer| offer.name == name);
    offer
        .unwrap_or_else(|| panic!("there is no method {name}"))
        .make
}
