//! A set of processors, written as Linux writes one: `0-3,8`.

use punctual::Error;
use punctual_data::as_text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// The highest processor number that is accepted: the kernel's own limit (`NR_CPUS`) is at most
/// 8192. It keeps a damaged file from filling the memory.
const HIGHEST_NUMBER: u32 = 65_535;

/// A set of processors, numbered from zero as the system numbers them.
///
/// ```
/// use punctual_lab::environment::ProcessorSet;
///
/// let set: ProcessorSet = "0-3,8".parse()?;
/// assert_eq!(set.count(), 5);
/// assert_eq!(set.to_string(), "0-3,8");
/// # Ok::<(), punctual::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProcessorSet(BTreeSet<u32>);

impl ProcessorSet {
    /// The number of processors.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Their numbers, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().copied()
    }
}

impl FromIterator<u32> for ProcessorSet {
    fn from_iter<T: IntoIterator<Item = u32>>(numbers: T) -> Self {
        Self(numbers.into_iter().collect())
    }
}

impl FromStr for ProcessorSet {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut numbers = BTreeSet::new();
        for part in text.trim().split(',').filter(|part| !part.is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            numbers.extend(first..=last);
        }
        Ok(Self(numbers))
    }
}

fn number(text: &str) -> Result<u32, Error> {
    text.trim()
        .parse()
        .ok()
        .filter(|&number| number <= HIGHEST_NUMBER)
        .ok_or_else(|| {
            Error::invalid_input(format!(
                "{text:?} is not the number of a processor; write a list like 0-3,8"
            ))
        })
}

impl fmt::Display for ProcessorSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut numbers = self.numbers().peekable();
        let mut separator = "";
        while let Some(first) = numbers.next() {
            let mut last = first;
            while let Some(next) = numbers.next_if_eq(&(last + 1)) {
                last = next;
            }
            write!(f, "{separator}{first}")?;
            if last > first {
                write!(f, "-{last}")?;
            }
            separator = ",";
        }
        Ok(())
    }
}

as_text!(ProcessorSet);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_what_linux_writes() {
        let check = |text: &str, numbers: &[u32]| {
            let set: ProcessorSet = text.parse().unwrap();
            assert_eq!(set.numbers().collect::<Vec<_>>(), numbers, "{text:?}");
        };
        check("0-1\n", &[0, 1]);
        check("0,2-4,7\n", &[0, 2, 3, 4, 7]);
        check("\n", &[]);
        check("", &[]);
    }

    #[test]
    fn refuses_what_is_not_a_list() {
        for text in ["a", "1-", "-1", "0-4294967295", "1;2"] {
            assert!(text.parse::<ProcessorSet>().is_err(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(numbers in proptest::collection::btree_set(0..300_u32, 0..60)) {
            let set = ProcessorSet(numbers);
            prop_assert_eq!(set.to_string().parse::<ProcessorSet>().unwrap(), set);
        }
    }
}
