//! What a wait takes in each language, on every simulated Windows.

#[cfg(feature = "sim")]
mod run;
mod show;
#[cfg(feature = "sim")]
mod table;

#[cfg(feature = "sim")]
pub use run::{LanguagesArgs, languages};
pub use show::{cell, legend, marked_label, title, version};

use crate::words::Words;
use punctual_data::quantity::write_duration;
use punctual_lab::calls::When;
use punctual_lab::languages::{LANGUAGES, Question};

// A question about languages as the command line that asks it.

/// The words. The personas of the usual table need none.
pub fn words(question: &Question) -> Words {
    let mut words = Words::of("windows");
    words.word(write_duration(question.length));
    words.each("--on", &question.machines);
    let usual = LANGUAGES.iter().map(|row| row.persona);
    if !usual.eq(question.personas.iter().map(String::as_str)) {
        words.flag("--persona", question.personas.join(","));
    }
    words.with(&question.with);
    if question.at != When::default() {
        words.flag("--at", question.at);
    }
    if question.count != Question::COUNT {
        words.flag("--count", question.count);
    }
    words.flag("--seed", question.seed);
    words
}
