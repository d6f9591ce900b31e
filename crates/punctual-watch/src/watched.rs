//! What can be watched here: processors and ways of waiting.

use crate::os;
use punctual::Error;
use punctual_lab::environment::ProcessorSet;
use punctual_lab::waiters::{Kind, Waiter};
use punctual_lab::{Machine, Native};

/// Ways of waiting that keep a processor busy. A watch must not.
const SPINNING: [&str; 3] = ["punctual", "punctual-exact", "spin"];

/// The processors of the settings, or all that are online and that this process may use.
///
/// A processor that is offline at the moment can be watched: its turn comes.
///
/// # Errors
/// [Invalid input](Error::is_invalid_input) for one that this machine cannot have, and if there is none.
pub fn processors(asked: &ProcessorSet) -> Result<ProcessorSet, Error> {
    let here = Native::detect()?.environment();
    if asked.count() == 0 {
        let usable = here.processors_usable.filter(|usable| usable.count() > 0);
        let why = "the system does not tell which processors it has; name those to watch";
        return usable.ok_or_else(|| Error::invalid_input(why));
    }
    let possible = os::possible_processors().or(here.processors_online);
    let Some(possible) = possible.filter(|possible| possible.count() > 0) else {
        return Ok(asked.clone());
    };
    let is_possible = |one: &u32| possible.numbers().any(|possible| possible == *one);
    match asked.numbers().find(|one| !is_possible(one)) {
        Some(processor) => Err(Error::invalid_input(format!(
            "this machine has no processor {processor}; it has {possible}"
        ))),
        None => Ok(asked.clone()),
    }
}

/// The name of a way of waiting, if this system has one of that name that can be watched with.
///
/// # Errors
/// [Invalid input](Error::is_invalid_input), with the names that it has.
pub fn method(name: &str) -> Result<&'static str, Error> {
    Ok(offer(name)?.name)
}

/// The way of waiting of this name.
pub(crate) fn offer(name: &str) -> Result<Waiter<Native>, Error> {
    let (spinning, mut waiting): (Vec<_>, Vec<_>) = Native::waiters_for(Kind::Deadlines)
        .into_iter()
        .partition(|offer| SPINNING.contains(&offer.name));
    if let Some(found) = waiting.iter().position(|offer| offer.name == name) {
        return Ok(waiting.swap_remove(found));
    }
    let names: Vec<_> = waiting.iter().map(|offer| offer.name).collect();
    let why = match spinning.iter().any(|offer| offer.name == name) {
        true => format!("{name} spins, and a watch must not keep a processor busy"),
        false => format!("there is no way of waiting called {name:?}"),
    };
    Err(Error::invalid_input(format!(
        "{why}; use one of {}",
        names.join(", ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_processors_of_this_process_are_watched_unless_some_are_named() {
        let Ok(all) = processors(&ProcessorSet::default()) else {
            return println!("skipped: this system does not tell its processors");
        };
        assert_eq!(processors(&all).unwrap(), all);
        let error = processors(&ProcessorSet::from_iter([65_000])).unwrap_err();
        assert!(error.is_invalid_input());
        assert!(
            error
                .to_string()
                .starts_with("this machine has no processor 65000; it has 0")
        );
    }

    #[test]
    fn what_spins_is_no_way_to_watch() {
        assert_eq!(method("punctual-coarse").unwrap(), "punctual-coarse");
        let spins = method("spin").unwrap_err().to_string();
        assert!(
            spins.starts_with("spin spins, and a watch must not"),
            "{spins}"
        );
        let unknown = method("nap").unwrap_err().to_string();
        assert!(unknown.contains("called \"nap\"; use one of "), "{unknown}");
        assert!(!unknown.contains("punctual-exact"));
    }
}
