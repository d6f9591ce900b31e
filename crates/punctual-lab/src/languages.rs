//! What a wait takes in each language, on every simulated Windows.
//!
//! A row is a persona: the wait of a runtime. A column is a version of Windows. Every cell is a run
//! of a fresh machine, so that cells do not depend on each other and can be computed in parallel.

#[cfg(feature = "sim")]
mod run;

#[cfg(feature = "sim")]
use crate::calls::SeriesRecord;
use crate::calls::When;
use crate::conditions::Companion;
use crate::confidence::Confidence;
use crate::question::Conditions;
use punctual_data::written;
use serde::{Deserialize, Serialize};
use std::time::Duration;

#[cfg(feature = "sim")]
pub use run::{Observer, run};

// The question of `languages`.

/// What does a wait of this length take in each language?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The length that programs ask for.
    #[serde(rename = "length_ns", with = "written::nanos")]
    pub length: Duration,
    /// The personas, by their names, each once.
    pub personas: Vec<String>,
    /// The simulated machines, by their names, each once.
    pub machines: Vec<String>,
    /// Other programs and drivers on the machines.
    pub with: Vec<Companion>,
    /// When each wait begins.
    pub at: When,
    /// The number of waits behind each mean.
    pub count: u64,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl Question {
    /// The number of waits behind each mean unless the question says otherwise.
    pub const COUNT: u64 = 500;

    /// The conditions on the machines.
    pub fn conditions(&self) -> Conditions {
        Conditions {
            with: self.with.clone(),
            ..Conditions::default()
        }
    }
}

// The table as versioned JSON. Units are in the names of the keys.

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.languages/1";

/// The table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made it.
    pub punctual_version: String,
    /// The question, with its machines in the order of the cells.
    pub question: Question,
    /// Whether it was stopped early.
    pub interrupted: bool,
    /// A row per persona, in the order of the question.
    pub rows: Vec<Row>,
}

/// A persona on every machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its name.
    pub persona: String,
    /// What people call it.
    pub label: String,
    /// The language or library, what a program calls, and the versions.
    pub about: [String; 3],
    /// Whether its row was read in the runtime's source.
    pub checked: bool,
    /// The call that it makes, and its requests for a timer interval, in words.
    pub call: String,
    /// The same.
    pub request: String,
    /// A cell per machine; `None` if the runtime does not run there, or if nothing was simulated
    /// before a stop.
    pub cells: Vec<Option<Cell>>,
}

/// What the waits took on one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The number of waits.
    pub count: u64,
    /// The mean.
    pub mean_ns: u64,
    /// The standard deviation.
    pub deviation_ns: u64,
    /// The shortest.
    pub min_ns: u64,
    /// The longest.
    pub max_ns: u64,
    /// How far the mean can be trusted.
    pub confidence: Confidence,
}

#[cfg(feature = "sim")]
impl Cell {
    /// Of a series; `None` if it has no waits.
    fn of(series: SeriesRecord) -> Option<Self> {
        Some(Self {
            count: series.durations_ns.len() as u64,
            mean_ns: series.mean_ns?,
            deviation_ns: series.spread_ns?,
            min_ns: series.min_ns?,
            max_ns: series.max_ns?,
            confidence: series.confidence?,
        })
    }
}

// The rows that the table usually has.

/// A row: what people call it, and its persona.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language {
    /// The language and its versions, in at most 19 characters.
    pub label: &'static str,
    /// The name of the persona.
    pub persona: &'static str,
}

const fn row(label: &'static str, persona: &'static str) -> Language {
    Language { label, persona }
}

/// The rows, languages of a kind together.
pub const LANGUAGES: &[Language] = &[
    row("Python ≤3.10", "python-3.10"),
    row("Python ≥3.11", "python-3.11"),
    row("asyncio ≤3.12", "python-3.12-asyncio"),
    row("asyncio ≥3.13", "python-3.13-asyncio"),
    row("Go 1.14–1.15", "go-1.15"),
    row("Go 1.16–1.22", "go-1.16"),
    row("Go ≥1.23", "go-1.23"),
    row("Java Thread.sleep", "java-thread-sleep"),
    row("Java parkNanos", "java-park-nanos"),
    row(".NET Thread.Sleep", "dotnet-thread-sleep"),
    row(".NET ≤6 Task.Delay", "dotnet-6-task-delay"),
    row(".NET ≥7 Task.Delay", "dotnet-7-task-delay"),
    row("Node setTimeout", "node"),
    row("Deno setTimeout", "deno"),
    row("Rust ≤1.74", "rust-1.74"),
    row("Rust ≥1.75", "rust-1.75"),
    row("Rust tokio", "tokio"),
    row("C++ MSVC ≤17.8", "msvc"),
    row("C++ MSVC ≥17.9", "msvc-17.9"),
    row("C++ MinGW", "mingw"),
    row("C++ Boost.Thread", "boost-thread"),
    row("SDL2 SDL_Delay", "sdl2"),
    row("SDL3 SDL_Delay", "sdl3"),
    row("Ruby sleep", "ruby"),
    row("PHP usleep", "php"),
    row("Perl select", "perl-select"),
    row("Lua LuaSocket", "lua-socket"),
    row("Julia sleep", "julia"),
    row("Erlang receive", "erlang"),
    row("OCaml Thread.delay", "ocaml"),
    row("Zig sleep", "zig"),
];

/// What people call a persona: the label of its row, or its name.
pub fn label_of(persona: &str) -> String {
    let mut rows = LANGUAGES.iter();
    let row = rows.find(|row| row.persona == persona);
    row.map_or(persona, |row| row.label).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_row_has_a_persona() {
        for row in LANGUAGES {
            let found = punctual_windows::personas::named(row.persona);
            assert!(found.is_ok(), "{}", row.persona);
        }
    }

    #[test]
    fn every_label_has_room_and_is_one_of_a_kind() {
        for row in LANGUAGES {
            assert!(row.label.chars().count() <= 19, "{}", row.label);
        }
        let labels: BTreeSet<_> = LANGUAGES.iter().map(|row| row.label).collect();
        assert_eq!(labels.len(), LANGUAGES.len());
    }
}
