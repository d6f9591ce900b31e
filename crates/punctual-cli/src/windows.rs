//! `punctual windows`: how each version of Windows waits, and what the sleep of a language takes there.

#[cfg(feature = "sim")]
mod command;
pub mod languages;

#[cfg(feature = "sim")]
pub use command::{WindowsArgs, windows};
