//! The evidence as programs use it. One program of all of it, because each that is built takes seconds more.

mod audit;
mod confidence;
mod paced;
mod replay;

use punctual_evidence::{Case, sources};

fn cases() -> Vec<Case> {
    let sources = sources().into_iter();
    sources.flat_map(|source| source.case).collect()
}

/// How much is tried: what finds the common mistakes, or with `PUNCTUAL_LONG=1` what finds rare ones, too.
fn effort(quick: u32, long: u32) -> u32 {
    match std::env::var_os("PUNCTUAL_LONG") {
        None => quick,
        Some(_) => long,
    }
}
