//! An experiment from its first system call to its last: the thread is set up as asked, methods are
//! made, measured, and everything is given back.

use crate::machine::Machine;
use crate::measure::{Contender, Observer, Plan, measure};
use crate::method::{Method, Offer, Wishes};
use crate::methods::tuned;
use crate::recording::Unavailable;
use punctual::guard::{PinGuard, PriorityGuard};
use punctual::{Error, Priority};
use std::time::Duration;

/// What to measure, and how the thread that waits is to be scheduled meanwhile.
pub struct Experiment<M> {
    /// How often and how long to wait.
    pub plan: Plan,
    /// The methods to compare, each name once.
    pub offers: Vec<Offer<M>>,
    /// What methods that learn are asked for.
    pub wishes: Wishes,
    /// An interval: each method is measured a second time, under this process's own request for it.
    pub request: Option<Duration>,
    /// Whether each method is measured a second time with the machine tuned.
    pub tuned: bool,
    /// A raised priority, if any.
    pub priority: Option<Priority>,
    /// A processor to keep to, if any.
    pub pin: Option<usize>,
}

impl<M: Machine> Experiment<M> {
    /// Runs on the calling thread. What comes out goes to the observer, block by block, so that
    /// nothing is lost when it is stopped.
    ///
    /// # Errors
    /// When the thread cannot be scheduled as asked, or the machine has none of the methods.
    pub fn run(&self, machine: &M, observer: &mut dyn Observer) -> Result<(), Error> {
        let _pin = self
            .pin
            .map(|processor| PinGuard::pin(machine, processor))
            .transpose()?;
        let raise = |priority| PriorityGuard::raise(machine, priority);
        let _priority = self.priority.map(raise).transpose()?;
        let (mut contenders, unavailable) = self.contenders(machine);
        if contenders.is_empty() {
            return Err(none_available(&unavailable));
        }
        let names = contenders
            .iter()
            .map(|contender| contender.name.clone())
            .collect();
        observer.begins(names, unavailable);
        measure(machine, &self.plan, &mut contenders, observer);
        Ok(())
    }

    /// How many waits it makes in all, warm-up included, if the machine has every method.
    pub fn waits(&self) -> u64 {
        let times = 1 + u64::from(self.request.is_some()) + u64::from(self.tuned);
        let methods = self.offers.len() as u64 * times;
        let each = self.plan.waits.saturating_add(self.plan.warm_up());
        each.saturating_mul(methods)
    }

    fn contenders(&self, machine: &M) -> (Vec<Contender>, Vec<Unavailable>) {
        let (mut contenders, mut unavailable) = (Vec::new(), Vec::new());
        let mut add = |name: String, made: Result<Box<dyn Method>, Error>| match made {
            Ok(method) => contenders.push(Contender { name, method }),
            Err(error) => unavailable.push(Unavailable {
                method: name,
                reason: error.to_string(),
            }),
        };
        let make = |offer: &Offer<M>| (offer.make)(machine, self.wishes);
        for offer in &self.offers {
            add(offer.name.to_owned(), make(offer));
        }
        if let Some(interval) = self.request {
            for offer in &self.offers {
                let requested = make(offer).and_then(|plain| machine.requested(plain, interval));
                add(format!("{REQUESTED}{}", offer.name), requested);
            }
        }
        if self.tuned {
            for offer in &self.offers {
                let tuned = make(offer).and_then(|plain| tuned(machine, plain));
                add(format!("{TUNED}{}", offer.name), tuned);
            }
        }
        (contenders, unavailable)
    }
}

/// Before the name of a method that is measured under this process's own request.
pub const REQUESTED: &str = "+";

/// Before the name of a method that is measured with the machine tuned.
pub const TUNED: &str = "!";

fn none_available(unavailable: &[Unavailable]) -> Error {
    let reasons: Vec<_> = unavailable
        .iter()
        .map(|missing| format!("{}: {}", missing.method, missing.reason))
        .collect();
    Error::unsupported(format!("no method could be tried: {}", reasons.join("; ")))
}
