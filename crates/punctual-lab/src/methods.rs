//! The methods that need only an [`Os`]: Punctual's own, and a pure spin for comparison.

mod sliced;
pub mod standard;
mod tuned;
pub mod windows;

pub use sliced::sliced;
pub use tuned::tuned;

use crate::machine::{Method, Offer, Wishes};
use punctual::os::Slice;
use punctual::{Instant, Margin, Os, Sleeper, os};

/// Punctual's own ways of waiting, and a pure spin. Every machine offers them.
pub fn portable<O: Os>() -> [Offer<O>; 4] {
    [
        Offer {
            name: "punctual-coarse",
            summary: "Sleeper without spinning; no timer slack",
            slack_applies: false,
            make: |os, wishes| Ok(sleeper(os, Margin::coarse(), wishes.slice)),
        },
        Offer {
            name: PUNCTUAL,
            summary: "Sleeper: wakes a learned margin early, then spins",
            slack_applies: false,
            make: |os, wishes: Wishes| {
                let margin = Margin::new(wishes.late_rate, wishes.budget);
                Ok(sleeper(os, margin, wishes.slice))
            },
        },
        Offer {
            name: "punctual-exact",
            summary: "Sleeper without a limit on the time spent spinning",
            slack_applies: false,
            make: |os, wishes| Ok(sleeper(os, Margin::exact(), wishes.slice)),
        },
        Offer {
            name: "spin",
            summary: "reads the clock in a loop; uses a whole processor",
            slack_applies: false,
            make: |os, _| Ok(Box::new(Spin(os.clone()))),
        },
    ]
}

/// The method that late rate and budget apply to.
pub const PUNCTUAL: &str = "punctual";

struct Sleeping<O: Os>(Sleeper<O>);

fn sleeper<O: Os>(os: &O, margin: Margin, slice: Slice) -> Box<dyn Method> {
    let sleeper = Sleeper::on(os.clone()).with_margin(margin);
    Box::new(Sleeping(sleeper.with_slice(slice)))
}

impl<O: Os> Method for Sleeping<O> {
    fn begin_turn(&mut self) {
        self.0.resume();
    }

    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.0.sleep_until(deadline).woke
    }

    /// Its request would help the other methods of this process, too.
    fn end_turn(&mut self) {
        self.0.pause();
    }
}

struct Spin<O>(O);

impl<O: Os> Method for Spin<O> {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.0.spin_until(deadline, os::Spin::Pause)
    }
}
