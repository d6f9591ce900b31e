//! What several subcommands take from the command line.

/// The command `punctual` of this repository, as `cargo build --release` makes it.
pub const PUNCTUAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/release/punctual");

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
