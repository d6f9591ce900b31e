//! The participants of an experiment: the requested ones among what the machine offers.

use super::{Kind, Wait, Waiter, WaiterOptions, requested, sliced, tuned};
use crate::conditions::Slice;
use crate::machine::{Machine, Unavailable};
use crate::question::{Refusal, Wish};
use punctual::Error;
use punctual::margin::{Budget, LateRate};
use std::collections::BTreeSet;
use std::iter;
use std::time::Duration;

/// A waiter that takes part, with the name of its series.
pub struct Contender {
    /// The name of its series, unique among the contenders.
    pub name: String,
    /// How it waits, for the measuring thread.
    pub wait: Box<dyn Wait>,
}

/// The named waiters that can do this, in the order of the names; all that the machine lists if none is named.
pub(crate) fn chosen<M: Machine>(kind: Kind, names: &[String]) -> Result<Vec<Waiter<M>>, Refusal> {
    let listed = M::waiters_for(kind);
    if names.is_empty() {
        return Ok(listed);
    }
    let mut seen = BTreeSet::new();
    let once = |name: &String| {
        if !seen.insert(name.clone()) {
            return Err(Refusal::Twice(name.clone()));
        }
        let found = listed.iter().find(|one| one.name == name).cloned();
        found
            .or_else(|| M::unlisted(name))
            .ok_or_else(|| Refusal::Unknown {
                kind,
                name: name.clone(),
                known: listed.iter().map(|one| one.name).collect(),
            })
    };
    names.iter().map(once).collect()
}

/// Refuses a late rate or a budget for a waiter that is left out.
pub(crate) fn ensure_no_wishes(
    name: Option<&'static str>,
    late_rate: Option<LateRate>,
    budget: Option<Budget>,
) -> Result<(), Refusal> {
    let wish = match (late_rate, budget) {
        (Some(_), _) => Wish::LateRate,
        (None, Some(_)) => Wish::Budget,
        (None, None) => return Ok(()),
    };
    Err(Refusal::Unheard { wish, name })
}

/// The made contenders and the missing ones.
pub(crate) struct Made {
    /// Each with its number among the offers.
    pub(crate) contenders: Vec<(usize, Contender)>,
    /// What this machine lacks.
    pub(crate) unavailable: Vec<Unavailable>,
}

/// How everything that is offered is tried.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Variants<'a> {
    /// Once more under this process's own request for this interval.
    pub(crate) request: Option<Duration>,
    /// Once more with the machine tuned.
    pub(crate) is_tuned: bool,
    /// With the first slice in any case, and once more with the second.
    pub(crate) slices: &'a [Slice],
}

impl Variants<'_> {
    /// What stands before the names of each, in order.
    fn marks(self) -> impl Iterator<Item = &'static str> {
        let sliced = (self.slices.len() > 1).then_some(SLICED);
        let requested = self.request.map(|_| REQUESTED);
        let tuned = self.is_tuned.then_some(TUNED);
        let again = [sliced, requested, tuned].into_iter().flatten();
        iter::once("").chain(again)
    }
}

/// Makes what is offered, under its names, in all variants.
///
/// # Errors
/// If the machine has none of it.
pub(crate) fn contenders<M: Machine>(
    machine: &M,
    offered: &[Waiter<M>],
    kind: Kind,
    options: WaiterOptions,
    variants: Variants<'_>,
) -> Result<Made, Error> {
    let (mut contenders, mut unavailable) = (Vec::new(), Vec::new());
    for mark in variants.marks() {
        let slice = variants.slices.get(usize::from(mark == SLICED));
        let offers = offered
            .iter()
            .filter_map(|one| Some((one.name, one.make(kind)?)));
        for (number, (name, make)) in offers.enumerate() {
            let made = make(machine, WaiterOptions { name, ..options });
            let made = made.and_then(|wait| match slice.and_then(|slice| slice.set()) {
                Some(slice) => sliced(machine, slice, wait),
                None => Ok(wait),
            });
            let made = made.and_then(|wait| match (mark, variants.request) {
                (REQUESTED, Some(interval)) => requested(machine, interval, wait),
                (TUNED, _) => tuned(machine, wait),
                _ => Ok(wait),
            });
            let name = format!("{mark}{name}");
            match made {
                Ok(wait) => contenders.push((number, Contender { name, wait })),
                Err(error) => unavailable.push(Unavailable {
                    name,
                    reason: error.to_string(),
                }),
            }
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

/// The prefix of a method's name when it is measured under this process's own request.
pub const REQUESTED: &str = "+";

/// The prefix of a method's name when it is measured with the machine tuned.
pub const TUNED: &str = "!";

/// The prefix of a method's name when it is measured with the second of two slices.
pub const SLICED: &str = "~";

/// The names of the series of these offers, in order.
pub(crate) fn names_of_series<'a>(
    offers: impl Iterator<Item = &'a str> + Clone,
    variants: Variants<'_>,
) -> Vec<String> {
    let marked = |mark| offers.clone().map(move |name| format!("{mark}{name}"));
    variants.marks().flat_map(marked).collect()
}

fn none_available(unavailable: &[Unavailable]) -> Error {
    let reasons: Vec<_> = unavailable
        .iter()
        .map(|missing| format!("{}: {}", missing.name, missing.reason))
        .collect();
    Error::unsupported(format!("no method could be tried: {}", reasons.join("; ")))
}
