//! `punctual languages`: what a wait takes in each language, on every simulated Windows.

#[cfg(feature = "sim")]
mod flags;
#[cfg(feature = "sim")]
mod run;
mod show;
mod words;

#[cfg(feature = "sim")]
pub use flags::LanguagesArgs;
#[cfg(feature = "sim")]
pub use run::languages;
pub use show::{cell, legend, marked_label, title, version};
pub use words::words;
