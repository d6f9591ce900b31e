//! The kernel's functions by the addresses in them.

use std::collections::BTreeSet;
use std::fs;

/// The kernel's functions, as they are now. Modules that are loaded later are missing.
#[derive(Debug)]
pub struct KernelFunctions {
    /// In the order of their addresses.
    functions: Vec<(u64, Box<str>)>,
}

/// Addresses on x86-64 and arm64 that are this far from the last function's beginning are in none.
const LONGEST: u64 = 1 << 20;

impl KernelFunctions {
    /// Reads the kernel's list: some ten megabytes. It has none where the kernel keeps its addresses to
    /// itself.
    pub fn read() -> Self {
        let list = fs::read("/proc/kallsyms").unwrap_or_default();
        Self::of(&String::from_utf8_lossy(&list))
    }

    fn of(list: &str) -> Self {
        let mut functions: Vec<_> = list.lines().filter_map(function).collect();
        functions.sort_by_key(|&(address, _)| address);
        Self { functions }
    }

    /// The names of the functions at these addresses, each with the address; those that are in none are
    /// left out.
    pub fn at(&self, addresses: &BTreeSet<u64>) -> Vec<(u64, String)> {
        let named = addresses.iter();
        named
            .filter_map(|&address| Some((address, self.name(address)?.to_owned())))
            .collect()
    }

    fn name(&self, address: u64) -> Option<&str> {
        let next = self
            .functions
            .partition_point(|&(begin, _)| begin <= address);
        let (begin, name) = self.functions[..next].last()?;
        (address - begin < LONGEST).then_some(name)
    }
}

/// What a line says if it is about a function: `ffffffff8124e0c0 t do_wait`, and the module in brackets if
/// there is one. Addresses are 0 where they are hidden.
fn function(line: &str) -> Option<(u64, Box<str>)> {
    let mut words = line.split_ascii_whitespace();
    let (address, kind, name) = (words.next()?, words.next()?, words.next()?);
    let address = u64::from_str_radix(address, 16).ok()?;
    let is_function = matches!(kind, "t" | "T" | "w" | "W");
    let name = match words.next() {
        Some(module) => format!("{name} {module}"),
        None => name.to_owned(),
    };
    (is_function && address != 0).then(|| (address, name.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_in_the_function_that_begins_before_it() {
        let functions = KernelFunctions::of(
            "0000000000001000 T first\n\
             0000000000003000 t third\t[module]\n\
             0000000000002000 D data\n\
             0000000000002800 W second\n\
             broken\n",
        );
        let at = |address| functions.at(&BTreeSet::from([address]));
        let named = |address, name: &str| vec![(address, name.to_owned())];
        assert_eq!(at(0x0fff), []);
        assert_eq!(at(0x1000), named(0x1000, "first"));
        assert_eq!(at(0x27ff), named(0x27ff, "first"));
        assert_eq!(at(0x2800), named(0x2800, "second"));
        assert_eq!(at(0x3fff), named(0x3fff, "third [module]"));
        assert_eq!(at(u64::MAX), []);
    }

    #[test]
    fn hidden_addresses_name_nothing() {
        let functions = KernelFunctions::of("0000000000000000 T first\n");
        assert_eq!(functions.at(&BTreeSet::from([0, 1])), []);
    }
}
