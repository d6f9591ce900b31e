//! `punctual windows`: how each version of Windows waits, and what the sleep of a language takes there.

#[cfg(feature = "sim")]
mod command;
pub mod languages;
#[cfg(feature = "sim")]
mod personas;
#[cfg(feature = "sim")]
mod rules;

#[cfg(feature = "sim")]
pub use command::{WindowsArgs, windows};

/// The schema of what is known: the rules of the machines, or the waits of runtimes.
#[cfg(feature = "sim")]
const SCHEMA: &str = "punctual.windows/1";
