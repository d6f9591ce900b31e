//! What several subcommands take from the command line.

use clap::ValueEnum;

/// The command `punctual` of this repository, as `cargo build --release` makes it.
pub const PUNCTUAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/release/punctual");

/// The name by which one of several values is asked for.
pub fn name_of(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    let value = value.expect("every value can be asked for");
    value.get_name().to_owned()
}

/// Whether a name is among those that were given. If none were, every name is.
pub fn is_among(given: &[String], name: &str) -> bool {
    given.is_empty() || given.iter().any(|given| given == name)
}

/// What is given twice is done once.
pub fn without_repetitions<T: PartialEq + Clone>(given: &[T]) -> Vec<T> {
    let mut once = Vec::new();
    for value in given {
        if !once.contains(value) {
            once.push(value.clone());
        }
    }
    once
}
