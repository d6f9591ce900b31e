//! The readers of foreign bytes, and what each must do with any bytes: answer or refuse, within bounded
//! time and memory. What is read must make sense, and must come back if it is written.
//!
//! `cargo +nightly fuzz run READER` tries bytes of its own. `cargo test --no-default-features` replays
//! `corpus/`, and what a few changes make of it.

mod documents;
mod traces;
mod words;

pub use documents::{document, energy_report};
pub use traces::{etl, format, page, recording, xperf};
pub use words::words;

/// Tells whether the bytes were accepted.
pub type Reader = fn(&[u8]) -> bool;

/// Every reader by the name of its folder in `corpus/`.
pub const READERS: [(&str, Reader); 8] = [
    ("page", page),
    ("format", format),
    ("recording", recording),
    ("xperf", xperf),
    ("etl", etl),
    ("document", document),
    ("energy_report", energy_report),
    ("words", words),
];
