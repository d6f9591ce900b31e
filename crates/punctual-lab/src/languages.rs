//! What a wait takes in each language, on every simulated Windows.
//!
//! A row is a persona: the wait of a runtime. A column is a version of Windows. Every cell is a run
//! of a fresh machine, so that cells do not depend on each other and can be computed in parallel.

mod question;
mod recording;
mod rows;
#[cfg(feature = "sim")]
mod run;

pub use question::Question;
pub use recording::{Cell, Recording, Row, SCHEMA};
pub use rows::{LANGUAGES, Language, label_of};
#[cfg(feature = "sim")]
pub use run::{Error, Observer, run};
