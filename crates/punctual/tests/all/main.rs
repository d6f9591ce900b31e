//! The library as programs use it. One program of all of it, because each that is built takes seconds more.

mod driver;
mod ends;
mod halves;
mod sleeper;
mod suspend;
mod ticker;
mod timers;

use proptest::prelude::ProptestConfig;

/// As many cases of a property as are asked for: at most a quarter of what is usual, or with `PUNCTUAL_LONG=1` all.
fn tried() -> ProptestConfig {
    let asked = ProptestConfig::default();
    let cases = match std::env::var_os("PUNCTUAL_LONG") {
        None => asked.cases.min(64),
        Some(_) => asked.cases,
    };
    ProptestConfig { cases, ..asked }
}
