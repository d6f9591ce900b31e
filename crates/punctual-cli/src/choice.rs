//! Flags that choose among what a machine offers, by name.

use crate::failure::Failure;
use std::collections::BTreeSet;

/// Those named, in the order in which they are offered; all of them if none is. `flag` is named
/// after what it chooses.
pub fn chosen<T>(
    flag: &str,
    offered: Vec<T>,
    names: &[String],
    name_of: impl Fn(&T) -> &'static str,
) -> Result<Vec<T>, Failure> {
    let what = flag.trim_start_matches('-');
    let mut seen = BTreeSet::new();
    for name in names {
        if !offered.iter().any(|one| name_of(one) == name) {
            let known: Vec<_> = offered.iter().map(name_of).collect();
            let problem = format!(
                "there is no {what} '{name}'; there are {}",
                known.join(", ")
            );
            return Err(Failure::flag(flag, problem));
        }
        if !seen.insert(name) {
            let problem = format!("'{name}' is given twice, and each {what} is measured once");
            return Err(Failure::flag(flag, problem));
        }
    }
    let is_chosen = |one: &T| names.is_empty() || names.iter().any(|name| name_of(one) == name);
    Ok(offered.into_iter().filter(is_chosen).collect())
}
