//! An experiment from its first system call to its last: the thread is set up as asked, methods are
//! made, measured, and everything is given back.

use crate::machine::Machine;
use crate::measure::{Contender, Observer, Plan, measure};
use crate::method::{Make, Method, Offer, Wishes};
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
        let _scheduled = schedule(machine, self.pin, self.priority)?;
        let offers = self.offers.iter().map(|offer| (offer.name, offer.make));
        let made = contenders(machine, offers, self.wishes, self.request, self.tuned)?;
        let unavailable = made.unavailable;
        let mut contenders: Vec<_> = made.contenders.into_iter().map(|(_, made)| made).collect();
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
}

/// Schedules the calling thread as asked, until what is returned is dropped.
pub(crate) fn schedule<M: Machine>(
    machine: &M,
    pin: Option<usize>,
    priority: Option<Priority>,
) -> Result<impl Sized, Error> {
    let pin = pin.map(|processor| PinGuard::pin(machine, processor));
    let pin = pin.transpose()?;
    let priority = priority.map(|priority| PriorityGuard::raise(machine, priority));
    // Given back in the order of the pair: the priority before the processor.
    Ok((priority.transpose()?, pin))
}

/// What came of making what is offered.
pub(crate) struct Made {
    /// Each with its number among the offers.
    pub(crate) contenders: Vec<(usize, Contender)>,
    /// What this machine does not have.
    pub(crate) unavailable: Vec<Unavailable>,
}

/// Makes what is offered, under the names given; then, if there is a request, all of it once more
/// under that; and if the machine is to be tuned, all of it once more with that.
///
/// # Errors
/// When the machine has none of it.
pub(crate) fn contenders<M: Machine>(
    machine: &M,
    offers: impl Iterator<Item = (&'static str, Make<M>)> + Clone,
    wishes: Wishes,
    request: Option<Duration>,
    is_tuned: bool,
) -> Result<Made, Error> {
    let (mut contenders, mut unavailable) = (Vec::new(), Vec::new());
    let mut add = |number, name: String, made: Result<Box<dyn Method>, Error>| match made {
        Ok(method) => contenders.push((number, Contender { name, method })),
        Err(error) => unavailable.push(Unavailable {
            method: name,
            reason: error.to_string(),
        }),
    };
    for (number, (name, make)) in offers.clone().enumerate() {
        add(number, name.to_owned(), make(machine, wishes));
    }
    if let Some(interval) = request {
        for (number, (name, make)) in offers.clone().enumerate() {
            let plain = make(machine, wishes);
            let requested = plain.and_then(|plain| machine.requested(plain, interval));
            add(number, format!("{REQUESTED}{name}"), requested);
        }
    }
    if is_tuned {
        for (number, (name, make)) in offers.enumerate() {
            let tuned = make(machine, wishes).and_then(|plain| tuned(machine, plain));
            add(number, format!("{TUNED}{name}"), tuned);
        }
    }
    if contenders.is_empty() {
        return Err(none_available(&unavailable));
    }
    Ok(Made {
        contenders,
        unavailable,
    })
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
