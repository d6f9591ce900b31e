//! Prints the public API that a file of rustdoc's JSON describes, one item a line.
//!
//! Left out is what says nothing that another line does not: implementations that every type has,
//! those of traits that are not stable, the functions of an implementation, which its trait has, and
//! the items of what is exported from a second place.

use std::collections::HashSet;
use std::error::Error;

/// Traits of which no stable program can ask anything.
const UNSTABLE: [&str; 3] = [
    "core::marker::Freeze",
    "core::marker::StructuralPartialEq",
    "core::marker::UnsafeUnpin",
];

fn main() -> Result<(), Box<dyn Error>> {
    let json = std::env::args().nth(1).ok_or("which file of JSON?")?;
    let api = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .build()?;
    let mut printed = HashSet::new();
    let mut of_trait = false;
    for item in api.items() {
        let line = item.to_string();
        if let Some(name) = trait_of(&line) {
            of_trait = true;
            if UNSTABLE.contains(&name) {
                continue;
            }
        } else if of_trait && is_method(&line) {
            continue;
        } else if !line.starts_with("pub type ") {
            of_trait = false;
        }
        if !printed.contains(&line) {
            println!("{line}");
            printed.insert(line);
        }
    }
    Ok(())
}

/// `core::clone::Clone` of `impl<O: Os> core::clone::Clone for Handle<O>`.
fn trait_of(line: &str) -> Option<&str> {
    let implementation = line.strip_prefix("impl")?;
    let (before, _) = implementation.split_once(" for ")?;
    before.rsplit("> ").next().map(str::trim_start)
}

/// Whether it is a function of a type: one of a module has only small letters before its parameters.
fn is_method(line: &str) -> bool {
    ["pub fn ", "pub async fn ", "pub unsafe fn "]
        .iter()
        .filter_map(|start| line.strip_prefix(start))
        .filter_map(|path| path.split(['<', '(']).next())
        .any(|path| path.contains(char::is_uppercase))
}
